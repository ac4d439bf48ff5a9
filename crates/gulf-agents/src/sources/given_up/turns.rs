//! Work that a change does in turn where the base began it beside itself.

use super::super::Sighting;
use super::super::aware::code;
use super::super::scan::is_word;
use super::Product;
use super::waits::is_in_loop;

const STARTS: [&str; 9] =
    ["Thread(", "Process(", "Executor", "Pool(", "new Worker(", "spawn(", "par_iter", "scope(", "go func"];
/// They begin what is awaited later.
const PROMISES: [&str; 8] = [
    "create_task(", "ensure_future(", "gather(", "to_thread(", "as_completed(", "asyncio.wait(",
    "Promise.all", "Promise.race",
];

/// Products that started something beside themselves and do everything in turn now.
pub(super) fn in_turn(products: &[Product<'_>]) -> Option<Sighting> {
    let all = [STARTS.as_slice(), &PROMISES, &["await ", "async ", "yield "]].concat();
    let product = began(products, &all[..all.len() - 3], &all).next()?;
    Some(Sighting::new(product.path, 1, "does in turn what the base began beside itself"))
}

/// `for url in urls: bodies.append(await fetch(url))` where the base gathered them.
pub(super) fn awaited_in_turn(products: &[Product<'_>]) -> Option<Sighting> {
    // What was begun before, `await task`, is no call.
    let calls = |line: &str| {
        let mut awaited = line.split("await ").skip(1);
        awaited.any(|rest| rest.trim_start_matches(|next| is_word(next) || next == '.').starts_with('('))
    };
    began(products, &PROMISES, &PROMISES).find_map(|Product { path, file, gained }| {
        let [_, now] = file.texts();
        let lines: Vec<&str> = now.lines().collect();
        let is_in_turn = |(number, line): &&(usize, String)| {
            calls(line) && (line.contains(" for ") || is_in_loop(&lines, *number))
        };
        let (number, _) = gained.iter().find(is_in_turn)?;
        Some(Sighting::new(path, *number, "awaits in turn what the base began at once"))
    })
}

/// `thread.start()`, and `thread.join()` as the next step.
pub(super) fn joined_at_once(products: &[Product<'_>]) -> Option<Sighting> {
    products.iter().find_map(|Product { path, file, gained }| {
        let lines = code(path, file.candidate.as_deref()?);
        let steps =
            (1..).zip(&lines).flat_map(|(number, line)| line.split(';').map(move |step| (number, step)));
        let mut started = None;
        for (number, step) in steps.filter(|(_, step)| !step.trim().is_empty()) {
            let is_joined = started.is_some_and(|name| step.trim().strip_suffix(".join()") == Some(name));
            if is_joined && gained.iter().any(|(line, _)| *line == number) {
                return Some(Sighting::new(path, number, "waits for a thread as soon as it begins"));
            }
            // Not `for thread in threads: thread.start()`, nor where one of many is started.
            started = step.trim().strip_suffix(".start()");
            started = started.filter(|name| name.chars().all(|letter| is_word(letter) || letter == '.'));
        }
        None
    })
}

/// The products that began something so in the base, where none of them has any of the others now.
fn began<'all>(
    products: &'all [Product<'all>],
    before: &'all [&str],
    now: &[&str],
) -> impl Iterator<Item = &'all Product<'all>> {
    let starts = |path: &str, bytes: &Option<Vec<u8>>, words: &[&str]| {
        code(path, bytes.as_deref().unwrap_or_default()).iter().any(|line| {
            words.iter().any(|word| line.contains(word)) || (path.ends_with(".go") && line.starts_with("go "))
        })
    };
    let is_left = products.iter().any(|product| starts(product.path, &product.file.candidate, now));
    let products = if is_left { &[] } else { products };
    products.iter().filter(move |Product { path, file, .. }| {
        file.candidate.is_some() && starts(path, &file.base, before)
    })
}
