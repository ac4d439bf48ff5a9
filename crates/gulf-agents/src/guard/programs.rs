//! What known programs do with their arguments: which of them they write.
//!
//! It stands apart because it is a table more than code: a program that is not in it writes nothing that can be seen.

use std::rc::Rc;

use super::shell::{Shell, said::Said};
use super::value::Value;
use super::{Verdict, patch};
use options::Options;
use table::{Change, Habit};

mod builtins;
mod code;
mod copies;
pub(super) mod find;
mod git;
pub(super) mod options;
mod prefix;
mod table;

/// A program that is about to be run; it is the first argument.
#[derive(Clone, Debug)]
pub(super) struct Call<'call> {
    pub(super) arguments: &'call [Value],
    /// What it reads, where that is known.
    pub(super) stdin: Option<Rc<Said>>,
}

/// Programs before programs: `sudo env nice rm`.
const PREFIXES_MAX: usize = 16;

/// Whether a program by this name is in the table.
pub(super) fn is_known(program: &str) -> bool {
    table::habit(name(program)).is_some()
}

/// Objects to what the program would do.
pub(super) fn judge(shell: &mut Shell<'_>, call: &Call<'_>) -> Verdict {
    let mut arguments = call.arguments;
    for _ in 0..PREFIXES_MAX {
        let Some((program, rest)) = arguments.split_first() else { break };
        let program = name(&program.text);
        match table::habit(program) {
            None => break,
            Some(Habit::Prefix(with_value, operands)) => {
                arguments = prefix::behind(program, rest, with_value, operands);
            }
            Some(habit) => return act(shell, &habit, program, rest, call.stdin.as_ref()),
        }
    }
    Ok(())
}

fn act(
    shell: &mut Shell<'_>,
    habit: &Habit,
    program: &str,
    rest: &[Value],
    stdin: Option<&Rc<Said>>,
) -> Verdict {
    match habit {
        Habit::Says | Habit::Prefix(..) => Ok(()),
        Habit::Changes(change, with_value) => changes(shell, *change, program, rest, with_value),
        Habit::InPlace(asks) => in_place(shell, program, rest, *asks),
        Habit::Output(with_value) => output(shell, program, rest, with_value),
        Habit::Disk => disk(shell, rest),
        Habit::Copies(with_value) => copies::copies(shell, program, rest, with_value),
        Habit::Moves => copies::moves(shell, program, rest),
        Habit::Patch => patched(shell, rest, stdin),
        Habit::ApplyPatch => apply_patch(shell, rest, stdin),
        Habit::Git => git::judge(shell, rest, stdin),
        Habit::Find => find::judge(shell, rest),
        Habit::EachLine => prefix::each_line(shell, rest, stdin),
        Habit::Builtin => builtins::judge(shell, program, rest),
        Habit::Shell => code::shell(shell, rest, stdin),
        Habit::Interpreter(letters) => code::interpreter(shell, program, rest, letters, stdin),
        Habit::Awk => code::awk(shell, program, rest),
    }
}

/// A program's own name, without its folder.
fn name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Objects if one of the paths is protected.
fn written<'paths>(
    shell: &mut Shell<'_>,
    program: &str,
    paths: impl IntoIterator<Item = &'paths Value>,
) -> Verdict {
    match paths.into_iter().find_map(|path| shell.written(path)) {
        Some(entry) => Err(entry.offence(format!("`{program}` would write it"))),
        None => Ok(()),
    }
}

/// All operands are written, removed or edited.
fn changes(
    shell: &mut Shell<'_>,
    change: Change,
    program: &str,
    rest: &[Value],
    with_value: &[&'static str],
) -> Verdict {
    let options = Options::of(rest, with_value);
    if change == Change::Edits && options.has("R", &[]) {
        return Ok(());
    }
    let what = match change {
        Change::Removes => return removes(shell, program, options.operands),
        Change::Writes => "write",
        Change::Mode => "change the rights of",
        Change::Edits => "edit",
    };
    match options.operands.iter().find_map(|path| shell.written(path)) {
        Some(entry) => Err(entry.offence(format!("`{program}` would {what} it"))),
        None => Ok(()),
    }
}

fn removes<'paths>(
    shell: &mut Shell<'_>,
    program: &str,
    paths: impl IntoIterator<Item = &'paths Value>,
) -> Verdict {
    for path in paths {
        if let Some(entry) = shell.taken(path) {
            return Err(entry.offence(shell.and_how(path, format!("`{program}` would remove it"))));
        }
    }
    Ok(())
}

/// The operands are written if an option says so.
fn in_place(shell: &mut Shell<'_>, program: &str, rest: &[Value], asks: fn(&str) -> bool) -> Verdict {
    let before_operands = rest.iter().take_while(|word| word.text != "--");
    let Some(option) = before_operands.map(|word| word.text.as_str()).find(|word| asks(word)) else {
        return Ok(());
    };
    let with_value: &[&str] =
        if program.ends_with("sed") { &["-e", "-f", "--expression", "--file"] } else { &[] };
    let options = Options::of(rest, with_value);
    match options.operands.iter().find_map(|path| shell.written(path)) {
        Some(entry) => {
            // What is attached to it is a suffix and no part of the name.
            let option = if option.starts_with("--") { option } else { option.get(..2).unwrap_or(option) };
            Err(entry.offence(format!("`{program} {option}` would change it")))
        }
        None => Ok(()),
    }
}

/// One option names what is written.
fn output(shell: &mut Shell<'_>, program: &str, rest: &[Value], with_value: &[&'static str]) -> Verdict {
    let options = Options::of(rest, with_value);
    let paths: Vec<Value> = options.values(with_value).cloned().collect();
    written(shell, program, &paths)
}

/// `dd of=…`
fn disk(shell: &mut Shell<'_>, rest: &[Value]) -> Verdict {
    let targets = rest.iter().filter_map(|word| word.text.strip_prefix("of="));
    let targets: Vec<Value> = targets.map(Value::literal).collect();
    written(shell, "dd", &targets)
}

/// `patch`: the file that is named, or those that the patch names.
fn patched(shell: &mut Shell<'_>, rest: &[Value], stdin: Option<&Rc<Said>>) -> Verdict {
    let options = Options::of(rest, &["-p", "-i", "-d", "-o", "-r", "-B", "-F", "-V", "-D"]);
    if options.has("", &["dry-run"]) {
        return Ok(());
    }
    written(shell, "patch", options.operands.iter().take(1).copied())?;
    let output: Vec<Value> = options.values(&["-o"]).cloned().collect();
    written(shell, "patch", &output)?;
    diff(shell, "patch", stdin)
}

/// The paths that a diff on stdin names.
fn diff(shell: &mut Shell<'_>, program: &str, stdin: Option<&Rc<Said>>) -> Verdict {
    let Some(said) = stdin else { return Ok(()) };
    let paths: Vec<Value> = patch::paths_of_diff(&said.text()).map(Value::literal).collect();
    written(shell, program, &paths)
}

/// What Codex takes out of a shell command and applies by itself.
fn apply_patch(shell: &mut Shell<'_>, rest: &[Value], stdin: Option<&Rc<Said>>) -> Verdict {
    let text = match rest.first() {
        Some(argument) => argument.text.clone(),
        None => stdin.map_or_else(String::new, |said| said.text().into_owned()),
    };
    let paths: Vec<Value> = patch::paths_of_envelope(&text).map(Value::literal).collect();
    written(shell, "apply_patch", &paths)
}
