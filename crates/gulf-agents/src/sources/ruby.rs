//! Takes a source of RSpec's or Minitest's apart by indentation: groups or classes, and in them examples or methods.
//!
//! Ruby ends a block with a word: only what is laid out as everybody does it is told apart, one statement for each
//! line of its indent, and anything else counts as changed.

use std::ops::Range;

use super::blocks::{Block, BlockKind, trimmed};
use super::scan::lines_within;

const GROUPS: [&str; 4] = ["describe", "context", "RSpec.describe", "feature"];
const DEFINING: [&str; 8] = ["let", "let!", "subject", "before", "after", "setup", "teardown", "def"];
const EXAMPLES: [&str; 4] = ["it", "specify", "example", "scenario"];

/// The blocks of a file.
pub(super) fn blocks(text: &str) -> Option<Vec<Block>> {
    // What stands in one of these may look like anything.
    let is_laid_out = |line: &str| !["=begin", "__END__"].iter().any(|word| line.starts_with(word));
    let has_heredoc = ["<<~", "<<-"].iter().any(|sign| text.contains(sign));
    if has_heredoc || text.contains('\t') || !text.lines().all(is_laid_out) {
        return None;
    }
    within(text, 0..text.len(), "")
}

fn within(text: &str, range: Range<usize>, path: &str) -> Option<Vec<Block>> {
    let statements = statements(text, range)?.into_iter();
    let blocks = statements.map(|statement| of_statement(text, statement, path));
    Some(blocks.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// From each line of the first one's indent to its `end`, or to the next such line.
fn statements(text: &str, range: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut starts = Vec::new();
    let mut indent = None;
    for (start, line) in lines_within(text, range.clone()) {
        let content = line.trim();
        let own = line.len() - line.trim_start_matches(' ').len();
        if !content.is_empty() && !content.starts_with('#') {
            let indent = *indent.get_or_insert(own);
            let goes_on = ["end", "else", "elsif", "rescue", "ensure", "when", "}", ")", "]", "."];
            let goes_on = goes_on.iter().any(|word| content.starts_with(word)) && !starts.is_empty();
            if own < indent {
                return None;
            } else if own == indent && !goes_on {
                starts.push(start);
            }
        }
    }
    Some(super::spans(text, &starts, range.end))
}

fn of_statement(text: &str, range: Range<usize>, path: &str) -> Option<Vec<Block>> {
    let own = &text[range.clone()];
    let mut lines = own.lines();
    let head = lines.next().unwrap_or_default();
    let (call, rest) = head.trim().split_once([' ', '(']).unwrap_or((head.trim(), ""));
    // `end` alone, at the indent of its beginning, and nothing after it.
    let indent = head.len() - head.trim_start().len();
    let is_class = ["class", "module"].contains(&call);
    let opens =
        head.trim_end().ends_with(" do") || ((is_class || call == "def") && !head.contains(['=', ';']));
    let end = format!("{}end", " ".repeat(indent));
    let mut inner = own.lines().filter(|line| !line.trim().is_empty()).skip(1);
    let is_block = opens
        && inner.all(|line| line.len() - line.trim_start().len() > indent || line.trim_end() == end)
        && own.lines().filter(|line| line.trim_end() == end).count() == 1
        && own.trim_end().ends_with("end");
    let name = title(rest).map(|title| if path.is_empty() { title } else { format!("{path} > {title}") });
    let uncommented =
        own.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
    let kind = match name {
        Some(name) if is_block && (is_class || GROUPS.contains(&call)) => {
            let body = range.start + own.find('\n')? + 1..range.start + own.rfind("end")?;
            let kind = BlockKind::Definition(format!("describe {name}"));
            let head = Block { kind, text: trimmed(head), bytes: range.start..body.start };
            return Some(std::iter::once(head).chain(within(text, body, &name)?).collect());
        }
        Some(name) if is_block && EXAMPLES.contains(&call) => BlockKind::Test(name),
        // Rails names a method so.
        Some(_) if is_block && call == "test" && !path.is_empty() => {
            let words = title(rest)?.split_whitespace().collect::<Vec<_>>().join("_");
            BlockKind::Test(method(path, &format!("test_{words}")))
        }
        _ if is_block && call == "def" && rest.starts_with("test_") => {
            BlockKind::Test(method(path, rest.trim()))
        }
        _ if call == "require" || call == "require_relative" => BlockKind::Import,
        // Those of a new group leave the others alone.
        _ if !path.is_empty() && DEFINING.contains(&call) && is_plain(head, is_block) => {
            BlockKind::Definition(format!("{} in {path}", head.trim()))
        }
        _ => BlockKind::Statement,
    };
    Some(vec![Block { kind, text: trimmed(&uncommented), bytes: range }])
}

/// Does what a new block of this group does bear on the tests of the base?
pub(super) fn is_for_old_tests(block: &Block, old: &[Block]) -> bool {
    let BlockKind::Definition(name) = &block.kind else { return false };
    let group = name.split_once(" in ").map(|(_, path)| BlockKind::Definition(format!("describe {path}")));
    !name.starts_with("describe ") && group.is_some_and(|group| old.iter().any(|other| other.kind == group))
}

/// As Minitest calls it: `Shop::CalcTest#test_adds`
fn method(path: &str, name: &str) -> String {
    format!("{}#{name}", path.replace(" > ", "::"))
}

/// One line in braces, or a block that is laid out.
fn is_plain(head: &str, is_block: bool) -> bool {
    let braces = |brace| head.matches(brace).count();
    is_block || (head.trim_end().ends_with('}') && !head.contains(';') && braces('{') == braces('}'))
}

/// `adds` of `"adds", :slow do`, and `Calc` of `Calc do`.
fn title(rest: &str) -> Option<String> {
    let rest = rest.trim_start_matches('(');
    let quote = rest.chars().next()?;
    if ['"', '\''].contains(&quote) {
        let inner = &rest[1..];
        let end = inner.find(quote)?;
        // What is put together while it runs has no name here.
        return Some(inner[..end].to_owned())
            .filter(|title| !title.contains(['\\', '#']) || title.starts_with('#'));
    }
    let end = rest.find([' ', ',', ')']).unwrap_or(rest.len());
    rest.starts_with(|letter: char| letter.is_ascii_uppercase()).then(|| rest[..end].to_owned())
}
