//! Which lines of a product's description become criteria.

use super::*;

#[track_caller]
fn check(text: &str, criteria: &[&str]) {
    assert_eq!(acceptance_criteria(text), criteria, "of {text}");
}

// proves: A2
#[test]
fn the_items_below_a_heading_of_criteria_count_and_no_others() {
    let text = "# Login\n- not this\n## Acceptance Criteria\n- [ ] a wrong one is refused\n* [x] a right one works\n\
                1. three tries\n\n## Risks\n- nor this\n";
    check(text, &["a wrong one is refused", "a right one works", "three tries"]);
}

// proves: A2
#[test]
fn korean_headings_count_as_well() {
    let text = "## 2. 수용 기준\n- 틀린 비밀번호는 거부된다\n### 세부\n- 세 번까지\n## 기타\n- 아님\n";
    check(text, &["틀린 비밀번호는 거부된다", "세 번까지"]);
    check("### 완료 기준\n- [ ] 끝\n", &["끝"]);
}

#[test]
fn without_such_a_heading_the_boxes_of_its_checklists_count() {
    check("# Login\n- a remark\n- [ ] it works\n", &["it works"]);
    check("# Login\n- a remark\n", &[]);
}

#[test]
fn what_stands_in_a_code_block_or_a_comment_does_not_count() {
    check("## Acceptance criteria\n```\n- no\n```\n<!--\n- nor this\n-->\n- yes\n", &["yes"]);
    check("## Acceptance criteria\n```\n- open to the end\n", &[]);
}

#[test]
fn a_text_without_end_gives_no_list_without_end() {
    let text = format!("## Acceptance criteria\n{}", "- one\n".repeat(CRITERIA_MAX * 2));
    assert_eq!(acceptance_criteria(&text).len(), CRITERIA_MAX);
}
