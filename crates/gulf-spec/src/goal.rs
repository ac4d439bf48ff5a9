//! The line of a goal that names it: in a list, in a loop's id, as a commit's title.
//!
//! Whoever begins from a skeleton has the same first line as everybody else: `# Goal`.

/// Headings that name no goal, but stand over one.
const GENERAL: [&str; 5] = ["goal", "task", "prompt", "목표", "과제"];

/// The first line that says something: no comment, no mark of a heading, and no heading that stands over any goal.
pub fn goal_title(goal: &str) -> &str {
    let mut general = "";
    let mut rest = goal.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        if rest.is_empty() {
            return general;
        }
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim_end();
        let text = line.trim_start_matches('#').trim();
        let is_general = GENERAL.contains(&text.to_lowercase().as_str());
        if !text.is_empty() && (!is_general || text == line) {
            return text;
        }
        if general.is_empty() {
            general = text;
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests;
