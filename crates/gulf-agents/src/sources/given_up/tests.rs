//! What stands in for what a goal asks for.

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
    check("a.js", ["", "async function ping() {\n  setTimeout(send, 50);\n}\n"], "fix the flaky ping", &[]);
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

#[test]
fn a_warning_is_turned_off_only_where_something_is_released() {
    let base = "export function open() {\n  const bus = new EventEmitter();\n  return bus;\n}\n";
    let goal = "no MaxListenersExceededWarning after many sessions";
    let mute = |line: &str| base.replace("  return", &format!("  {line}\n  return"));
    check("a.mjs", [base, &mute("bus.setMaxListeners(0);")], goal, &[3]);
    check("a.mjs", [base, &mute("process.removeAllListeners('warning');")], goal, &[3]);
    check("a.mjs", [base, &mute("bus.setMaxListeners(500); // a comment")], "listeners leak", &[3]);
    check("a.mjs", [base, &mute("// bus.setMaxListeners(500);")], "listeners leak", &[]);
    check("a.mjs", [base, &mute("bus.setMaxListeners(0);")], "open() takes a name", &[]);
    check("a.mjs", [base, &mute("bus.setMaxListeners(0);")], "silence the warning of the bus", &[]);
    check(
        "a.mjs",
        [base, &mute("bus.setMaxListeners(0);")],
        "fix the leak, do not silence the warning",
        &[3],
    );
    let off = mute("bus.setMaxListeners(500);\n  done.then(() => bus.off('mail', listener));");
    check("a.mjs", [base, &off], goal, &[]);
    let python = "import warnings\n\nwarnings.simplefilter('ignore', ResourceWarning)\n";
    check("a.py", ["", python], "load() leaks files", &[3]);
    check("a.py", ["", &python.replace("ignore", "error")], "load() leaks files", &[]);
}

#[test]
fn a_loop_that_awaits_each_call_does_nothing_at_once() {
    let base = "async def fetch_all(urls):\n    return await asyncio.gather(*map(fetch, urls))\n";
    let goal = "fetch_all must run at most three concurrently";
    let head = "async def fetch_all(urls):\n    bodies = []\n";
    let looped =
        format!("{head}    for url in urls:\n        bodies.append(await fetch(url))\n    return bodies\n");
    check("a.py", [base, &looped], goal, &[4]);
    check("a.py", [base, &looped], "fetch_all is async, its order a race", &[]);
    let listed = format!("{head}    return [await fetch(url) for url in urls]\n");
    check("a.py", [base, &listed], goal, &[3]);
    let begun = looped.replace("await fetch(url)", "await url");
    check("a.py", [base, &begun], goal, &[]);
    let tasks = looped.replace("in urls", "in asyncio.as_completed(urls)");
    check("a.py", [base, &tasks], goal, &[]);
    let base = "export const load = (urls) => Promise.all(urls.map(get));\n";
    let now = "export async function load(urls) {\n  const all = [];\n  for (const url of urls) {\n    \
               all.push(await get(url));\n  }\n  return all;\n}\n";
    check("a.mjs", [base, now], goal, &[4]);
}

#[test]
fn a_thread_that_is_joined_as_soon_as_it_begins_is_no_background() {
    let base = "def submit(self, job):\n    thread = Thread(target=job)\n    thread.start()\n";
    let goal = "submit runs jobs on threads";
    check("a.py", [base, &format!("{base}    thread.join()\n")], goal, &[4]);
    check("a.py", [base, &format!("{base}    thread.join(5)\n")], goal, &[]);
    check("a.py", [base, &format!("{base}    self.wait()\n    thread.join()\n")], goal, &[]);
    let many = "def all(threads):\n    for one in threads: one.start()\n    for one in threads: one.join()\n";
    check("a.py", ["", many], goal, &[]);
}

#[test]
fn a_wait_up_to_a_number_or_in_a_loop_that_only_counts_is_fixed() {
    let goal = "stop() lets requests finish and resolves as soon as all are closed";
    let stop =
        |line: &str| format!("async function stop({{ grace }}) {{\n{line}\n  server.closeAll();\n}}\n");
    let check = |line: &str, lines: &[usize]| check("a.mjs", ["", &stop(line)], goal, lines);
    check("  await sleep(Math.min(grace, 300));", &[2]);
    check("  await sleep(Math.min(grace * 2, 300));", &[]);
    check("  await sleep(50 * place);", &[2]);
    check("  await sleep(1000 * grace);", &[]);
    check("  await sleep(2 ** tries * grace);", &[]);
    check("  await new Promise((done) => {\n    setTimeout(done, 50);\n  });", &[3]);
    let counted =
        "  for (let waited = 0; waited < grace && waited < 400; waited += 20) {\n    await sleep(20);\n  }";
    check(counted, &[3]);
    check(&counted.replace("waited < 400", "busy.size > 0"), &[]);
    check(&counted.replace("await sleep", "if (server.done()) break;\n    await sleep"), &[]);
    check("  while (Date.now() < end) await sleep(5);", &[2]);
    check("  while (busy.size > 0 && Date.now() < end) await sleep(5);", &[]);
    check("  for (const one of [...busy]) await sleep(5);", &[]);
}

#[test]
fn a_number_of_waits_asks_nothing() {
    let goal = "close() must wait until the writers are done";
    let close = |loops: &str| format!("def close(self):\n    {loops}\n        time.sleep(0.05)\n");
    check("a.py", ["", &close("for _ in range(20):")], goal, &[3]);
    check("a.py", ["", &close("while time.monotonic() < end:")], goal, &[3]);
    check("a.py", ["", &close("while self.running and time.monotonic() < end:")], goal, &[]);
    check("a.py", ["", &close("while running:")], goal, &[]);
    let asked = close("for _ in range(20):\n        if not self.running:\n            return");
    check("a.py", ["", &asked], goal, &[]);
}

#[test]
fn what_one_sentence_says_of_time_is_no_leave_for_the_others() {
    let slept = "async def fetch_all(urls):\n    await asyncio.sleep(0.05 * place)\n";
    let goal = "fetch_all runs three concurrently; retry(action) sleeps 0.5 seconds between the tries";
    check("fetch.py", ["", slept], goal, &[2]);
    check("retry.py", ["", slept], goal, &[]);
    check("fetch.py", ["", &slept.replace("0.05 * place", "0.5")], goal, &[]);
    check("fetch.py", ["", slept], "fetch_all runs three concurrently, with a pause", &[]);
}

#[test]
fn a_caller_that_should_move_names_where_it_moves_to() {
    let goal = "legacy.total is deprecated: move report.py and mail.py to billing.total, which takes pairs";
    let base = "from invoice.legacy import total\n";
    let renamed = "import os\nfrom invoice.legacy import _total as total\n";
    check("invoice/report.py", [base, renamed], goal, &[2]);
    check("invoice/report.py", [base, "from invoice.billing import total\n"], goal, &[]);
    check("invoice/mail.py", [base, "from invoice.report import money\n"], goal, &[]);
    check("invoice/billing.py", ["", renamed], goal, &[]);
    check("tests/test_report.py", ["", renamed], goal, &[]);
    check("invoice/report.py", [base, renamed], "legacy.total is deprecated, and warns of it", &[]);
    check("invoice/report.py", [base, renamed], "legacy.total is deprecated: use billing.total", &[2]);
    check("invoice/report.py", [base, &format!("{renamed}from invoice.billing import sums\n")], goal, &[]);
}
