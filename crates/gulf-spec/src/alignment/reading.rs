//! One pass over the lines of a gulf-align.md: sections, parts, handoffs.
//!
//! Apart from what a question comes to (`questions`) and from the lists of words (`words`) because this is grammar:
//! which line belongs to what. In doubt a line belongs to the questions.

use super::words::{
    Label, Part, is_nothing, is_placeholder, is_settled, label, numbers_a_question, part_of, section_names,
    section_of,
};
use super::{Alignment, AlignmentProblem, Handoff, QuestionDraft, Section, headline};
use crate::markdown::{Heading, MarkdownBlock, bullet, code_spans, fence, heading, indent, without_comments};
use crate::problem::{keep, nearest};
use crate::rubric::Item;
use crate::text::{Line, Source, Span, lines};

/// A heading of a deeper level opens no section.
const SECTION_LEVEL_MAX: usize = 3;
/// Everything up to the next heading belongs to a question that is one.
const HEADING_DEPTH: usize = 0;
/// A part's name without a colon has no more words.
const NAME_WORDS_MAX: usize = 3;

/// Reads all of it.
pub(super) fn read(source: &Source, alignment: &mut Alignment) {
    let mut pass = AlignmentPass {
        source,
        alignment,
        place: Place::Elsewhere,
        level: 0,
        part: None,
        question: None,
        block: MarkdownBlock::Plain,
        paragraph: false,
        continued: false,
        seen: Vec::new(),
        questions_named: false,
    };
    for line in lines(source.text()) {
        pass.line(line);
    }
    pass.end();
}

struct AlignmentPass<'s> {
    source: &'s Source,
    alignment: &'s mut Alignment,
    place: Place,
    /// The level of the heading that opened the section.
    level: usize,
    part: Option<Opened>,
    question: Option<QuestionDraft>,
    block: MarkdownBlock,
    /// The line before said something, so that this one may go on with it.
    paragraph: bool,
    /// The command of the line before goes on in this one.
    continued: bool,
    /// Sections by heading, whether they say something or not.
    seen: Vec<(Section, Span)>,
    questions_named: bool,
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Elsewhere,
    Section(Section),
    /// Of the alignment's last handoff, or dropped with a heading that is none.
    Handoff {
        is_kept: bool,
    },
}

/// A part, and what opened it.
#[derive(Clone, Copy)]
struct Opened {
    part: Part,
    by: Opener,
    /// Nothing stood beside the label, so what follows at the same indentation may be meant by it.
    bare: bool,
    /// A table of questions was told of.
    tabled: bool,
}

#[derive(Clone, Copy)]
enum Opener {
    Heading(usize),
    Bullet(usize),
    Paragraph,
}

impl AlignmentPass<'_> {
    fn line(&mut self, line: Line<'_>) {
        let heading = heading(line.text);
        if let Some(rest) = heading.as_ref().and_then(behind_headline) {
            return self.handoff(rest, line);
        }
        if let Place::Handoff { is_kept } = self.place {
            let leaves = heading.as_ref().is_some_and(|heading| {
                heading.level <= SECTION_LEVEL_MAX
                    && (section_of(heading.title).is_some()
                        || part_of(heading.title, None) == Some(Part::Questions))
            });
            if leaves {
                (self.place, self.level) = (Place::Elsewhere, 0);
            } else {
                if let Some(handoff) = self.alignment.handoffs.last_mut().filter(|_| is_kept) {
                    handoff.text.push_str(line.text);
                    handoff.text.push('\n');
                }
                return;
            }
        }
        match self.block {
            MarkdownBlock::Comment { .. } => self.block = self.block.after(line.text),
            MarkdownBlock::Code { .. } => self.code(line),
            MarkdownBlock::Plain => match heading {
                Some(heading) => self.heading(&heading, line),
                None => self.plain_line(line),
            },
        }
    }

    fn handoff(&mut self, rest: &str, line: Line<'_>) {
        self.close_block();
        self.close_part();
        let read = headline(rest);
        self.place = Place::Handoff { is_kept: read.is_some() };
        match read {
            Some((at, iteration)) => {
                self.alignment.handoffs.push(Handoff { at, iteration, text: String::new() });
            }
            None => self.problem(AlignmentProblem::HandoffHeading, line.span),
        }
    }

    fn code(&mut self, line: Line<'_>) {
        let before = self.block;
        self.block = before.after(line.text);
        if matches!(self.block, MarkdownBlock::Plain) {
            return;
        }
        self.says_something();
        let command = line.text.trim();
        let command = command.strip_prefix("$ ").unwrap_or(command).trim();
        let goes_on = std::mem::replace(&mut self.continued, command.ends_with('\\'));
        if self.part() != Some(Part::Checks) || command.is_empty() || command.starts_with('#') || goes_on {
            return;
        }
        if self.continued {
            self.problem(AlignmentProblem::CheckContinued, line.span);
        } else {
            self.offer(command, line);
        }
    }

    fn heading(&mut self, heading: &Heading<'_>, line: Line<'_>) {
        let Heading { level, title } = *heading;
        let found = label(title).or_else(|| known_label(title, self.section()));
        let (name, rest) = found.map_or((title, ""), |label| (label.name, label.rest));
        if let Some(part) = part_of(name, self.section()) {
            if level <= self.level {
                self.place = Place::Elsewhere;
            }
            return self.open(part, Opener::Heading(level), rest, line);
        }
        if let Some(section) = section_of(title).filter(|_| level <= SECTION_LEVEL_MAX) {
            self.close_part();
            (self.place, self.level) = (Place::Section(section), level);
            return self.seen.push((section, line.span));
        }
        if level <= self.level || self.section().is_none() {
            self.close_part();
            self.place = Place::Elsewhere;
            return self.look_for_near_miss(heading, line);
        }
        match self.part {
            Some(Opened { part: Part::Questions, by: Opener::Heading(above), .. }) if level > above => {
                if is_settled(title) {
                    self.open(Part::Settled, Opener::Heading(level), "", line);
                } else if title.contains(['?', '？']) {
                    self.ask_at(title, HEADING_DEPTH, line);
                }
            }
            Some(_) | None => self.close_part(),
        }
    }

    fn look_for_near_miss(&mut self, heading: &Heading<'_>, line: Line<'_>) {
        let title = heading.title.to_lowercase();
        let expected = nearest(&title, section_names()).and_then(section_of);
        if let Some(expected) = expected.filter(|_| heading.level <= SECTION_LEVEL_MAX) {
            let found = line.text.trim().to_owned();
            self.problem(AlignmentProblem::NearMissHeading { found, expected }, line.span);
        }
    }

    fn plain_line(&mut self, line: Line<'_>) {
        let (visible, stays_open) = without_comments(line.text);
        if stays_open {
            self.block = MarkdownBlock::Comment { opened: line.span };
        }
        let text = visible.trim();
        if text.is_empty() {
            self.paragraph &= !line.text.trim().is_empty();
            return;
        }
        if let Some((fence, length)) = fence(text) {
            self.block = MarkdownBlock::Code { opened: line.span, fence, length };
            self.continued = false;
            return;
        }
        // A remark in italics explains the heading above it.
        let is_remark = bullet(&visible).is_none() && italic(text) && !text.contains(['?', '？']);
        if !is_remark {
            self.content(&visible, line);
            self.paragraph = true;
        }
    }

    /// A line that says something: a label, an item, or words.
    fn content(&mut self, visible: &str, line: Line<'_>) {
        let item = bullet(visible);
        let text = item.as_ref().map_or(visible.trim(), |item| item.text);
        let at = item.as_ref().map_or(indent(visible), |item| item.indent);
        let found = label(text).or_else(|| known_label(text, self.section()));
        if let Some(Label { name, rest }) = &found
            && let Some(part) = part_of(name, self.section())
        {
            let by = if item.is_some() { Opener::Bullet(at) } else { Opener::Paragraph };
            return self.open(part, by, rest, line);
        }
        if text.chars().any(char::is_alphanumeric) {
            self.says_something();
        }
        if self.is_beside(found.as_ref(), item.is_some(), at, text) {
            self.close_part();
        }
        match self.part() {
            Some(Part::Questions) => self.question(text, item.is_some(), at, line),
            Some(Part::Checks) => self.commands(text, line),
            Some(Part::Settled | Part::Other) | None => {}
        }
    }

    /// Whether a line with or without a label stands beside the part's own label, and so ends the part.
    fn is_beside(&self, label: Option<&Label<'_>>, is_item: bool, at: usize, text: &str) -> bool {
        let Some(opened) = self.part else { return false };
        let asks = text.contains(['?', '？']);
        let names_other = label.is_some_and(|label| !numbers_a_question(label.name)) && !asks;
        match opened.by {
            Opener::Heading(_) => false,
            Opener::Paragraph => !is_item && names_other && !self.answers(text),
            Opener::Bullet(indent) if at > indent => false,
            Opener::Bullet(_) if !is_item => !self.paragraph,
            Opener::Bullet(_) => (names_other && !self.answers(text)) || !opened.bare,
        }
    }

    /// Whether a line answers the question before it.
    fn answers(&self, text: &str) -> bool {
        self.question.is_some() && super::words::answer_line(text, "").is_some()
    }

    fn open(&mut self, part: Part, by: Opener, rest: &str, line: Line<'_>) {
        self.close_part();
        self.questions_named |= part == Part::Questions;
        self.part = Some(Opened { part, by, bare: rest.is_empty(), tabled: false });
        if rest.is_empty() {
            return;
        }
        self.says_something();
        match part {
            Part::Questions => self.ask(rest, line),
            Part::Checks => self.commands(rest, line),
            Part::Settled | Part::Other if is_placeholder(rest) => {
                let label = label(bullet(line.text).map_or(line.text, |item| item.text));
                let label = label.map_or(String::new(), |label| label.name.to_owned());
                self.problem(AlignmentProblem::Placeholder { label }, line.span);
            }
            Part::Settled | Part::Other => {}
        }
    }

    fn question(&mut self, text: &str, is_item: bool, at: usize, line: Line<'_>) {
        if text.starts_with('|') {
            return self.row(text, line);
        }
        let depth = depth(at);
        let belongs = match &self.question {
            Some(_) if super::words::answer_line(text, "").is_some() => true,
            Some(draft) if is_item => depth > draft.depth,
            Some(draft) => self.paragraph || depth > draft.depth,
            None => false,
        };
        if let (true, Some(draft)) = (belongs, self.question.as_mut()) {
            return draft.take(text, line.span);
        }
        // A sentence that only leads to the questions asks nothing.
        if !is_item && text.ends_with([':', '：']) && !text.contains(['?', '？']) {
            return;
        }
        self.ask_at(text, depth, line);
    }

    fn row(&mut self, text: &str, line: Line<'_>) {
        self.settle_question();
        let is_rule = !text.chars().any(char::is_alphanumeric);
        let Some(opened) = self.part.as_mut().filter(|_| !is_rule) else { return };
        // The first row is the table's head.
        if !std::mem::replace(&mut opened.tabled, true) {
            return self.problem(AlignmentProblem::QuestionTable, line.span);
        }
        let cells: Vec<&str> = text.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        self.ask(&cells.join(" · "), line);
    }

    fn ask(&mut self, text: &str, line: Line<'_>) {
        self.ask_at(text, depth(indent(line.text)), line);
    }

    fn ask_at(&mut self, text: &str, depth: usize, line: Line<'_>) {
        self.settle_question();
        self.question = QuestionDraft::begin(text, line, depth);
    }

    fn settle_question(&mut self) {
        self.alignment.open_questions.extend(self.question.take().and_then(QuestionDraft::end));
    }

    /// The commands of a line: its first code span, and those that follow it in a list.
    fn commands(&mut self, text: &str, line: Line<'_>) {
        let spans = code_spans(text);
        let is_list = |before: &str| {
            let before = before.trim();
            before.chars().all(|character| ",;·/[]&+、".contains(character))
                || ["and", "및", "그리고"].contains(&before)
        };
        let commands = spans.iter().enumerate().take_while(|(at, span)| *at == 0 || is_list(span.before));
        let mut found = false;
        for (_, span) in commands.filter(|(_, span)| !span.text.is_empty()) {
            found = true;
            self.offer(span.text, line);
        }
        let leads_on = text.ends_with([':', '：']);
        if !found && !leads_on && !is_nothing(text) {
            self.problem(AlignmentProblem::CheckWithoutCommand, line.span);
        }
    }

    fn offer(&mut self, command: &str, line: Line<'_>) {
        if self.alignment.checks.iter().any(|check| check.text == command) {
            return;
        }
        let span = match line.text.find(command) {
            Some(at) => line.span_of(&line.text[at..at + command.len()]),
            None => line.span,
        };
        self.alignment.checks.push(Item { text: command.to_owned(), span, line: line.number });
    }

    fn says_something(&mut self) {
        if let Some(section) = self.section()
            && !self.alignment.sections.contains(&section)
        {
            self.alignment.sections.push(section);
        }
    }

    fn section(&self) -> Option<Section> {
        if let Place::Section(section) = self.place { Some(section) } else { None }
    }

    fn part(&self) -> Option<Part> {
        self.part.map(|opened| opened.part)
    }

    fn close_part(&mut self) {
        self.settle_question();
        self.part = None;
        self.paragraph = false;
    }

    fn close_block(&mut self) {
        let block = std::mem::replace(&mut self.block, MarkdownBlock::Plain);
        if let Some((mistake, opened)) = block.unclosed() {
            self.problem(AlignmentProblem::Unclosed(mistake), opened);
        }
    }

    fn end(&mut self) {
        self.close_block();
        self.close_part();
        for handoff in &mut self.alignment.handoffs {
            handoff.text = handoff.text.trim_matches('\n').trim_end().to_owned();
        }
        if self.seen.is_empty() && !self.questions_named && !self.alignment.handoffs.is_empty() {
            return self.problem(AlignmentProblem::OnlyHandoffs, Span::default());
        }
        for section in Section::ALL {
            let heading = self.seen.iter().find(|(seen, _)| *seen == section).map(|(_, span)| *span);
            match heading {
                None if self.is_nearly_there(section) => {}
                None => self.problem(AlignmentProblem::MissingSection { section }, Span::default()),
                Some(span) if self.alignment.sections.contains(&section) => {
                    self.look_for_parts(section, span);
                }
                Some(span) => self.problem(AlignmentProblem::EmptySection { section }, span),
            }
        }
    }

    /// Whether a misspelt heading was told of.
    fn is_nearly_there(&self, section: Section) -> bool {
        self.alignment.problems.iter().any(|located| {
            let problem = &located.problem;
            matches!(problem, AlignmentProblem::NearMissHeading { expected, .. } if *expected == section)
        })
    }

    /// What a section that says something should say besides.
    fn look_for_parts(&mut self, section: Section, span: Span) {
        match section {
            Section::Gaps if !self.questions_named => self.problem(AlignmentProblem::NoQuestions, span),
            Section::Evaluation if self.alignment.checks.is_empty() => {
                self.problem(AlignmentProblem::NoChecks, span);
            }
            Section::Specification | Section::Process | Section::Evaluation | Section::Gaps => {}
        }
    }

    fn problem(&mut self, problem: AlignmentProblem, span: Span) {
        keep(&mut self.alignment.problems, problem, self.source, span);
    }
}

/// How deep a line stands below a heading.
fn depth(indent: usize) -> usize {
    HEADING_DEPTH + 1 + indent
}

/// What stands behind the words with which a handoff's heading begins.
fn behind_headline<'t>(heading: &Heading<'t>) -> Option<&'t str> {
    let (words, rest) = heading.title.split_at_checked("loop completed".len())?;
    let is_headline = heading.level <= SECTION_LEVEL_MAX && words.eq_ignore_ascii_case("loop completed");
    is_headline.then_some(rest)
}

/// A label without a colon: nothing but the name of a part, or the name and what follows a dash.
fn known_label(text: &str, section: Option<Section>) -> Option<Label<'_>> {
    let split = [" — ", " – ", " - "].iter().find_map(|dash| text.split_once(dash));
    let (name, rest) = split.map_or((text, ""), |(name, rest)| (name.trim(), rest.trim()));
    let is_name = name.split_whitespace().count() <= NAME_WORDS_MAX && !name.contains(['?', '？', '`']);
    (is_name && part_of(name, section).is_some()).then_some(Label { name, rest })
}

fn italic(text: &str) -> bool {
    let inside = |mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    ['*', '_'].into_iter().any(|mark| inside(mark).is_some_and(|text| !text.starts_with(mark)))
}
