//! Which words open a section or a part, say that there is nothing, or give an answer, in English and in Korean.
//!
//! Apart because these lists are judgement, not grammar: what a person most probably meant. In doubt a question stays
//! open.

use super::Section;
use crate::progress::even;

/// A part of a section that is read line by line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Questions,
    Checks,
    /// Questions that were settled.
    Settled,
    Other,
}

/// `**Label**: rest` or `Label: rest`.
pub(super) struct Label<'t> {
    pub(super) name: &'t str,
    pub(super) rest: &'t str,
}

/// A longer text before a colon is a sentence.
const LABEL_CHARS_MAX: usize = 60;

const SPECIFICATION: [&str; 4] = ["specification alignment", "spec alignment", "specification", "명세 정렬"];
const PROCESS: [&str; 4] = ["process alignment", "process", "프로세스 정렬", "과정 정렬"];
const EVALUATION: [&str; 3] = ["evaluation alignment", "evaluation", "평가 정렬"];
const GAPS: [&str; 7] =
    ["gap check", "gulf of envisioning", "갭 체크", "갭 점검", "갭 확인", "간극 점검", "예지 정렬"];

const QUESTIONS: [&str; 6] =
    ["blocking question", "blocker question", "블로킹 질문", "차단 질문", "막는 질문", "선결 질문"];
const NOT_QUESTIONS: [&str; 6] =
    ["non-blocking", "nonblocking", "non blocking", "비블로킹", "비차단", "막지 않는"];
const CHECKS: [&str; 5] = ["machine check", "automated check", "기계 검사", "기계 검증", "자동 검사"];
const CHECKS_IN_EVALUATION: [&str; 4] = ["checks", "commands", "검사", "명령"];
const SETTLED: [&str; 8] =
    ["answered", "resolved", "closed", "settled", "해결", "해결됨", "답변 완료", "답변됨"];
const OTHERS: [&str; 25] = [
    "goal", "deliverables", "out of scope", "approach", "sequence", "stack assumptions", "behavioral checks",
    "behavioural checks", "manual checks", "edge cases", "capability gaps", "instruction gaps",
    "intentionality gaps", "목표", "산출물", "범위 밖", "접근법", "순서", "스택 가정", "동작 검사",
    "엣지케이스", "능력 갭", "지시 갭", "의도성 갭", "모호한 명세",
];

const NOTHING: [&str; 21] = [
    "none", "no", "nothing", "nil", "n/a", "na", "not applicable", "none open", "none remaining",
    "none left", "none at this time", "none for now", "no questions", "no open questions",
    "no blocking questions", "없음", "없습니다", "없다", "해당 없음", "해당없음", "현재 없음",
];
const ANSWERS: [&str; 6] = ["answer", "answered", "답", "답변", "resolution", "decision"];
/// Labels that are an answer only on a line of their own; within a sentence they are ordinary words.
const ANSWERS_ANYWHERE: [&str; 3] = ["answer", "답", "답변"];
const NO_ANSWERS: [&str; 9] =
    ["tbd", "todo", "pending", "unknown", "open", "unanswered", "미정", "보류", "모름"];

/// The section that a heading opens.
pub(super) fn section_of(title: &str) -> Option<Section> {
    let known = [
        (Section::Specification, SPECIFICATION.as_slice()),
        (Section::Process, PROCESS.as_slice()),
        (Section::Evaluation, EVALUATION.as_slice()),
        (Section::Gaps, GAPS.as_slice()),
    ];
    let parts: Vec<String> = title.split(['—', '–', '|', '/', ':', '：']).map(bare).collect();
    let said = |names: &[&str]| parts.iter().any(|part| names.contains(&part.as_str()));
    known.into_iter().find(|(_, names)| said(names)).map(|(section, _)| section)
}

/// The names of sections that a misspelt heading is compared with.
pub(super) fn section_names() -> impl Iterator<Item = &'static str> {
    [SPECIFICATION[0], PROCESS[0], EVALUATION[0], GAPS[0], GAPS[1]].into_iter()
}

/// The part that a label or heading opens.
pub(super) fn part_of(name: &str, section: Option<Section>) -> Option<Part> {
    let lower = name.to_lowercase();
    let name = bare(name);
    if QUESTIONS.iter().any(|word| name.contains(word)) {
        let is_other = NOT_QUESTIONS.iter().any(|word| lower.contains(word));
        return Some(if is_other { Part::Other } else { Part::Questions });
    }
    let in_evaluation = section == Some(Section::Evaluation) && CHECKS_IN_EVALUATION.contains(&name.as_str());
    if in_evaluation || CHECKS.iter().any(|word| name.contains(word)) {
        return Some(Part::Checks);
    }
    OTHERS.contains(&name.as_str()).then_some(Part::Other)
}

/// Whether a heading among the questions is that of the settled ones.
pub(super) fn is_settled(title: &str) -> bool {
    SETTLED.contains(&bare(title).as_str())
}

/// Whether a text says that there is nothing: `none`, `N/A — all resolved`, `(없음)`.
pub(super) fn is_nothing(text: &str) -> bool {
    let text = text.trim().trim_matches(['(', ')', '（', '）', '*', '_']);
    if text.contains(['?', '？']) {
        return false;
    }
    let head = text.split(['.', '—', '–', ',', ';', '(', ':', '。']).map(bare).find(|head| !head.is_empty());
    let said = [Some(bare(text)), head];
    !text.contains(char::is_alphanumeric)
        || said.into_iter().flatten().any(|said| NOTHING.contains(&said.as_str()))
}

/// The label that a line begins with.
pub(super) fn label(text: &str) -> Option<Label<'_>> {
    let colon = text.find([':', '：']);
    if let Some((name, after)) = emphasised(text) {
        let rest = after.trim_start().trim_start_matches([':', '：', '—', '–', '-']).trim();
        // `**word** in a sentence` is no label; `**Label**: rest`, `**Label:** rest` and `**Label**` alone are.
        let ends =
            after.trim_start().is_empty() || after.trim_start().starts_with([':', '：', '—', '–', '-']);
        if ends || name.trim_end().ends_with([':', '：']) {
            return Some(Label { name: name.trim().trim_end_matches([':', '：']), rest });
        }
    }
    let at = colon?;
    let (name, rest) = text.split_at(at);
    let rest = rest.trim_start_matches([':', '：']);
    let is_label = !name.is_empty()
        && name.chars().count() <= LABEL_CHARS_MAX
        && !name.contains(['`', '?', '？', '.'])
        && (rest.is_empty() || rest.starts_with([' ', '\t', '*', '_', '[', '`']) || !name.is_ascii());
    is_label.then(|| Label { name: name.trim(), rest: rest.trim_start_matches(['*', '_']).trim() })
}

/// The answer that a line of its own gives, blank where it gives none.
pub(super) fn answer_line<'t>(line: &'t str, question: &str) -> Option<&'t str> {
    let label = label(line)?;
    let name = bare(label.name);
    let paired = name == "a" && question.trim_start_matches(['*', '_']).starts_with(['Q', 'q']);
    (ANSWERS.contains(&name.as_str()) || paired).then_some(label.rest)
}

/// Splits `Which hash? Answer: argon2id`.
pub(super) fn split_answer(text: &str) -> Option<(&str, &str)> {
    for (colon, mark) in text.char_indices().filter(|(_, mark)| [':', '：'].contains(mark)) {
        let before = text[..colon].trim_end_matches(['*', '_']);
        let lower = before.to_lowercase();
        if lower.len() != before.len() {
            continue;
        }
        let Some(word) = ANSWERS_ANYWHERE.iter().find(|word| lower.ends_with(*word)) else { continue };
        let asked = before[..before.len() - word.len()].trim_end_matches(['*', '_', ' ', '\t', '(']);
        // "the correct answer: 4" is no answer, "… hash? Answer: 4" is.
        if asked.is_empty() || asked.ends_with(['?', '？', '.', '!', '—', '–', '-', '→', ')', ';']) {
            let answer = text[colon + mark.len_utf8()..].trim_matches(['*', '_', ' ', '\t']);
            return Some((asked.trim(), answer.strip_suffix(')').unwrap_or(answer)));
        }
    }
    None
}

/// Whether an answer answers.
pub(super) fn is_answer(text: &str) -> bool {
    let said = bare(text);
    !said.chars().all(|character| !character.is_alphanumeric())
        && !NO_ANSWERS.iter().any(|word| said == *word || said.starts_with(&format!("{word} ")))
        && !text.trim_end().ends_with(['?', '？'])
}

/// Whether a text is one of the template's `[what belongs here]`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let inside = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.is_some_and(|inside| inside.split_whitespace().count() >= 2 && !inside.contains(['`', '[', ']']))
}

/// Whether a label names a single question: `Q1`, `질문 2`.
pub(super) fn numbers_a_question(name: &str) -> bool {
    let name = bare(name);
    let rest = ["question", "q", "질문"].iter().find_map(|word| name.strip_prefix(word));
    rest.is_some_and(|rest| rest.trim().chars().all(|digit| digit.is_ascii_digit()))
}

/// `**bold** rest` or `__bold__ rest`, or with one mark.
fn emphasised(text: &str) -> Option<(&str, &str)> {
    for mark in ["**", "__", "*", "_"] {
        if let Some(inner) = text.strip_prefix(mark) {
            return inner.split_once(mark).filter(|(name, _)| !name.trim().is_empty());
        }
    }
    None
}

/// Words alone: lower case, without emphasis, brackets' content, numbering and punctuation around.
fn bare(text: &str) -> String {
    let mut words = String::new();
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            '*' | '_' | '`' | '~' => {}
            _ if depth == 0 => words.extend(character.to_lowercase()),
            _ => {}
        }
    }
    let edge = |character: char| !character.is_alphanumeric();
    let words = words.trim_matches(edge);
    let numbered = words.trim_start_matches(|character: char| character.is_ascii_digit());
    let words = if numbered.starts_with(['.', ')']) { numbered.trim_matches(edge) } else { words };
    even(words)
}
