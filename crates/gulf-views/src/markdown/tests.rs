//! Others' words in Markdown: they stay words.

use super::{block, code, item, paragraph, prose, quoted};

#[test]
fn words_of_others_become_no_markup() {
    let check = |words: &str, expected: &str| assert_eq!(paragraph(&prose(words)), format!("{expected}\n"));
    check("keep *both*, see [here](x) and <b>", "keep \\*both\\*, see \\[here\\](x) and \\<b>");
    check("# no heading\n- no item\n1. no list", "\\# no heading - no item 1. no list");
    check("\u{1b}[2J\u{202e}\u{1}`x`", "\\[2J\u{fffd} \\`x\\`");
    check("~$1.24, snake_case, 1.5 and a-b stay", "~$1.24, snake_case, 1.5 and a-b stay");
}

#[test]
fn no_line_begins_with_what_would_begin_something_else() {
    let check = |word: &str, expected: &str| {
        assert_eq!(item(&prose(&format!("{word} x"))), format!("- {expected} x\n"));
        let broken = item(&prose(&format!("{} {word} x", "long ".repeat(15).trim_end())));
        let last = broken.lines().last().unwrap_or_default();
        assert!(last.len() < 20 && last.contains(expected), "{broken}");
    };
    let long = "#".repeat(6);
    check(&long, &format!("\\{long}"));
    check(">quote", "\\>quote");
    check("------", "\\------");
    check("======", "\\======");
    check("~~~sh_", "\\~~~sh_");
    check("|table", "\\|table");
    check("12345.", "12345\\.");
    check("12345)", "12345\\)");
    assert_eq!(item("-1 is a number, 1.5 too"), "- -1 is a number, 1.5 too\n");
}

#[test]
fn a_name_and_its_secret_stand_in_one_line_where_they_are_masked() {
    for name in ["Bearer", "password:", "api_key ="] {
        let told = paragraph(&prose(&format!("{}{name} hunter2hunter2hunter2 is wrong", "long ".repeat(14))));
        assert!(told.contains(&format!("{name} hunter2hunter2hunter2\n")), "{told}");
    }
}

#[test]
fn code_holds_whatever_stands_in_it() {
    let check = |words: &str, expected: &str| assert_eq!(paragraph(&code(words)), format!("{expected}\n"));
    check("cargo test", "`cargo test`");
    check("echo `date`", "`` echo `date` ``");
    check("`", "`` ` ``");
    check("", "`  `");
    check("two\nlines", "`two lines`");
}

#[test]
fn a_line_breaks_between_words_and_never_inside_code() {
    let command = "cargo clippy --workspace --all-targets -- --deny warnings";
    let broken = item(&format!("check lint: passed, exit 0, 3.1s, passes on the base {}", code(command)));
    let expected = format!("- check lint: passed, exit 0, 3.1s, passes on the base\n  `{command}`\n");
    assert_eq!(broken, expected);
    let long = "x".repeat(100);
    assert_eq!(item(&long), format!("- {long}\n"), "a path is to be copied");
}

#[test]
fn a_goal_is_quoted_with_its_lines_and_not_without_end() {
    assert_eq!(quoted("\nadd it\n\n- first\n"), "> add it\n>\n> - first\n");
    let words = "word ".repeat(20);
    assert!(quoted(&words).lines().all(|line| line.starts_with("> ") && line.len() <= 80));
    assert!(quoted(&"line\n".repeat(43)).ends_with("> line\n> … 3 more lines\n"));
}

#[test]
fn a_command_with_a_fence_in_it_stays_in_its_block() {
    assert_eq!(block(&["gulf verify".into()]), "```sh\ngulf verify\n```\n");
    assert_eq!(block(&["a ``` b".into(), "c\nd".into()]), "````sh\na ``` b\nc d\n````\n");
}
