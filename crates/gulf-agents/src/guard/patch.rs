//! The paths that a patch names: the envelope that Codex and Copilot apply, and the diff that `patch` and git apply.
//!
//! It stands apart because a patch may come as a tool's input, as an argument or on stdin.

const HEADERS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

const DIFF_HEADERS: [&str; 4] = ["+++ ", "--- ", "rename to ", "rename from "];

/// What `apply_patch` would touch. A line of content begins with another character.
pub(super) fn paths_of_envelope(patch: &str) -> impl Iterator<Item = &str> {
    patch
        .lines()
        .filter_map(|line| HEADERS.iter().find_map(|header| line.strip_prefix(header)))
        .map(str::trim)
}

/// What `patch` or `git apply` would touch: each path as it stands, and without its first name.
pub(super) fn paths_of_diff(diff: &str) -> impl Iterator<Item = &str> {
    let paths =
        diff.lines().filter_map(|line| DIFF_HEADERS.iter().find_map(|header| line.strip_prefix(header)));
    paths.flat_map(|path| {
        let path = path.split('\t').next().unwrap_or(path).trim();
        let stripped = path.split_once('/').map(|(_, rest)| rest);
        [Some(path), stripped].into_iter().flatten()
    })
}
