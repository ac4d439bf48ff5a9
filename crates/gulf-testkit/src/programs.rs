//! Where the programs are that tests run, and which part of the machine's PATH they may see.
//!
//! Nothing is built here: `cargo xtask ci` builds the binaries before the tests, and a test that does not find them
//! says so instead of testing something else.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};

/// The variables by which `cargo xtask ci` names what it has prepared.
const PYTEST_VARIABLE: &str = "GULF_TEST_PYTEST";
const CLAUDE_VARIABLE: &str = "GULF_TEST_CLAUDE";
const CODEX_VARIABLE: &str = "GULF_TEST_CODEX";
const COPILOT_VARIABLE: &str = "GULF_TEST_COPILOT";
const OPENCODE_VARIABLE: &str = "GULF_TEST_OPENCODE";
const GEMINI_VARIABLE: &str = "GULF_TEST_GEMINI";
const AXE_VARIABLE: &str = "GULF_TEST_AXE";
const CHROMIUM_VARIABLE: &str = "GULF_TEST_CHROMIUM";

/// Programs that a person would have, and where not even a clean environment goes without.
const ORDINARY: [&str; 6] = ["git", "bash", "sh", "node", "cc", "python3"];

/// The real gulf, beside the running test.
pub fn gulf() -> Utf8PathBuf {
    built("gulf")
}

/// The worker of the tests.
pub fn fake_agent() -> Utf8PathBuf {
    built("gulf-fake-agent")
}

/// A pytest, or a loud word that there is none; in CI that is a failure.
pub fn pytest() -> Option<Utf8PathBuf> {
    prepared("pytest", PYTEST_VARIABLE, "venv/bin/pytest")
}

/// The pinned Claude Code, or a loud word that there is none; in CI that is a failure.
pub fn claude() -> Option<Utf8PathBuf> {
    prepared("Claude Code", CLAUDE_VARIABLE, "agents/node_modules/.bin/claude")
}

/// The pinned Codex, or a loud word that there is none; in CI that is a failure.
pub fn codex() -> Option<Utf8PathBuf> {
    prepared("Codex", CODEX_VARIABLE, "agents/node_modules/.bin/codex")
}

/// The pinned Copilot CLI, or a loud word that there is none; in CI that is a failure.
pub fn copilot() -> Option<Utf8PathBuf> {
    prepared("Copilot CLI", COPILOT_VARIABLE, "agents/node_modules/.bin/copilot")
}

/// The pinned OpenCode, or a loud word that there is none; in CI that is a failure.
pub fn opencode() -> Option<Utf8PathBuf> {
    prepared("OpenCode", OPENCODE_VARIABLE, "agents/node_modules/.bin/opencode")
}

/// The pinned Gemini CLI, or a loud word that there is none; in CI that is a failure.
pub fn gemini() -> Option<Utf8PathBuf> {
    prepared("Gemini CLI", GEMINI_VARIABLE, "agents/node_modules/.bin/gemini")
}

/// The pinned script of axe-core, or a loud word that there is none; in CI that is a failure.
pub fn axe() -> Option<Utf8PathBuf> {
    prepared("axe-core", AXE_VARIABLE, "axe/node_modules/axe-core/axe.min.js")
}

/// Where `.ci/run` has installed what tests need of the system.
fn is_linux_ci() -> bool {
    is_ci() && cfg!(target_os = "linux")
}

/// A real browser, or a loud word that there is none; in CI that is a failure.
pub fn chromium() -> Option<Utf8PathBuf> {
    let named = env::var(CHROMIUM_VARIABLE).ok().map(Utf8PathBuf::from);
    let usual =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(Utf8PathBuf::from);
    let found = named.or_else(|| usual.into_iter().find(|usual| usual.is_file()));
    if found.is_none() {
        assert!(!is_linux_ci(), "nothing that can be installed is skipped in CI: chromium");
        skip(&format!(
            "{CHROMIUM_VARIABLE} is not set, and chromium is not installed: `apt-get install chromium`"
        ));
    }
    found
}

/// Can bubblewrap make namespaces here? A loud word where it cannot; in CI that is a failure.
pub fn bubblewrap() -> bool {
    let tried = Command::new("bwrap").args(["--unshare-all", "--ro-bind", "/", "/", "true"]).output();
    let can = tried.is_ok_and(|tried| tried.status.success());
    if !can {
        assert!(!is_linux_ci(), "nothing that can be installed is skipped in CI: bubblewrap");
        skip("bwrap is not installed, or cannot make namespaces");
    }
    can
}

/// Says aloud that something was not tested: what this machine cannot do, nobody can install.
pub fn skip(why: &str) {
    eprintln!("SKIPPED: {why}");
}

/// The root of our own repository.
pub fn repository_root() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// A word as the shell reads it.
pub fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The PATH of a sandbox: the folders of ordinary programs, and the toolchain's own programs, because rustup's
/// stand-ins look for the person's home.
pub(crate) fn search_path() -> String {
    static SEARCH_PATH: LazyLock<String> = LazyLock::new(|| {
        let mut folders: Vec<PathBuf> = toolchain().into_iter().collect();
        folders.extend(ORDINARY.iter().filter_map(|program| folder_of(program)));
        folders.extend(["/usr/bin", "/bin"].map(PathBuf::from));
        let mut distinct: Vec<PathBuf> = Vec::new();
        for folder in folders {
            if !distinct.contains(&folder) {
                distinct.push(folder);
            }
        }
        env::join_paths(distinct).unwrap().into_string().unwrap()
    });
    SEARCH_PATH.clone()
}

/// Named by a variable, or where `cargo xtask setup` puts it.
fn prepared(what: &str, variable: &str, place: &str) -> Option<Utf8PathBuf> {
    let named = env::var(variable).ok().map(Utf8PathBuf::from);
    let usual = repository_root().join("target/tools").join(place);
    let found = named.or_else(|| usual.is_file().then_some(usual));
    if found.is_none() {
        let why = format!("{variable} is not set; `cargo xtask setup` prepares {what}");
        assert!(!is_ci(), "nothing that can be installed is skipped in CI: {why}");
        skip(&why);
    }
    found
}

fn is_ci() -> bool {
    env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1")
}

fn built(name: &str) -> Utf8PathBuf {
    let test = Utf8PathBuf::from_path_buf(env::current_exe().unwrap()).unwrap();
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    // target/debug/deps/e2e-0123456789abcdef; gulf-fake-agent asks from target/debug itself.
    let path = test.ancestors().skip(1).take(2).map(|folder| folder.join(&file)).find(|path| path.is_file());
    path.unwrap_or_else(|| panic!("{file} is not built beside {test}\nhint: cargo build --workspace --bins"))
}

fn toolchain() -> Option<PathBuf> {
    if let Some(cargo) = env::var_os("CARGO") {
        return Path::new(&cargo).parent().map(Path::to_owned);
    }
    let asked = Command::new("rustc").args(["--print", "sysroot"]).current_dir(repository_root()).output();
    let sysroot = String::from_utf8(asked.ok()?.stdout).ok()?;
    Some(Path::new(sysroot.trim()).join("bin"))
}

/// The first folder of the PATH that has the program; stand-ins of pyenv are passed over, as those of rustup are.
fn folder_of(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .filter(|folder| !folder.ends_with("shims"))
        .find(|folder| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)).is_file())
}
