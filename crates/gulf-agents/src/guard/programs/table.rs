//! The programs that are known, and how each of them treats its arguments.
//!
//! It stands apart so that a program is added in one line.

/// How a program treats its arguments.
#[derive(Clone, Debug)]
pub(super) enum Habit {
    /// Writes nothing, but what it says may be known.
    Says,
    /// Runs the program behind its options and this many operands.
    Prefix(&'static [&'static str], usize),
    /// All operands are changed.
    Changes(Change, &'static [&'static str]),
    /// The operands are written if an option asks for it.
    InPlace(fn(&str) -> bool),
    /// The values of these options are written.
    Output(&'static [&'static str]),
    /// `dd`
    Disk,
    /// The last operand is written, or what lies in it by the names of the others.
    Copies(&'static [&'static str]),
    /// The same, and the others go.
    Moves,
    Patch,
    ApplyPatch,
    Git,
    Find,
    /// `xargs`
    EachLine,
    /// Changes what later commands mean, or runs text.
    Builtin,
    Shell,
    /// Runs code that stands behind one of these letters, or comes on stdin.
    Interpreter(&'static str),
    Awk,
}

/// What happens to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Writes,
    Removes,
    Mode,
    Edits,
}

/// The habit of a program, if it is known.
pub(super) fn habit(program: &str) -> Option<Habit> {
    Some(match program {
        "echo" | "printf" | "pwd" | "ls" | "cat" | "uniq" | "head" | "tail" | "grep" | "tr" | "realpath"
        | "readlink" => Habit::Says,
        "cd" | "pushd" | "popd" | "chdir" | "export" | "declare" | "local" | "readonly" | "typeset"
        | "unset" | "read" | "eval" | "trap" => Habit::Builtin,
        "rm" | "rmdir" | "unlink" | "trash" | "trash-put" | "del" => Habit::Changes(Change::Removes, &[]),
        "shred" => Habit::Changes(Change::Removes, &["-n", "-s", "--iterations", "--size"]),
        "tee" | "sponge" | "dos2unix" | "unix2dos" | "mdformat" => Habit::Changes(Change::Writes, &[]),
        "rename" | "prename" => Habit::Changes(Change::Writes, &["-e"]),
        "touch" => Habit::Changes(Change::Writes, &["-r", "-d", "-t", "--reference", "--date"]),
        "truncate" => Habit::Changes(Change::Writes, &["-s", "-r", "--size", "--reference"]),
        "chmod" | "chown" | "chgrp" | "chattr" => Habit::Changes(Change::Mode, &["--reference"]),
        "setfacl" | "setfattr" => Habit::Changes(Change::Mode, &["-m", "-x", "-n", "-v"]),
        "vi" | "vim" | "nvim" | "nano" | "pico" | "micro" | "joe" | "ed" | "ex" | "emacs" => {
            Habit::Changes(Change::Edits, &["-c", "-S", "-u", "--cmd", "--eval"])
        }
        "sed" | "gsed" => {
            Habit::InPlace(|option| letter_before(option, 'i', "efl") || is_long(option, "in-place"))
        }
        "yq" | "toml-sort" | "clang-format" => {
            Habit::InPlace(|option| letter_before(option, 'i', "") || is_long(option, "inplace"))
        }
        "gofmt" | "shfmt" | "prettier" => {
            Habit::InPlace(|option| letter_before(option, 'w', "") || is_long(option, "write"))
        }
        "markdownlint" | "markdownlint-cli2" => {
            Habit::InPlace(|option| letter_before(option, 'f', "") || is_long(option, "fix"))
        }
        "taplo" => Habit::InPlace(|option| matches!(option, "fmt" | "format")),
        "sort" | "shuf" => Habit::Output(&["-o", "--output"]),
        "curl" => Habit::Output(&["-o", "--output", "-D", "--dump-header"]),
        "wget" => Habit::Output(&["-O", "--output-document", "-o", "--output-file"]),
        "dd" => Habit::Disk,
        "cp" | "gcp" => Habit::Copies(&["-t", "--target-directory", "-S", "--suffix"]),
        "install" => {
            Habit::Copies(&["-t", "--target-directory", "-m", "-o", "-g", "--mode", "--owner", "--group"])
        }
        "ln" => Habit::Copies(&["-t", "--target-directory", "-S", "--suffix"]),
        "rsync" => {
            Habit::Copies(&["-e", "-f", "--exclude", "--include", "--filter", "--files-from", "--rsh"])
        }
        "scp" => Habit::Copies(&["-i", "-P", "-o", "-F", "-c", "-J", "-l", "-S"]),
        "mv" => Habit::Moves,
        "Remove-Item" | "Rename-Item" | "Move-Item" => Habit::Changes(Change::Removes, &["-NewName"]),
        "Set-Content" | "Add-Content" | "Clear-Content" | "Out-File" | "Tee-Object" => {
            Habit::Changes(Change::Writes, &["-Value", "-Encoding"])
        }
        "Copy-Item" => Habit::Copies(&["-Filter"]),
        "patch" => Habit::Patch,
        "apply_patch" | "applypatch" => Habit::ApplyPatch,
        "git" => Habit::Git,
        "find" => Habit::Find,
        "xargs" | "gxargs" => Habit::EachLine,
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "ash" => Habit::Shell,
        "awk" | "gawk" | "mawk" | "nawk" => Habit::Awk,
        _ => return prefix(program).or_else(|| interpreter(program)),
    })
}

fn prefix(program: &str) -> Option<Habit> {
    Some(match program {
        "sudo" | "doas" => {
            Habit::Prefix(&["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-r", "-t", "-T", "-U"], 0)
        }
        "env" => Habit::Prefix(&["-u", "-C", "-S", "--unset", "--chdir"], 0),
        "exec" => Habit::Prefix(&["-a"], 0),
        "time" => Habit::Prefix(&["-f", "-o", "--format", "--output"], 0),
        "nice" => Habit::Prefix(&["-n", "--adjustment"], 0),
        "ionice" => Habit::Prefix(&["-c", "-n", "-p"], 0),
        "stdbuf" => Habit::Prefix(&["-i", "-o", "-e"], 0),
        "timeout" | "gtimeout" => Habit::Prefix(&["-s", "-k", "--signal", "--kill-after"], 1),
        "flock" => Habit::Prefix(&["-w", "-E", "--timeout"], 1),
        "npx" | "bunx" | "pnpx" | "uvx" | "pipx" => Habit::Prefix(&["-p", "--package"], 0),
        "uv" | "poetry" | "pdm" | "pipenv" | "rye" | "mise" | "pnpm" | "yarn" => Habit::Prefix(&[], 0),
        "command" | "builtin" | "nohup" | "setsid" | "busybox" | "unbuffer" | "caffeinate" | "chronic"
        | "noglob" | "nocorrect" => Habit::Prefix(&[], 0),
        _ => return None,
    })
}

/// `python3.12` is a `python`.
fn interpreter(program: &str) -> Option<Habit> {
    let family = program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    Some(Habit::Interpreter(match family {
        "python" | "pypy" => "c",
        "node" | "nodejs" | "bun" | "tsx" => "ep",
        "ruby" | "lua" | "rscript" | "osascript" | "elixir" => "e",
        "perl" => "eE",
        "php" => "r",
        "deno" => "",
        _ => return None,
    }))
}

/// The letter stands in a cluster of options, before one that takes the rest of it.
pub(super) fn letter_before(option: &str, letter: char, ends: &str) -> bool {
    let Some(cluster) = option.strip_prefix('-').filter(|cluster| !cluster.starts_with('-')) else {
        return false;
    };
    let reached = cluster.chars().take_while(|character| !ends.contains(*character));
    reached.into_iter().any(|character| character == letter)
}

fn is_long(option: &str, name: &str) -> bool {
    let Some(long) = option.strip_prefix("--") else { return false };
    long.split_once('=').map_or(long, |(long, _)| long) == name
}
