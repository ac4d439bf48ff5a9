//! Commands in a comment of `## Checks`: the original ran them, here they do not run.
//!
//! Apart from the parser of RUBRIC.md because a comment is no mistake, and the one that `gulf init` writes is none at
//! all.

use super::{Finding, Rule, place, quoted};
use crate::markdown::{MarkdownBlock, bullet, fence, heading};
use crate::rubric::Section;
use crate::text::{Line, Source, lines};
use crate::texts::rubric_md;

/// Bullets in comments below `## Checks`, except those of the skeleton.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let skeleton = rubric_md();
    let mut findings = Vec::new();
    let mut in_checks = false;
    let mut block = MarkdownBlock::Plain;
    for line in lines(source.text()) {
        match block {
            MarkdownBlock::Comment { .. } => {
                if in_checks && !skeleton.lines().any(|known| known == line.text) {
                    findings.extend(command_of(line.text).map(|command| finding(source, line, command)));
                }
                block = block.after(line.text);
            }
            MarkdownBlock::Code { .. } => block = block.after(line.text),
            MarkdownBlock::Plain => {
                let text = line.text.trim();
                if let Some((fence, length)) = fence(text) {
                    block = MarkdownBlock::Code { opened: line.span, fence, length };
                } else if let Some(inside) = text.strip_prefix("<!--") {
                    let whole = inside.split_once("-->");
                    let command =
                        command_of(whole.map_or(inside, |(inside, _)| inside)).filter(|_| in_checks);
                    findings.extend(command.map(|command| finding(source, line, command)));
                    if whole.is_none() {
                        block = MarkdownBlock::Comment { opened: line.span };
                    }
                } else if let Some(heading) = heading(line.text).filter(|heading| heading.level == 2) {
                    let title = Section::Checks.heading().trim_start_matches(['#', ' ']);
                    in_checks = heading.title.eq_ignore_ascii_case(title);
                }
            }
        }
    }
    findings
}

fn command_of(text: &str) -> Option<&str> {
    let text = text.split_once("-->").map_or(text, |(before, _)| before);
    bullet(text).map(|item| item.text).filter(|command| !command.is_empty())
}

fn finding(source: &Source, line: Line<'_>, command: &str) -> Finding {
    Finding::warning(
        Rule::CommentedCheck,
        place(source, line.span_of(line.text.trim())),
        format!("`{}` is in a comment and is not run", quoted(command)),
        "move it out of the comment, or remove it",
    )
}
