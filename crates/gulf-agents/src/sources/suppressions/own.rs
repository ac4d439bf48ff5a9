//! Marks of a project's own linter: words that it looks for in a source so as to let a line pass.

use super::super::graft::Changed;
use super::places;

/// A shorter word stands in many comments.
const LETTERS_MIN: usize = 4;

/// A comment that a change adds to a source, with words that a check's program holds as a text: the mark as it stands there, and
/// the line.
pub fn own_mark(path: &str, file: &Changed, programs: &[(&str, String)]) -> Option<(String, usize)> {
    let ending = format!(".{}", path.rsplit_once('.')?.1);
    let folder = path.split_once('/').map_or(".", |(folder, _)| folder);
    let goes_there = |text: &str| quoted(text).any(|words| words.split('/').any(|part| part == folder));
    let is_looking = |text: &str| text.contains(&ending) || goes_there(text);
    let looking = programs.iter().filter(|(program, text)| *program != path && is_looking(text));
    let marks: Vec<&str> =
        looking.flat_map(|(_, text)| quoted(text)).filter(|text| may_be_mark(text)).collect();
    if marks.is_empty() {
        return None;
    }
    let comments = |side: &Option<Vec<u8>>| -> Vec<String> {
        let text = String::from_utf8_lossy(side.as_deref().unwrap_or_default()).into_owned();
        places::lines(path, &text).into_iter().map(|line| line.comment).collect()
    };
    let mut of_base = comments(&file.base);
    comments(&file.candidate).into_iter().enumerate().find_map(|(at, comment)| {
        if let Some(old) = of_base.iter().position(|old| *old == comment) {
            of_base.swap_remove(old);
            return None;
        }
        let mark = marks.iter().find(|mark| is_in(&comment, mark))?;
        Some(((*mark).to_owned(), at + 1))
    })
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
        let found = own_mark("shop/a.py", &file, &[("tools/lint.py", program.to_owned())]);
        assert_eq!(found, mark.map(|(mark, line)| (mark.to_owned(), line)), "{now}");
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
