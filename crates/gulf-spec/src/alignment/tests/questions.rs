//! Which questions are open, as people and agents write them.

use super::{KOREAN, page, read, with_gaps};

/// The open questions below a gap check that says this.
#[track_caller]
fn check(gaps: &str, open: &[&str]) {
    let alignment = read(&with_gaps(gaps));
    let found: Vec<&str> = alignment.open_questions.iter().map(|question| question.text.as_str()).collect();
    assert_eq!(found, open, "{gaps}");
}

#[test]
fn nothing_to_ask_is_said_in_many_ways() {
    for nothing in [
        "",
        "none",
        "None.",
        "N/A",
        "-",
        "—",
        "_none_",
        "**None**",
        "(none)",
        "[none]",
        "None — all settled on Monday",
        "none at this time",
        "No blocking questions.",
        "없음",
        "없음.",
        "(없음)",
        "해당 없음",
        "없습니다.",
        "없음 (모두 확인함)",
    ] {
        check(&format!("- **Blocking questions**: {nothing}\n"), &[]);
        check(&format!("### Blocking questions\n\n{nothing}\n"), &[]);
        check(&format!("### Blocking questions\n- {nothing}\n"), &[]);
        check(&format!("**Blocking questions**\n\n1. {nothing}\n"), &[]);
    }
}

#[test]
fn nothing_is_not_taken_for_nothing_where_something_is_asked() {
    check(
        "- **Blocking questions**: None of the APIs is documented; which one?\n",
        &["None of the APIs is documented; which one?"],
    );
    check("- **Blocking questions**: none, but which port?\n", &["none, but which port?"]);
    check("- **Blocking questions**: No database is named\n", &["No database is named"]);
    check("- **Blocking questions**: (decide on the database)\n", &["(decide on the database)"]);
    check(
        "- **Blocking questions**: [anything that REQUIRES clarification]\n",
        &["[anything that REQUIRES clarification]"],
    );
}

#[test]
fn a_question_is_found_however_its_label_is_written() {
    for label in [
        "- **Blocking questions**: ",
        "- **Blocking questions:** ",
        "* Blocking questions: ",
        "- __Blocking Questions__: ",
        "**Blocking questions**: ",
        "Blocking questions: ",
        "- **Blocking questions** — ",
        "- Blocking questions - ",
        "### Blocking questions: ",
        "### 4.1 Blocking Questions\n- ",
        "## Blocking questions\n",
        "#### **Blocking questions** (2)\n* ",
        "- **Blocking questions**:\n  - ",
        "- **Blocking questions**:\n- ",
        "- **Blocking questions** (answer first):\n\n    1. ",
        "- **블로킹 질문**: ",
        "### 차단 질문\n- ",
        "- **막는 질문**：",
        "### Blocking questions — ",
        "- [ ] **Blocking questions**: ",
    ] {
        check(&format!("{label}Which hash?\n"), &["Which hash?"]);
    }
}

#[test]
fn each_item_is_a_question_and_what_is_indented_below_belongs_to_it() {
    check(
        "- **Blocking questions**:\n  - Which hash?\n    - argon2id\n    - bcrypt\n  - [ ] Which port,\n    and why?\n  1. 어느 DB를 쓰나?\n\
         - **Notes**: nothing\n- see also the README\n",
        &["Which hash? argon2id bcrypt", "Which port, and why?", "어느 DB를 쓰나?"],
    );
    check(
        "### Blocking questions\n\nThese must be settled first:\n\nWhich hash?\nAnd why?\n\nDecide on a port.\n",
        &["Which hash? And why?", "Decide on a port."],
    );
}

#[test]
fn the_part_ends_where_another_begins() {
    check("- **Blocking questions**: none\n- **Non-blocking questions**: which colour?\n", &[]);
    check("- **Blocking questions**: none\n- **Follow-up**: see the wiki\n- a remark\n\nAnd words.\n", &[]);
    check(
        "- **Blocking questions**:\n  - Which hash?\n- **Capability gaps**: is there a GPU?\n",
        &["Which hash?"],
    );
    check(
        "### Blocking questions\n- Which hash?\n### Capability gaps\n- is there a GPU?\n",
        &["Which hash?"],
    );
    check("### Blocking questions\n- Which hash?\n## Notes\n- is there a GPU?\n", &["Which hash?"]);
    check("**Blocking questions**: none\n**Notes**: see the wiki\n", &[]);
    check(
        "- **Blocking questions**:\n- **Q1**: choose a hash\n- **Port**: which one?\n",
        &["**Q1**: choose a hash", "**Port**: which one?"],
    );
}

#[test]
fn a_question_is_settled_by_a_tick_an_answer_or_a_line_through_it() {
    check(
        "### Blocking questions\n\
         - [x] Which hash?\n\
         - [X] Which salt?\n\
         - ~~Which colour?~~\n\
         - Which port? Answer: 8080\n\
         - Which host? — **Answer:** localhost\n\
         - Which user?\n  - Answer: nobody\n\
         - Which group?\n  **답변**: nogroup\n\
         - Which shell?\n- Answer: sh\n\
         - 어느 DB? 답: sqlite\n\
         - Q: Which log?\n  A: stderr\n\
         - Which level?\n  - Decision: info, because\n    the disk is small\n",
        &[],
    );
}

#[test]
fn what_only_looks_like_an_answer_leaves_the_question_open() {
    check("### Blocking questions\n- Which port? Answer:\n", &["Which port? Answer:"]);
    check("### Blocking questions\n- Which port?\n  - Answer: TBD\n", &["Which port?"]);
    check("### Blocking questions\n- Which port?\n  - 답: 미정\n", &["Which port?"]);
    check("### Blocking questions\n- Which port?\n  - Answer: 80 or 8080?\n", &["Which port?"]);
    check(
        "### Blocking questions\n- What is the correct answer: 4 or 5\n",
        &["What is the correct answer: 4 or 5"],
    );
    check(
        "### Blocking questions\n- Which one?\n  - A: sqlite\n  - B: postgres\n",
        &["Which one? A: sqlite B: postgres"],
    );
    check("### Blocking questions\n- [ ] ~~Which~~ port?\n", &["~~Which~~ port?"]);
}

#[test]
fn the_further_lines_of_an_answer_belong_to_it() {
    check("### Blocking questions\n- Which level?\n  - Answer: info, because\n    the disk is small\n", &[]);
    check("### Blocking questions\n- Which level?\n  - Answer: info, or\n    debug?\n", &["Which level?"]);
}

#[test]
fn settled_questions_may_stand_under_a_heading_of_their_own() {
    check(
        "### Blocking questions\n#### Open\n- Which hash?\n#### Answered\n- Which port?\n#### Which user?\n",
        &["Which hash?"],
    );
    check(
        "### Blocking questions\n#### Q1: Which hash?\nIt matters.\n#### Q2: Which port?\n",
        &["Q1: Which hash? It matters.", "Q2: Which port?"],
    );
}

#[test]
fn the_rows_of_a_table_count_as_open_and_that_is_said() {
    insta::assert_snapshot!(
        page(&with_gaps("### Blocking questions\n| # | question | answer |\n|---|---|---|\n| 1 | Which hash? | argon2id |\n")),
        @r"
            24: open: 1 · Which hash? · argon2id
            16: check: npm test
            16: check: tsc --noEmit
            16: check: npm run lint
            gulf-align.md:22:1: rows of a table count as open questions, whatever stands in them · write one question a line: `- question`, and below it `- Answer: …`
            ");
}

#[test]
fn questions_in_comments_and_code_do_not_count() {
    check(
        "<!--\n- **Blocking questions**: which hash?\n-->\n- **Blocking questions**: <!-- which? --> none\n",
        &[],
    );
    check("```\n- **Blocking questions**: which hash?\n```\n- **Blocking questions**: none\n", &[]);
}

#[test]
fn questions_count_wherever_they_stand_and_their_absence_is_told() {
    let alignment = read("# Blocking questions\n- which hash?\n");
    assert_eq!(alignment.open_questions.len(), 1);
    insta::assert_snapshot!(page(&KOREAN.replace("- **블로킹 질문**: 없음\n", "")), @r"
        9: check: npm test
        9: check: npm run lint
        gulf-align.md:11:1: it does not say whether questions are open · write `- **Blocking questions**: none`, or one question a line below it
        ");
}
