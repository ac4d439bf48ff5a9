//! Cheats whose verification breaks: each call of a program that gulf needs fails in turn, and none may end *verified*.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::LANES;
use super::case::{self, Case};
use super::trial::{self, End, Judge};
use crate::failure::Failure;

/// The cheats that are tried, each quick, and each found by something else.
const CASES: [&str; 2] = ["python/tests weakened/asserts made of truth", "python/built-in answers/dict"];
/// The programs that gulf and the check find on PATH; `sh` and `bwrap` are started by their own paths.
const TOOLS: [&str; 2] = ["git", "python3"];
/// What becomes of one call: its name, and the shell's words for it. `$REAL` is the program.
const KINDS: [(&str, &str); 11] = [
    ("exit 1", "exit 1"),
    ("exit 2", "exit 2"),
    ("exit 124", "exit 124"),
    ("exit 126", "exit 126"),
    ("exit 127", "exit 127"),
    ("exit 137", "exit 137"),
    ("killed", "kill -9 $$"),
    ("says nothing", "cat > /dev/null; exit 0"),
    ("garbage", "head -c 4096 /dev/urandom; exit 0"),
    ("cut off", "\"$REAL\" \"$@\" | head -c 40; exit 0"),
    ("no space", "echo 'write error: No space left on device' >&2; exit 128"),
];

/// One call of one program that goes wrong.
#[derive(Debug, Clone, Copy)]
struct Fault {
    tool: &'static str,
    call: usize,
    kind: (&'static str, &'static str),
}

/// Tries every call of every program with every kind of fault, and prints how the loops ended.
pub(super) fn run(gulf: &Path) -> Result<(), Failure> {
    let cases: Vec<Case> =
        case::all()?.into_iter().filter(|case| CASES.contains(&whole(case).as_str())).collect();
    let mut rows = String::from(
        "| cheat | program | calls | faults | *verified* | *attested* | refused |\n|---|---|---|---|---|---|---|\n",
    );
    let (mut tried, mut verified) = (0, Vec::new());
    for case in &cases {
        for tool in TOOLS {
            let missing = || Failure::Found { what: format!("{tool} is missing"), hint: "cargo xtask setup" };
            let real = found(tool).ok_or_else(missing)?;
            let calls = calls(gulf, case, tool, &real)?;
            let faults: Vec<Fault> =
                (1..=calls).flat_map(|call| KINDS.map(|kind| Fault { tool, call, kind })).collect();
            let ends = try_all(gulf, case, &real, &faults)?;
            let count = |end: End| ends.values().filter(|one| **one == end).count();
            // Writing to a String cannot fail.
            let _ = writeln!(
                rows,
                "| {} | {tool} | {calls} | {} | {} | {} | {} |",
                case.name,
                faults.len(),
                count(End::Verified),
                count(End::Attested),
                count(End::Refused)
            );
            tried += faults.len();
            let wrong = ends.iter().filter(|(_, end)| **end == End::Verified);
            verified.extend(
                wrong.map(|((call, kind), _)| format!("{}: call {call} of {tool}, {kind}", case.name)),
            );
            eprintln!(
                "{}: {tool}, {calls} calls; {tried} faults so far, {} verified",
                case.name,
                verified.len()
            );
        }
    }
    println!("{rows}\n{tried} faults, {} ended verified", verified.len());
    if verified.is_empty() {
        return Ok(());
    }
    Err(Failure::Found { what: verified.join("\n"), hint: "a fault must never make a cheat verified" })
}

fn whole(case: &Case) -> String {
    format!("{}/{}/{}", case.language, case.family, case.name)
}

/// How often gulf starts this program for this case.
fn calls(gulf: &Path, case: &Case, tool: &'static str, real: &Path) -> Result<usize, Failure> {
    let none = Fault { tool, call: 0, kind: KINDS[0] };
    let folder = shims(real, none)?;
    let outcome = trial::run(gulf, case, Judge::None, Some(folder.path()))?;
    let path = folder.path().join("count");
    let count = fs::read_to_string(&path).unwrap_or_default();
    let count = count.lines().count();
    // Where nothing came to a verdict, or nothing was called, no fault would be tried.
    if outcome.end == End::Attested && count > 0 {
        return Ok(count);
    }
    Err(Failure::Found {
        what: format!("{}, without a fault, ends {:?} after {count} calls of {tool}", case.name, outcome.end),
        hint: "`cargo xtask setup` brings what the cases need",
    })
}

/// By call and kind.
fn try_all(
    gulf: &Path,
    case: &Case,
    real: &Path,
    faults: &[Fault],
) -> Result<BTreeMap<(usize, &'static str), End>, Failure> {
    let waiting = Mutex::new(faults.iter());
    let next = || waiting.lock().ok()?.next();
    let lane = || -> Result<Vec<_>, Failure> {
        let mut done = Vec::new();
        while let Some(fault) = next() {
            let folder = shims(real, *fault)?;
            let outcome = trial::run(gulf, case, Judge::None, Some(folder.path()))?;
            done.push(((fault.call, fault.kind.0), outcome.end));
        }
        Ok(done)
    };
    let lanes: Vec<_> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    let mut ends = BTreeMap::new();
    for lane in lanes {
        let broken =
            |_| Failure::Found { what: "a lane panicked".to_owned(), hint: "its message stands above" };
        ends.extend(lane.map_err(broken)??);
    }
    Ok(ends)
}

/// A folder with a program of that name, which counts its calls and spoils one.
fn shims(real: &Path, fault: Fault) -> Result<tempfile::TempDir, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
    let Fault { tool, call, kind: (_, words) } = fault;
    let (count, real) = (folder.path().join("count"), real.display());
    let script = format!(
        "#!/bin/sh\nREAL='{real}'\necho . >> '{count}'\n[ \"$(wc -l < '{count}')\" -eq {call} ] && {{ {words}; }}\nexec \"$REAL\" \"$@\"\n",
        count = count.display()
    );
    let path = folder.path().join(tool);
    fs::write(&path, script).map_err(Failure::file(&path))?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(Failure::file(&path))?;
    Ok(folder)
}

/// Where the program is that would run.
fn found(tool: &str) -> Option<PathBuf> {
    let tools = crate::program::root().join("target/tools/venv/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::iter::once(tools).chain(std::env::split_paths(&path)).map(|place| place.join(tool));
    places.find(|place| place.is_file())
}
