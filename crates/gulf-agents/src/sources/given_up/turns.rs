//! Work that a change does in turn where the base began it beside itself.

use super::super::Sighting;
use super::super::aware::code;
use super::super::graft::Changed;

/// Products that started something beside themselves and do everything in turn now.
pub(super) fn in_turn(products: &[(&String, &Changed)]) -> Option<Sighting> {
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
