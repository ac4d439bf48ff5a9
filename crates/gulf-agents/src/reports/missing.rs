//! Says of a failed command that what it is to run is not there, by the words of the program that looked for it.
//!
//! Such a command exits like one whose tests fail: a project without its runner would count as one with a red test,
//! and whoever installs the runner as one who mended it.

use super::lines;

const WITHOUT_SCRIPT: [&str; 3] =
    ["npm error Missing script:", "npm ERR! Missing script:", "npm ERR! missing script:"];

/// The line that says so, if the command's own program says it.
pub fn missing_runner(command: &str, output: &[u8]) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let has = |name: &str| words.iter().any(|word| word.rsplit('/').next() == Some(name));
    let after = |flag: &str| words.iter().position(|word| *word == flag).and_then(|at| words.get(at + 1));
    let module = after("-m").filter(|_| words.iter().any(|word| is_python(word)));
    // `uv run --with httpx pytest`: uv names the one it could not run.
    let is_spawned = |line: &str| {
        let name = line.strip_prefix("error: Failed to spawn: `").and_then(|rest| rest.strip_suffix('`'));
        has("uv") && name.is_some_and(|name| words.contains(&name))
    };
    let found = has("poetry").then(|| after("run")).flatten();
    let found = found.map(|name| format!("Command not found: {name}"));
    let bundled = after("exec").filter(|_| has("bundle"));
    let bundled = bundled.map(|name| format!("bundler: command not found: {name}"));
    let [npm, npx, django, cargo, make, just] = ["npm", "npx", "manage.py", "cargo", "make", "just"].map(has);
    let said = |line: &str| {
        let is_module = module.is_some_and(|module| is_missing_module(line, module));
        let is_script = npm && WITHOUT_SCRIPT.iter().any(|said| line.starts_with(said));
        let is_run = is_spawned(line) || [&found, &bundled].into_iter().flatten().any(|said| line == said);
        let is_package = npx && line.contains("npx canceled due to missing packages");
        let is_django = django
            && (line == "ModuleNotFoundError: No module named 'django'"
                || line.starts_with("ImportError: Couldn't import Django."));
        let is_command = cargo && line.starts_with("error: no such command: `");
        let is_target = make
            && line.starts_with("make: *** No rule to make target '")
            && words.iter().any(|word| line.contains(&format!("target '{word}'.")));
        let is_recipe = just && line.starts_with("error: Justfile does not contain recipe");
        is_module || is_django || is_run || is_script || is_package || is_command || is_target || is_recipe
    };
    lines(output).find(|line| said(line.trim())).map(|line| line.trim().to_owned())
}

fn is_python(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    name.strip_prefix("python")
        .is_some_and(|rest| rest.chars().all(|each| each.is_ascii_digit() || each == '.'))
}

/// In the interpreter's own form: what a test cannot import is quoted, and stands behind an exception's name.
fn is_missing_module(line: &str, module: &str) -> bool {
    let Some((program, rest)) = line.split_once(": No module named ") else { return false };
    let is_it = rest == module || rest.strip_prefix(module).is_some_and(|rest| rest.starts_with(".__main__"));
    is_python(program) && is_it
}

#[cfg(test)]
mod tests {
    //! As the programs say it, and as tests do.

    use super::*;

    #[track_caller]
    fn check(command: &str, output: &str, is_missing: bool) {
        assert_eq!(missing_runner(command, output.as_bytes()).is_some(), is_missing, "{command}: {output}");
    }

    #[test]
    fn a_runner_that_is_not_installed_is_told_from_a_red_test() {
        check("python3 -m pytest -q", "/usr/bin/python3: No module named pytest\n", true);
        check(".venv/bin/python -m pytest", "/work/x/.venv/bin/python: No module named pytest\n", true);
        check(
            "uv run pytest",
            "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory\n",
            true,
        );
        check(
            "uv run --with httpx -- pytest -q",
            "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory\n",
            true,
        );
        check("poetry run pytest", "Command not found: pytest\n", true);
        check(
            "bundle exec rspec",
            "bundler: command not found: rspec\nInstall missing gem executables\n",
            true,
        );
        check("npm run lint", "npm error Missing script: \"lint\"\nnpm error\n", true);
        let npx = "npm error npx canceled due to missing packages and no YES option: [\"tsc@2.0.4\"]\n";
        check("npx --no-install tsc --noEmit", npx, true);
        let django = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'django'\n";
        check("python manage.py test", django, true);
        check("cargo nextest run", "error: no such command: `nextest`\n", true);
        check("make test", "make: *** No rule to make target 'test'.  Stop.\n", true);
        check("just test", "error: Justfile does not contain recipe `test`\n", true);
    }

    #[test]
    fn a_test_that_fails_to_import_or_a_rule_that_lacks_a_file_is_red() {
        check("python3 -m pytest", "E   ModuleNotFoundError: No module named 'shop'\n", false);
        check("python3 -m pytest", "/usr/bin/python3: No module named shop\n", false);
        check("sh check.sh", "/usr/bin/python3: No module named pytest\n", false);
        check("make test", "make: *** No rule to make target 'main.c', needed by 'main.o'.  Stop.\n", false);
        check("npm test", "1 failing\n", false);
        check("python manage.py test", "ModuleNotFoundError: No module named 'shop'\n", false);
    }
}
