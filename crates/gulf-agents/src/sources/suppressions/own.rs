//! Marks of a project's own linter: words that it looks for in a source so as to let a line pass.

use super::super::graft::Changed;
use super::{places, unpaired};

/// A shorter word stands in many comments.
const LETTERS_MIN: usize = 4;

/// Comments that a change adds to its sources, with words that a check's program holds as a text: for each file that has one,
/// the mark as it stands there, and the line. One that was only moved is none.
pub fn own_marks<'path>(
    files: &[(&'path str, &Changed)],
    programs: &[(&str, String)],
) -> Vec<(&'path str, String, usize)> {
    let comments = |path: &'path str, side: &Option<Vec<u8>>| {
        let text = String::from_utf8_lossy(side.as_deref().unwrap_or_default()).into_owned();
        let lines = places::lines(path, &text).into_iter().zip(1..);
        lines.map(|(line, number)| (path, line.comment, number)).collect::<Vec<_>>()
    };
    let (mut gone, mut added) = (Vec::new(), Vec::new());
    for (path, file) in files {
        let (base, now) = (comments(path, &file.base), comments(path, &file.candidate));
        let [own_gone, own_added] = unpaired(base, now, |(_, comment, _)| comment.clone());
        gone.extend(own_gone);
        added.extend(own_added);
    }
    let [_, added] = unpaired(gone, added, |(_, comment, _)| comment.clone());
    let of_file = |comments: &[(&'path str, String, usize)]| {
        let path = comments[0].0;
        let marks = marks(path, programs);
        let mark =
            |comment: &str| marks.iter().find(|mark| is_in(comment, mark)).map(|mark| (*mark).to_owned());
        comments.iter().find_map(|(_, comment, line)| Some((path, mark(comment)?, *line)))
    };
    added.chunk_by(|one, other| one.0 == other.0).filter_map(of_file).collect()
}

/// What programs that look at such a file may look for in it.
fn marks<'text>(path: &str, programs: &'text [(&str, String)]) -> Vec<&'text str> {
    let Some((_, ending)) = path.rsplit_once('.') else { return Vec::new() };
    let ending = format!(".{ending}");
    let folder = path.split_once('/').map_or(".", |(folder, _)| folder);
    let goes_there = |text: &str| quoted(text).any(|words| words.split('/').any(|part| part == folder));
    let is_looking = |text: &str| text.contains(&ending) || goes_there(text);
    let looking = programs.iter().filter(|(program, text)| *program != path && is_looking(text));
    looking.flat_map(|(_, text)| quoted(text)).filter(|text| may_be_mark(text)).collect()
}

/// What stands between two signs of one kind in a line.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let within = |line| ['"', '\'', '`', '/'].map(|sign| str::split(line, sign).skip(1).step_by(2));
    text.lines().flat_map(within).flatten().map(str::trim)
}

fn may_be_mark(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric();
    text.chars().filter(|letter| is_letter(*letter)).count() >= LETTERS_MIN
        && text.chars().all(|letter| is_letter(letter) || "-:_@# ".contains(letter))
        && !text.starts_with('-')
}

/// Joined words (`long-ok`, `lint: long`) count within others, a plain one where the comment has no other.
fn is_in(comment: &str, mark: &str) -> bool {
    let compact = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
    let mark = compact(&mark.to_lowercase());
    let is_joined = mark.trim_matches(['#', '@', ':', '_']).contains(['-', ':', '_', '@']);
    let body = comment.trim_matches(|letter: char| !letter.is_alphanumeric());
    (is_joined && comment.contains(&mark))
        || body == mark.trim_matches(|letter: char| !letter.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(program: &str, base: &str, now: &str, mark: Option<(&str, usize)>) {
        let side = |text: &str| Some(text.as_bytes().to_vec());
        let file = Changed { base: side(base), candidate: side(now) };
        let found = own_marks(&[("shop/a.py", &file)], &[("tools/lint.py", program.to_owned())]);
        let found: Vec<(&str, usize)> = found.iter().map(|(_, mark, line)| (mark.as_str(), *line)).collect();
        assert_eq!(found, Vec::from_iter(mark), "{now}");
        // The same in another file, where it was taken from.
        let from = Changed { base: side(now), candidate: None };
        let moved = own_marks(
            &[("shop/a.py", &file), ("shop/b.py", &from)],
            &[("tools/lint.py", program.to_owned())],
        );
        assert!(moved.is_empty(), "{moved:?}");
    }

    #[test]
    fn a_comment_that_the_projects_own_linter_looks_for_is_a_mark() {
        let lint = "for path in Path('shop').glob('*.py'):\n    if 'long-ok' not in line and \"lint: long\" not in line and not re.search('quiet', line):\n";
        let base = "x = 1\ny = 2  # long-ok\n";
        check(lint, base, "x = 1  # long-ok\ny = 2  # long-ok\n", Some(("long-ok", 2)));
        check(lint, base, "x = 1  # LINT:long, see below\n", Some(("lint: long", 1)));
        check(lint, base, "x = 1  # quiet\n", Some(("quiet", 1)));
        check(lint, base, "z = 3\ny = 2  # long-ok\n", None);
        check(lint, base, "# the shop is quiet today\nx = 'long-ok'\n", None);
        check(
            "for f in os.listdir('shop'): 'long-ok' in line",
            base,
            "x = 1  # long-ok\ny = 2  # long-ok\n",
            Some(("long-ok", 2)),
        );
        check("if '*.js' in path and 'long-ok' in line", base, "x = 1  # long-ok\ny = 2  # long-ok\n", None);
        check("glob('*.py'); parser.add_argument('--dry-run')", base, "x = 1  # --dry-run\n", None);
    }
}
