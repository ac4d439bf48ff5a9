//! What the shell does by itself: folders, variables, text that is run.
//!
//! It stands apart because these change what later commands mean.

use super::options::Options;
use crate::guard::Verdict;
use crate::guard::shell::Shell;
use crate::guard::value::Value;

/// Follows the builtin.
pub(super) fn judge(shell: &mut Shell<'_>, program: &str, rest: &[Value]) -> Verdict {
    match program {
        "cd" | "chdir" => {
            change_folder(shell, rest);
            Ok(())
        }
        "pushd" => {
            shell.push_folder();
            change_folder(shell, rest);
            Ok(())
        }
        "popd" => {
            shell.pop_folder();
            Ok(())
        }
        "eval" => {
            let words: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
            shell.run(&words.join(" "))
        }
        "trap" => rest.first().map_or(Ok(()), |word| shell.run_below(&word.text)),
        "unset" | "read" => {
            for word in rest {
                shell.set_variable(&word.text, None);
            }
            Ok(())
        }
        _ => {
            set_variables(shell, rest);
            Ok(())
        }
    }
}

fn change_folder(shell: &mut Shell<'_>, rest: &[Value]) {
    match Options::of(rest, &[]).operands.as_slice() {
        [] => shell.go_home(),
        [folder, ..] if folder.text == "-" => shell.go_back(),
        [folder, ..] => shell.go(folder),
    }
}

/// `export name=value`
fn set_variables(shell: &mut Shell<'_>, rest: &[Value]) {
    for word in rest {
        if let Some((name, value)) = word.text.split_once('=') {
            let values = (!word.is_unknown).then(|| vec![Value::literal(value)]);
            shell.set_variable(name, values);
        }
    }
}
