//! The table of Korean texts against the code: no key that nothing says any more, and no text of the screens without one.

use super::rule::{Rule, Violation};
use super::source::Source;
use super::tree::Tree;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

const TABLE: &str = "crates/gulf-views/src/korean.toml";
/// Whose texts are read in Korean.
const CRATES: [&str; 6] = [
    "crates/gulf-views/src/", "crates/gulf-faces/src/", "crates/gulf/src/", "crates/gulf-engine/src/",
    "crates/gulf-runner/src/", "crates/gulf-spec/src/detect",
];
/// Every text of these has to be in the table.
const SCREENS: [&str; 58] = [
    "crates/gulf-faces/src/live/draw.rs",
    "crates/gulf-faces/src/page.rs",
    "crates/gulf-faces/src/plot.rs",
    "crates/gulf-faces/src/web.rs",
    "crates/gulf-runner/src/builds.rs",
    "crates/gulf-runner/src/isolation.rs",
    "crates/gulf-views/src/advice.rs",
    "crates/gulf-views/src/board.rs",
    "crates/gulf-views/src/changed_files.rs",
    "crates/gulf-views/src/cost.rs",
    "crates/gulf-views/src/failing.rs",
    "crates/gulf-views/src/gates.rs",
    "crates/gulf-views/src/group.rs",
    "crates/gulf-views/src/inbox.rs",
    "crates/gulf-views/src/iteration_line.rs",
    "crates/gulf-views/src/iteration_report.rs",
    "crates/gulf-views/src/iteration_report/screen.rs",
    "crates/gulf-views/src/landing.rs",
    "crates/gulf-views/src/landing/report.rs",
    "crates/gulf-views/src/left.rs",
    "crates/gulf-views/src/lines.rs",
    "crates/gulf-views/src/live.rs",
    "crates/gulf-views/src/markdown.rs",
    "crates/gulf-views/src/loop_status.rs",
    "crates/gulf-views/src/night.rs",
    "crates/gulf-views/src/numbers.rs",
    "crates/gulf-views/src/parts.rs",
    "crates/gulf-views/src/question.rs",
    "crates/gulf-views/src/refused.rs",
    "crates/gulf-views/src/report/look_first.rs",
    "crates/gulf-views/src/report/markdown.rs",
    "crates/gulf-views/src/report/page.rs",
    "crates/gulf-views/src/report/story.rs",
    "crates/gulf-views/src/report/words.rs",
    "crates/gulf-views/src/result.rs",
    "crates/gulf-views/src/review.rs",
    "crates/gulf-views/src/screen.rs",
    "crates/gulf-views/src/stats.rs",
    "crates/gulf-views/src/summary.rs",
    "crates/gulf-views/src/table.rs",
    "crates/gulf-views/src/tasks.rs",
    "crates/gulf-views/src/trend.rs",
    "crates/gulf-views/src/turns.rs",
    "crates/gulf-views/src/unproven.rs",
    "crates/gulf-views/src/verification.rs",
    "crates/gulf-views/src/wait.rs",
    "crates/gulf-views/src/wording.rs",
    "crates/gulf/src/commands/demo.rs",
    "crates/gulf/src/commands/glance.rs",
    "crates/gulf/src/commands/log.rs",
    "crates/gulf/src/commands/verify.rs",
    "crates/gulf/src/commands/web/acts.rs",
    "crates/gulf/src/commands/web/pages.rs",
    "crates/gulf/src/drive/alone.rs",
    "crates/gulf/src/excerpts.rs",
    "crates/gulf/src/in_session/conclude.rs",
    "crates/gulf/src/verdicts.rs",
    "crates/gulf/src/watched.rs",
];
/// Pages, in which texts of gulf's stand as `"text" | tell`.
const PAGES: &str = "crates/gulf-faces/templates/";
/// What the table's reader takes for separate texts, and for their surroundings (`gulf-views/src/language.rs`).
const BETWEEN: [&str; 2] = ["\n", " · "];
const AROUND: [char; 5] = [' ', ':', ';', ',', '·'];
/// The filter that looks a text up.
const TELL: &str = "| tell";
/// Commands are typed as they stand.
const PROGRAMS: [&str; 4] = ["gulf ", "git ", "mkdir ", "cd "];

/// Texts of those files that no screen in Korean shows: of the log, of pages, for programs, or for the worker.
const ELSEWHERE: &str = "xtask/src/tidy/korean/elsewhere.txt";

pub(super) fn check(tree: &Tree, sources: &[Source<'_>]) -> Vec<Violation> {
    let Some(table) = tree.files().iter().find(|file| file.path == TABLE) else { return Vec::new() };
    let Ok(keys) = table.text.parse::<toml::Table>() else {
        return vec![Violation::new(TABLE, 1, Rule::Korean, "is no table of TOML")];
    };
    let elsewhere: Vec<&str> = tree.find(ELSEWHERE).map_or_else(Vec::new, |file| file.text.lines().collect());
    let has_key = |text: &str| keys.contains_key(text) || keys.contains_key(&format!("{{}} {text}"));
    let mut said = BTreeSet::new();
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| CRATES.iter().any(|one| source.file.path.starts_with(one))) {
        let is_screen = SCREENS.contains(&source.file.path.as_str());
        literals(source.tokens.clone(), &mut |line, text| {
            let parts = BETWEEN.iter().fold(vec![text], |parts, between| {
                parts.iter().flat_map(|part| part.split(between)).map(str::to_owned).collect()
            });
            for part in parts.iter().map(|part| part.trim_matches(AROUND)) {
                if is_screen && is_sentence(part) && !has_key(part) && !elsewhere.contains(&part) {
                    found.push(Violation::new(
                        &source.file.path,
                        line,
                        Rule::Korean,
                        format!("{TABLE} lacks `{part}`"),
                    ));
                }
                said.insert(part.to_owned());
            }
        });
    }
    for page in tree.files().iter().filter(|file| file.path.starts_with(PAGES)) {
        for (index, line) in page.text.lines().enumerate() {
            for text in spoken(line) {
                if line.contains(TELL) && is_sentence(text) && !has_key(text) {
                    let message = format!("{TABLE} lacks `{text}`");
                    found.push(Violation::new(&page.path, index + 1, Rule::Korean, message));
                }
                said.insert(text.to_owned());
            }
        }
    }
    let is_said =
        |key: &str| said.contains(key) || key.strip_prefix("{} ").is_some_and(|noun| said.contains(noun));
    for key in keys.keys().filter(|key| !is_said(key)) {
        found.push(Violation::new(TABLE, 1, Rule::Korean, format!("nothing says `{key}` any more")));
    }
    for text in elsewhere.into_iter().filter(|text| !said.contains(*text)) {
        found.push(Violation::new(ELSEWHERE, 1, Rule::Korean, format!("nothing says `{text}` any more")));
    }
    found
}

/// The texts of a line of a page: in what is drawn there, else anywhere.
fn spoken(line: &str) -> Vec<&str> {
    let drawn = line.split("{{").skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0));
    if line.contains("{{") { drawn.flat_map(quoted).collect() } else { quoted(line) }
}

/// What stands between quotation marks.
fn quoted(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'']) {
        let (mark, after) = rest[at..].split_at(1);
        let Some((text, behind)) = after.split_once(mark) else { break };
        found.push(text.trim_matches(AROUND));
        rest = behind;
    }
    found
}

/// More than one word, placeholders and code aside: single words are names more often than not.
fn is_sentence(text: &str) -> bool {
    let mut plain = String::new();
    let (mut depth, mut is_code) = (0_usize, false);
    for character in text.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '`' => is_code = !is_code,
            _ if depth == 0 && !is_code => plain.push(character),
            _ => {}
        }
    }
    let is_word = |word: &&str| word.chars().filter(char::is_ascii_lowercase).count() > 1;
    plain.split_whitespace().filter(is_word).count() > 1
        && !PROGRAMS.iter().any(|program| text.starts_with(program))
}

/// Every text among the tokens, but those of attributes and documentation.
fn literals(tokens: TokenStream, report: &mut impl FnMut(usize, String)) {
    let mut is_attribute = false;
    for tree in tokens {
        match &tree {
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    report(literal.span().start().line, text.value());
                }
            }
            TokenTree::Group(group) if !is_attribute => literals(group.stream(), report),
            // The names of variants are words, where an enum derives them.
            TokenTree::Ident(name) => report(name.span().start().line, name.to_string().to_lowercase()),
            TokenTree::Group(_) | TokenTree::Punct(_) => {}
        }
        is_attribute = matches!(&tree, TokenTree::Punct(mark) if matches!(mark.as_char(), '#'))
            || (is_attribute && matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == '!'));
    }
}
