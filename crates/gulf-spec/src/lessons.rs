//! What a worker learnt on a task: for the dated log of the list, and for good in CLAUDE.md or AGENTS.md (SPEC R4).
//!
//! Apart because both are somebody else's texts: an entry is added, every other byte stays.

use crate::progress::even;

/// The heading under which lasting lessons stand.
const HEADING: &str = "Lessons Learned";
/// The first line of a log that is not there yet.
const LOG_TITLE: &str = "# RALPH Progress Log\n";
/// What an attempt is called in the log.
const ATTEMPT: [&str; 2] = ["attempt", "시도"];
/// A turn that names more has learnt nothing.
const NAMED_MAX: usize = 20;
const LINE_CHARS_MAX: usize = 400;
/// Paths that are named one by one.
const LEFT_MAX: usize = 8;

/// What the worker's final message names, each in one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedLessons {
    /// `LEARNT: …`, for the tasks that follow.
    pub learnt: Vec<String>,
    /// `LESSON: …`, for good.
    pub lessons: Vec<String>,
}

/// How a task came out, for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogEntry {
    Completed {
        /// What worked.
        pattern: Vec<String>,
    },
    Failed {
        attempts: u32,
        cause: String,
        needed: String,
        /// What it changed.
        left: Vec<String>,
        /// The commit in which that is kept; without one it lies there still, and the next task begins with it.
        kept: Option<String>,
    },
    /// One attempt that was not accepted; the task goes on.
    Attempt { number: u32, error: String },
}

/// A message without the lines that are for gulf: the word that claims, promises, and what `named` reads.
pub fn without_signals(message: &str, token: &str) -> String {
    let is_signal = |line: &str| {
        let line = line.trim();
        line == token
            || line.starts_with("<promise>")
            || ["LEARNT:", "LESSON:"].iter().any(|word| line.starts_with(word))
    };
    let kept: Vec<&str> = message.lines().filter(|line| !is_signal(line)).collect();
    kept.join("\n").trim().to_owned()
}

/// Reads the lines `LEARNT: …` and `LESSON: …` of a message, outside of code fences.
pub fn read_lessons(message: &str) -> NamedLessons {
    let mut named = NamedLessons::default();
    let mut is_fenced = false;
    for line in message.lines() {
        let line = line.trim().trim_start_matches(['-', '*', '>']).trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_fenced = !is_fenced;
        }
        let Some((word, rest)) = line.split_once(':').filter(|_| !is_fenced) else { continue };
        let list = match word.trim_matches(['*', '`', '_']) {
            "LEARNT" | "LEARNED" => &mut named.learnt,
            "LESSON" => &mut named.lessons,
            _ => continue,
        };
        let text: String = even(rest.trim_matches(['*', ' '])).chars().take(LINE_CHARS_MAX).collect();
        if !text.is_empty() && !list.contains(&text) && list.len() < NAMED_MAX {
            list.push(text);
        }
    }
    named
}

/// The log with one more entry, in the language that it is kept in; none where the entry stands there.
pub fn with_entry(log: &str, at: &str, task: &str, entry: &LogEntry) -> Option<String> {
    let is_korean = log.chars().any(|character| ('가'..='힣').contains(&character));
    let word = |english: &'static str, korean: &'static str| if is_korean { korean } else { english };
    let (end, lines) = match entry {
        LogEntry::Completed { pattern } => (word("completed", "완료").to_owned(), pattern.clone()),
        LogEntry::Failed { attempts, cause, needed, left, kept } => {
            let lines = vec![
                format!("{}: {cause}", word("Cause", "원인")),
                format!("{}: {needed}", word("Needed", "해결 필요")),
            ];
            let left_as = match kept {
                None => word("Left uncommitted", "남은 변경").to_owned(),
                Some(kept) if is_korean => format!("따로 둔 변경 (`git cherry-pick -n {kept}`)"),
                Some(kept) => format!("Set aside (`git cherry-pick -n {kept}` brings it back)"),
            };
            let plural = if *attempts == 1 { "" } else { "s" };
            let english = format!("failed ({attempts} attempt{plural})");
            let end = if is_korean { format!("실패 ({attempts}회 시도)") } else { english };
            (end, with_what_is_left(lines, &left_as, left))
        }
        LogEntry::Attempt { number, error } => {
            let [english, korean] = ATTEMPT;
            let end = format!("{} {number}", word(english, korean));
            (end, vec![format!("{}: {error}", word("Error", "오류"))])
        }
    };
    let heading = format!("## {at} - {task} {end}");
    if log.lines().any(|line| line.trim_end() == heading) {
        return None;
    }
    let mut text = if log.trim().is_empty() { LOG_TITLE.to_owned() } else { log.to_owned() };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&format!("\n{heading}\n"));
    for line in lines {
        text.push_str(&format!("- {}\n", even(&line)));
    }
    Some(text)
}

fn with_what_is_left(mut lines: Vec<String>, word: &str, left: &[String]) -> Vec<String> {
    let more = left.len().saturating_sub(LEFT_MAX);
    if !left.is_empty() {
        let named = left[..left.len() - more].join(", ");
        let more = if more > 0 { format!(", +{more}") } else { String::new() };
        lines.push(format!("{word}: {named}{more}"));
    }
    lines
}

/// What the log teaches the next worker: what went wrong on the way would crowd it out, and the last of it is told apart.
pub fn without_attempts(log: &str) -> String {
    let is_attempt = |heading: &str| {
        let mut words = heading.split_whitespace().rev();
        let number = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
        number && words.next().is_some_and(|word| ATTEMPT.contains(&word))
    };
    let mut is_left_out = false;
    let kept = log.split_inclusive('\n').filter(|line| {
        if line.starts_with("## ") {
            is_left_out = is_attempt(line);
        }
        !is_left_out
    });
    kept.collect()
}

/// The text with these lessons under its heading, each once; none where all of them stand there.
pub fn with_lessons(text: &str, lessons: &[String]) -> Option<String> {
    let stands = |lesson: &&String| {
        text.lines().any(|line| line.trim().trim_start_matches(['-', '*']).trim() == lesson.as_str())
    };
    let new: Vec<_> = lessons.iter().filter(|lesson| !stands(lesson)).collect();
    if new.is_empty() {
        return None;
    }
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let added: String = new.iter().map(|lesson| format!("- {lesson}{ending}")).collect();
    let Some(at) = end_of_section(text) else {
        let mut written = text.to_owned();
        if !written.is_empty() && !written.ends_with('\n') {
            written.push_str(ending);
        }
        let gap = if written.trim().is_empty() { "" } else { ending };
        return Some(format!("{written}{gap}## {HEADING}{ending}{ending}{added}"));
    };
    let (before, after) = text.split_at(at);
    let break_before = if before.ends_with('\n') { "" } else { ending };
    Some(format!("{before}{break_before}{added}{after}"))
}

/// Behind the last line of the section that is not blank.
fn end_of_section(text: &str) -> Option<usize> {
    let level = |line: &str| line.chars().take_while(|character| *character == '#').count();
    let mut lines = text.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at, line))
    });
    let (mut end, heading) = lines.find(|(_, line)| {
        level(line) > 0 && line.trim().trim_matches('#').trim().eq_ignore_ascii_case(HEADING)
    })?;
    let own = level(heading);
    for (at, line) in lines {
        if (1..=own).contains(&level(line)) {
            break;
        }
        if !line.trim().is_empty() {
            end = at;
        }
    }
    Some(end)
}

#[cfg(test)]
mod tests;
