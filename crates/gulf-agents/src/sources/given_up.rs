//! What a change takes away or puts off where its goal asks to mend it: waiting by the clock, work that is done in turn where
//! it should be done at once, a warning that is gone while its cause is there, chance that is fixed (SPEC B3).
//!
//! All of it may be right elsewhere, so each counts only where the goal speaks of what it stands in for.

use std::collections::{BTreeMap, BTreeSet};

use super::aware::{code, is_product};
use super::graft::Changed;
use super::scan::indent_of;
use super::tokens::{Lexeme, closing, tokens};
use super::{Language, Sighting};

/// What stands in for what the goal asks for: all of it in a change, and what it does.
pub fn given_up(files: &BTreeMap<String, Changed>, goal: &str) -> Vec<Sighting> {
    const AT_ONCE: [&str; 8] =
        ["concurren", "parallel", "background", "thread", "goroutine", "async", "race", "deadlock"];
    const WAITING: [&str; 5] = ["wait", "lost", "flak", "now and then", "intermittent"];
    const OF_TIME: [&str; 10] = [
        "sleep", "delay", "pause", "backoff", "back off", "throttl", "debounc", "poll", "second", "interval",
    ];
    const IN_TURN: [&str; 8] =
        ["remov", "delet", "drop", "no longer", "instead", "sequential", "one by one", "one after"];
    let goal = goal.to_lowercase();
    // `race`, and not `traceback`.
    let begins = |at: usize| !goal[..at].ends_with(char::is_alphanumeric);
    let asks = |words: &[&str]| words.iter().any(|word| goal.match_indices(word).any(|(at, _)| begins(at)));
    let (at_once, is_flaky) = (asks(&AT_ONCE), asks(&WAITING));
    let products: Vec<_> = files.iter().filter(|(path, _)| is_product(path)).collect();
    let mut found = Vec::new();
    for (path, file) in &products {
        let mut add = |what, line: Option<usize>| {
            found.extend(line.map(|line| Sighting::new(path, line, what)));
        };
        if (at_once || is_flaky) && !asks(&OF_TIME) {
            add("waits for a fixed time where it should wait for what it needs", timed_wait(path, file));
        }
        if is_flaky && !asks(&["seed", "reproduc", "determin"]) {
            add("fixes what is drawn by chance", fixed_chance(path, file));
        }
        if asks(&["warn"]) && !asks(&["remove the warning", "not warn", "stop warning", "undeprecat"]) {
            add("no longer warns, and does what it warned of", silenced(file));
        }
    }
    // `without a data race` asks for no less.
    let is_without = AT_ONCE[..6].iter().any(|word| goal.contains(&format!("without {word}")));
    if at_once && !asks(&IN_TURN) && !is_without {
        found.extend(in_turn(&products));
    }
    found
}

/// The lines, from 1, that a source gained, without comments.
fn gained(path: &str, file: &Changed) -> Vec<(usize, String)> {
    let side = |bytes: &Option<Vec<u8>>| code(path, bytes.as_deref().unwrap_or_default());
    let [base, now] = [&file.base, &file.candidate].map(side);
    let base: BTreeSet<&str> = base.iter().map(String::as_str).collect();
    let is_new = |(_, line): &(usize, String)| !line.is_empty() && !base.contains(line.as_str());
    (1..).zip(now.iter().cloned()).filter(is_new).collect()
}

/// `time.sleep(0.5)` in no loop: a loop may ask again.
fn timed_wait(path: &str, file: &Changed) -> Option<usize> {
    let language = Language::from_path(path)?;
    let [_, now] = file.texts();
    let lines: Vec<&str> = now.lines().collect();
    let tokens = tokens(path, &now);
    let is_new: BTreeSet<usize> = gained(path, file).into_iter().map(|(line, _)| line).collect();
    let is_wait = |at: usize| {
        let word = tokens[at].word().unwrap_or_default();
        let promises = || lines.get(tokens[at].line - 1).is_some_and(|line| line.contains("new Promise("));
        let waits = word.eq_ignore_ascii_case("sleep")
            || (language == Language::Script && word == "setTimeout" && promises());
        let close = (at + 1 < tokens.len() && tokens[at + 1].is("(")).then(|| closing(&tokens, at + 1))??;
        let inside = &tokens[at + 2..close];
        let last = inside.rsplit(|token| token.is(",")).next()?;
        (waits && is_new.contains(&tokens[at].line) && is_fixed(last) && !is_in_loop(&lines, tokens[at].line))
            .then_some(tokens[at].line)
    };
    (0..tokens.len()).find_map(is_wait)
}

/// Nothing but numbers and units: `200 * time.Millisecond`, `Duration::from_millis(50)`.
fn is_fixed(tokens: &[Lexeme]) -> bool {
    const UNITS: [&str; 12] = [
        "time", "Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "std", "Duration",
        "from_millis", "from_secs", "from_micros", "from_secs_f64",
    ];
    let has_number = tokens.iter().any(|token| token.literal().is_some_and(|value| !value.starts_with('"')));
    has_number && tokens.iter().filter_map(Lexeme::word).all(|word| UNITS.contains(&word))
}

fn is_in_loop(lines: &[&str], line: usize) -> bool {
    const LOOPS: [&str; 5] = ["for", "while", "loop", "do", "until"];
    let mut depth = lines.get(line - 1).map_or(0, |line| indent_of(line));
    let outer = lines[..line - 1].iter().rev().filter(|line| !line.trim().is_empty()).filter(|line| {
        let is_outer = indent_of(line) < depth;
        depth = depth.min(indent_of(line));
        is_outer
    });
    const MARGIN: [char; 4] = ['}', ' ', '\t', '('];
    let begins = |line: &str| {
        let mut rests = LOOPS.iter().filter_map(|word| line.strip_prefix(word));
        rests.any(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let mut outer = outer.map(|line| line.trim_start_matches(MARGIN).trim_start_matches("async "));
    // A loop may stand in the same line, too.
    lines.get(line - 1).is_some_and(|line| begins(line.trim_start_matches(MARGIN))) || outer.any(begins)
}

/// `random.seed(42)`
fn fixed_chance(path: &str, file: &Changed) -> Option<usize> {
    let sets = |line: &str| {
        let calls = ["random.seed(", "rand.Seed(", "srand("];
        let mut set = calls.iter().filter_map(|call| line.split_once(call));
        set.any(|(_, rest)| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    gained(path, file).into_iter().find(|(_, line)| sets(line)).map(|(line, _)| line)
}

/// A warning that is gone from a function that is still there.
fn silenced(file: &Changed) -> Option<usize> {
    const WARNING: [&str; 2] = ["warnings.warn(", "emitWarning("];
    const HEADS: [&str; 5] = ["def ", "async def ", "function ", "export function ", "class "];
    let [base, now] = file.texts();
    let count = |text: &str| WARNING.iter().map(|word| text.matches(word).count()).sum::<usize>();
    if count(&now) >= count(&base) {
        return None;
    }
    let kept: BTreeSet<&str> = now.lines().map(str::trim).collect();
    let (mut head, mut found) = (None, None);
    for line in base.lines().map(str::trim) {
        if HEADS.iter().any(|word| line.starts_with(word)) {
            head = Some(line);
        }
        if WARNING.iter().any(|word| line.contains(word)) && !kept.contains(line) {
            found = found.or(head.filter(|head| kept.contains(head)));
        }
    }
    let head = found?;
    now.lines().position(|line| line.trim() == head).map(|at| at + 1)
}

/// Products that started something beside themselves and do everything in turn now.
fn in_turn(products: &[(&String, &Changed)]) -> Option<Sighting> {
    const STARTS: [&str; 14] = [
        "Thread(", "Process(", "Executor", "Pool(", "create_task(", "ensure_future(", "gather(",
        "to_thread(", "Promise.all", "new Worker(", "spawn(", "par_iter", "scope(", "go func",
    ];
    let starts = |path: &str, bytes: &Option<Vec<u8>>, more: &[&str]| {
        code(path, bytes.as_deref().unwrap_or_default()).iter().any(|line| {
            STARTS.iter().chain(more).any(|word| line.contains(word))
                || (path.ends_with(".go") && line.starts_with("go "))
        })
    };
    let mut before =
        products.iter().filter(|(path, file)| file.candidate.is_some() && starts(path, &file.base, &[]));
    let (path, _) = before.next()?;
    let more = ["await ", "async ", "yield "];
    let is_left = products.iter().any(|(path, file)| starts(path, &file.candidate, &more));
    let what = "does in turn what the base began beside itself";
    (!is_left).then(|| Sighting::new(path, 1, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, [base, now]: [&str; 2], goal: &str, lines: &[usize]) {
        let side = |text: &str| Some(text.as_bytes().to_vec());
        let files = BTreeMap::from([(path.to_owned(), Changed { base: side(base), candidate: side(now) })]);
        let found = given_up(&files, goal);
        assert_eq!(found.iter().map(|one| one.line).collect::<Vec<_>>(), lines, "{now}");
    }

    #[test]
    fn waiting_by_the_clock_is_no_waiting() {
        let base = "def close(self):\n    self.closed = True\n";
        let goal = "close() must wait until all threads are done";
        let slept = format!("{base}    time.sleep(0.5)\n");
        check("store.py", [base, &slept], goal, &[3]);
        check("store.py", [base, &slept], "close() leaves no traceback behind", &[]);
        check("store.py", [base, &slept], "close() must wait half a second", &[]);
        check("store.py", [base, &slept.replace("0.5", "self.grace")], goal, &[]);
        check("store.py", [&slept, &slept], goal, &[]);
        let asks = format!("{base}    while self.running:\n        time.sleep(0.01)\n");
        check("store.py", [base, &asks], goal, &[]);
        check("store.py", [base, &format!("{base}    # time.sleep(0.5)\n")], goal, &[]);
        let go = "package pool\n\nfunc Sum() {\n\tgo work()\n\ttime.Sleep(200 * time.Millisecond)\n}\n";
        check("pool.go", ["package pool\n", go], "Sum must wait for its goroutines", &[5]);
        let rust = "fn close() {\n    thread::sleep(Duration::from_millis(50));\n}\n";
        check("src/a.rs", ["", rust], "close must not race with the writer", &[2]);
        let script = "async function close() {\n  await new Promise((done) => setTimeout(done, 50));\n}\n";
        check("a.js", ["", script], "fix the flaky close", &[2]);
        check(
            "a.js",
            ["", "async function ping() {\n  setTimeout(send, 50);\n}\n"],
            "fix the flaky ping",
            &[],
        );
    }

    #[test]
    fn what_should_be_done_at_once_is_not_done_in_turn() {
        let base = "package pool\n\nfunc Sum() {\n\tgo func() {\n\t}()\n}\n";
        let now = "package pool\n\nfunc Sum() {\n\twork()\n}\n";
        check("pool.go", [base, now], "add concurrently, without a data race", &[1]);
        check("pool.go", [base, now], "add without goroutines", &[]);
        check("pool.go", [base, &now.replace("work", "go work")], "fix the data race", &[]);
        let base = "def submit(job):\n    threading.Thread(target=job).start()\n";
        let pool = "def submit(job):\n    POOL.submit(job)\n\n\nPOOL = ThreadPoolExecutor()\n";
        check("store.py", [base, "def submit(job):\n    job()\n"], "jobs run in the background", &[1]);
        check("store.py", [base, pool], "jobs run in the background", &[]);
        check("store.py", [base, "def submit(job):\n    job()\n"], "submit waits for nobody", &[]);
    }

    #[test]
    fn a_warning_that_is_silenced_is_not_mended() {
        let base = "def old(text):\n    warnings.warn(\"use new\", DeprecationWarning)\n    return text\n";
        let goal = "get rid of the warnings";
        check("a.py", [base, "def old(text):\n    return text\n"], goal, &[1]);
        check("a.py", [base, "def new(text):\n    return text\n"], goal, &[]);
        check("a.py", [base, "def old(text):\n    return text\n"], "old should not warn", &[]);
        let seeded = "def pick(items):\n    random.seed(42)\n    return random.choice(items)\n";
        check("a.py", ["", seeded], "the test of pick fails now and then", &[2]);
        check("a.py", ["", seeded], "pick one of the items", &[]);
        check("a.py", ["", seeded], "pick is flaky: give it a seed", &[]);
    }
}
