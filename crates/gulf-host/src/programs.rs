//! Looks for programs and files without opening them.
//!
//! A start must be able to refuse within a moment what cannot work at all.

use std::env;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use walkdir::WalkDir;

/// Characters that make a word more than a plain name for a shell.
const SHELL_CHARACTERS: &str = "$`\"'\\*?[]{}()<>|&;=!~#";

/// Whether somebody may execute the file at this path.
pub fn is_executable(path: &Utf8Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.mode() & 0o111 != 0)
}

/// The program that a shell command would start first, if it is plainly named and plainly not there. A command that
/// cannot be judged by its first word is believed.
pub fn missing_program(command: &str, directory: &Utf8Path) -> Option<String> {
    let word = command.split_whitespace().next()?;
    if word.chars().any(|character| SHELL_CHARACTERS.contains(character)) || is_shell_word(word) {
        return None;
    }
    let found = if word.contains('/') { is_executable(&directory.join(word)) } else { find(word).is_some() };
    (!found).then(|| word.to_owned())
}

/// Does a program that is missing lie there all the same, only not executable?
pub fn is_plain_file(program: &str, directory: &Utf8Path) -> bool {
    program.contains('/') && directory.join(program).is_file()
}

/// The program that this name stands for on the PATH.
pub fn find(name: &str) -> Option<Utf8PathBuf> {
    let path = env::var_os("PATH")?;
    let folders = env::split_paths(&path).filter_map(|folder| Utf8PathBuf::from_path_buf(folder).ok());
    folders.map(|folder| folder.join(name)).find(|path| is_executable(path))
}

/// Can this Python import the module, as far as nothing of a project counts? A Python that cannot be asked has none.
pub fn has_python_module(python: &Utf8Path, module: &str) -> bool {
    // Outside of any project, so that no file there stands in for the module.
    let question = "import sys; sys.path = [path for path in sys.path if path]; \
                    from importlib.util import find_spec; sys.exit(find_spec(sys.argv[1]) is None)";
    let mut command = Command::new(python);
    command.args(["-c", question, module]).current_dir("/");
    let asked = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// The files below a directory, relative, with `/`, sorted by folder; hidden version control is not entered.
pub fn list(directory: &Utf8Path, depth_max: usize, files_max: usize) -> Vec<String> {
    let walk = WalkDir::new(directory).min_depth(1).max_depth(depth_max).sort_by_file_name();
    walk.into_iter()
        .filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != "node_modules")
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| Some(entry.path().strip_prefix(directory).ok()?.to_str()?.replace('\\', "/")))
        .take(files_max)
        .collect()
}

/// Makes `link` another name for a program, in place of what it was. It stays what it is when the original is replaced,
/// as an upgrade does under a loop that runs; where that cannot be, on another file system, and for a folder, it leads
/// to whatever has the name.
pub fn link(original: &Utf8Path, link: &Utf8Path) -> io::Result<()> {
    let file = |path: &Utf8Path| fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    let (wanted, stands) = (file(original), file(link));
    // Left as it is: whoever looks the program up in this very moment must find it.
    if stands.is_some() && (wanted.is_none() || wanted == stands) {
        return Ok(());
    }
    let staged = Utf8PathBuf::from(format!("{link}.{}", std::process::id()));
    // What a gulf of the same number left when it was killed here.
    let _ = fs::remove_file(&staged);
    fs::hard_link(original, &staged).or_else(|_| symlink(original, &staged))?;
    fs::rename(&staged, link)
}

/// Lets the file be executed by whoever may read it.
pub fn make_executable(path: &Utf8Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.mode();
    fs::set_permissions(path, Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

/// Words that a shell understands by itself.
fn is_shell_word(word: &str) -> bool {
    const WORDS: [&str; 60] = [
        ".", ":", "[", "[[", "alias", "bind", "break", "builtin", "caller", "case", "cd", "command",
        "continue", "declare", "dirs", "do", "done", "elif", "else", "enable", "esac", "eval", "exec",
        "exit", "export", "fi", "for", "function", "getopts", "hash", "if", "in", "let", "local", "mapfile",
        "popd", "pushd", "read", "readarray", "readonly", "return", "select", "set", "shift", "shopt",
        "source", "test", "then", "time", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias",
        "unset", "until", "wait", "while",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests;
