//! Reads Linux's /proc: who descends from whom, who carries which variable.
//!
//! These files are written by the kernel for other readers, change while they are read, and can vanish between two
//! lines: nothing here is an error, a process that cannot be read is a process that is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// One process, as of the moment of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: u32,
    pub(super) parent: u32,
    pub(super) session: u32,
    /// In clock ticks since the machine started; with the id it names one process for ever.
    pub(super) started: u64,
    /// Neither dead nor waiting to be reaped: no signal reaches what is.
    pub(super) is_alive: bool,
    /// The first of its threads has ended. Where others go on, what it was started with shows at these alone.
    has_lost_its_first: bool,
    /// A thread of the kernel: it has no program, and never gets one.
    is_kernels: bool,
}

/// What is to be seen of a variable that a process was started with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ShownVariable {
    Value(String),
    Unset,
    /// It is executing another program, or has just ended.
    NotYet,
}

pub(super) fn all() -> BTreeMap<u32, Process> {
    let mut processes = BTreeMap::new();
    each(|process| {
        processes.insert(process.id, process);
    });
    processes
}

/// Reads one process after the other, and shows each at once: a moment later it may be gone. For the same reason those
/// that were started last come first.
/// Says whether every one that was listed was still there when its turn came: else what it had started may be missing.
pub(super) fn each(mut see: impl FnMut(Process)) -> bool {
    let newest_before = newest();
    let Ok(entries) = fs::read_dir("/proc") else { return true };
    let mut ids: Vec<u32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let newest = newest();
    // They are listed as their numbers grow: where those began anew meanwhile, what has a small one was not listed.
    let mut is_complete = newest >= newest_before;
    ids.sort_unstable_by_key(|id| newest.wrapping_sub(*id));
    for id in ids {
        match read_process(id) {
            Some(process) => see(process),
            None => is_complete = false,
        }
    }
    is_complete
}

/// The number that was given last: the fifth word of /proc/loadavg.
fn newest() -> u32 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().nth(4).and_then(|id| id.parse().ok()).unwrap_or(u32::MAX)
}

pub(super) fn read_process(id: u32) -> Option<Process> {
    parse_stat(&fs::read(format!("/proc/{id}/stat")).ok()?)
}

/// Everything below these processes, without them.
pub(super) fn below(roots: &BTreeSet<u32>, processes: &BTreeMap<u32, Process>) -> BTreeSet<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for process in processes.values() {
        children.entry(process.parent).or_default().push(process.id);
    }
    let mut found = BTreeSet::new();
    let mut open: Vec<u32> = roots.iter().copied().collect();
    while let Some(parent) = open.pop() {
        for child in children.get(&parent).into_iter().flatten() {
            if !roots.contains(child) && found.insert(*child) {
                open.push(*child);
            }
        }
    }
    found
}

/// A variable as the process was given it when it started; what it set later does not show.
pub(crate) fn variable(id: u32, name: &str) -> Option<String> {
    value_in(&fs::read(format!("/proc/{id}/environ")).ok()?, name)
}

fn value_in(environment: &[u8], name: &str) -> Option<String> {
    let value = environment.split(|byte| *byte == 0).find_map(|entry| {
        let value = entry.strip_prefix(name.as_bytes())?;
        value.strip_prefix(b"=")
    })?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// The same, where it matters whether it can be known.
pub(super) fn shown(process: &Process, name: &str) -> ShownVariable {
    // What had none at the first look may have been executing its program, and be done with that by now.
    for _look in 0..2 {
        let environment = environment(process);
        if let Some(value) = value_in(&environment, name) {
            return ShownVariable::Value(value);
        }
        // What was read up to the end of its memory is cut.
        if !process.is_alive || !(environment.is_empty() || is_between(process)) {
            break;
        }
        if read_process(process.id) != Some(*process) || is_between(process) {
            return ShownVariable::NotYet;
        }
    }
    ShownVariable::Unset
}

fn environment(process: &Process) -> Vec<u8> {
    let read = |folder: PathBuf| fs::read(folder.join("environ")).unwrap_or_default();
    let folder = PathBuf::from(format!("/proc/{}", process.id));
    if !process.has_lost_its_first {
        return read(folder);
    }
    let threads = fs::read_dir(folder.join("task")).into_iter().flatten().flatten();
    threads.map(|thread| read(thread.path())).find(|environment| !environment.is_empty()).unwrap_or_default()
}

/// It has no arguments, as none is started: they are not there yet, or gone with its memory, a moment before its end.
fn is_between(process: &Process) -> bool {
    let arguments = fs::read(format!("/proc/{}/cmdline", process.id));
    !process.is_kernels && arguments.is_ok_and(|arguments| arguments.is_empty())
}

pub(super) fn command(id: u32) -> String {
    let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let words: Vec<_> = line.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
    words.join(" ").trim_end().to_owned()
}

/// The folder that a process stands in.
pub(super) fn directory(id: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{id}/cwd")).ok()
}

/// `PF_KTHREAD` among a process's flags.
const KERNEL_THREAD: u32 = 0x0020_0000;

/// `id (name) state parent group session …`, the flags as field 9, its threads as field 20, the start as field 22; the
/// name may hold anything, also `) R 1`.
fn parse_stat(line: &[u8]) -> Option<Process> {
    let line = String::from_utf8_lossy(line);
    let (id, rest) = line.split_once(' ')?;
    let (_name, rest) = rest.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let (state, threads) = (*fields.first()?, fields.get(17)?.parse::<u32>().ok()?);
    let has_lost_its_first = state == "Z";
    Some(Process {
        id: id.parse().ok()?,
        parent: fields.get(1)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
        is_alive: state != "X" && (!has_lost_its_first || threads > 1),
        has_lost_its_first,
        is_kernels: fields.get(6)?.parse::<u32>().ok()? & KERNEL_THREAD != 0,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use super::{Process, ShownVariable, parse_stat, read_process, shown};

    #[test]
    fn a_process_that_calls_itself_a_zombie_of_init_is_seen_through() {
        let line = b"42 (x) Z 1 1 1) S 7 42 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 12345 1 2\n";
        let process = Process {
            id: 42,
            parent: 7,
            session: 9,
            started: 12345,
            is_alive: true,
            has_lost_its_first: false,
            is_kernels: false,
        };
        assert_eq!(parse_stat(line), Some(process));
    }

    #[test]
    fn a_line_that_was_cut_is_no_process() {
        assert_eq!(parse_stat(b"42 (bash) S 7 42"), None);
        assert_eq!(parse_stat(b""), None);
    }

    /// The more memory it had, the longer it is there without it.
    #[test]
    fn what_is_about_to_end_is_not_taken_for_one_that_was_started_without_the_variable() {
        let script = "printf -v memory '%*s' 200000000 ''; echo; read -r";
        let mut child = Command::new("bash");
        child.args(["-c", script]).env("GULF_TEST_SHOWN", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        drop(child.stdin.take());
        let mut looks = 0;
        while let Some(process) = read_process(child.id()).filter(|process| process.is_alive) {
            assert_ne!(shown(&process, "GULF_TEST_SHOWN"), ShownVariable::Unset, "after {looks} looks");
            looks += 1;
        }
        assert!(looks > 0);
        child.wait().unwrap();
    }
}
