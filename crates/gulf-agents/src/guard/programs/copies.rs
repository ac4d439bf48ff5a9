//! `cp`, `mv` and their kin: the last operand is written, and it may be a folder.
//!
//! It stands apart because without a disk both are to be tried: the path itself, and the same name within it.

use super::options::Options;
use crate::guard::Verdict;
use crate::guard::shell::Shell;
use crate::guard::value::Value;

const TARGET: [&str; 2] = ["-t", "--target-directory"];

/// `cp a b folder`, `cp -t folder a b`, `ln -s target` and so on.
pub(super) fn copies(
    shell: &mut Shell<'_>,
    program: &str,
    rest: &[Value],
    with_value: &[&'static str],
) -> Verdict {
    let options = Options::of(rest, with_value);
    if program == "rsync" && options.has("n", &["dry-run"]) {
        return Ok(());
    }
    let (sources, target) = parted(&options);
    // A link without a target is made here.
    let here = || (program == "ln" && !sources.is_empty()).then(|| Value::literal("."));
    let Some(target) = target.or_else(here) else { return Ok(()) };
    if program == "rsync" && options.has("", &["delete", "delete-after", "delete-before", "delete-excluded"])
    {
        // It removes what the source does not have.
        if let Some(entry) = shell.taken(&target) {
            return Err(entry.offence("`rsync --delete` would remove it"));
        }
    }
    write(shell, program, &sources, &target)
}

/// The same, and the sources are gone.
pub(super) fn moves(shell: &mut Shell<'_>, program: &str, rest: &[Value]) -> Verdict {
    let options = Options::of(rest, &["-t", "--target-directory", "-S", "--suffix"]);
    let (sources, target) = parted(&options);
    let Some(target) = target else { return Ok(()) };
    for source in &sources {
        if let Some(entry) = shell.taken(source) {
            return Err(entry.offence(shell.and_how(source, format!("`{program}` would move it away"))));
        }
    }
    write(shell, program, &sources, &target)
}

/// Sources, and the target where one is named.
fn parted<'call>(options: &Options<'call>) -> (Vec<&'call Value>, Option<Value>) {
    if let Some(target) = options.value(&TARGET) {
        return (options.operands.clone(), Some(target.clone()));
    }
    match options.operands.as_slice() {
        [] => (Vec::new(), None),
        [only] => (vec![only], None),
        [sources @ .., target] => (sources.to_vec(), Some((*target).clone())),
    }
}

fn write(shell: &mut Shell<'_>, program: &str, sources: &[&Value], target: &Value) -> Verdict {
    let how = || format!("`{program}` would write over it");
    let is_folder = shell.ground().is_protected_folder(target, shell.folder());
    let within_it = shell.written(target);
    if let Some(entry) = within_it.filter(|_| !is_folder) {
        return Err(entry.offence(how()));
    }
    if shell.ground().is_free(target, shell.folder()) {
        return Ok(());
    }
    for source in sources {
        let name = source.text.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or_default();
        // What `folder/*` and `folder/.` bring along is not known.
        if source.is_unknown || source.pattern().is_some() || matches!(name, "" | "." | "..") {
            within_it.map_or(Ok(()), |entry| Err(entry.offence(how())))?;
            continue;
        }
        let mut within = target.clone();
        within.push_literal("/");
        within.push_literal(name);
        if let Some(entry) = shell.written(&within) {
            return Err(entry.offence(how()));
        }
    }
    Ok(())
}
