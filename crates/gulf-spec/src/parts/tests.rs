//! Plans as models write them, and what several workers can make of them.

use super::{PARTS_MAX, divide};

/// Each part with what it waits for.
fn told(plan: &str) -> Vec<String> {
    let parts = divide(plan).unwrap();
    let names =
        |places: &[usize]| places.iter().map(|at| parts[*at].id.clone()).collect::<Vec<_>>().join(" ");
    parts.iter().map(|part| format!("{} <{}> {}", part.id, names(&part.waits_for), part.title)).collect()
}

#[test]
fn a_plan_is_divided_by_its_boxes_and_what_each_step_waits_for() {
    let plan = "# Plan\n\nFirst the two ends, then what joins them.\n\n\
                - [ ] S1: the parser (files: parse.rs)\n  - [ ] an empty line\n\
                - [ ] S2: the printer (files: print.rs)\n  It keeps comments.\n\
                - [ ] S3: the command (depends: S1, S2) (files: main.rs)\n\
                - [ ] S4: 문서 (depends on S3)\n";
    assert_eq!(
        told(plan),
        [
            "S1 <> the parser (files: parse.rs)",
            "S2 <> the printer (files: print.rs)",
            "S3 <S1 S2> the command (depends: S1, S2) (files: main.rs)",
            "S4 <S3> 문서 (depends on S3)",
        ]
    );
    let parts = divide(plan).unwrap();
    assert_eq!(parts[0].details, "- an empty line");
    assert_eq!(parts[1].details, "It keeps comments.");
}

#[test]
fn what_is_ticked_is_done_and_nobody_waits_for_it() {
    let plan = "- [x] S1: there already\n- [ ] S2: one (depends: S1)\n- [ ] S3: other (depends: S1)\n";
    assert_eq!(told(plan), ["S2 <> one (depends: S1)", "S3 <> other (depends: S1)"]);
}

#[test]
fn a_plan_that_cannot_be_divided_says_why() {
    let many: String = (0..=PARTS_MAX).map(|number| format!("- [ ] S{number}: step\n")).collect();
    let cases = [
        ("", "the plan has no list of steps `- [ ] S1: …`"),
        ("1. write greeting.txt\n2. read it\n", "the plan has no list of steps `- [ ] S1: …`"),
        ("- [ ] S1: all of it\n", "the plan has one step"),
        ("- [ ] S1: one\n- [ ] S2: two (depends: S1)\n", "no two steps of the plan are independent"),
        (many.as_str(), "the plan has more than 32 steps"),
        (
            "- [ ] S1: one (depends: S2)\n- [ ] S2: two (depends: S1)\n",
            "in the plan, these tasks depend on each other: S1 → S2 → S1",
        ),
        ("- [ ] S1: one\n- [ ] S1: two\n", "in the plan, two tasks are called `S1`"),
        (
            "- [ ] S1: one\n- [ ] S2: two (depends: S7)\n",
            "in the plan, `S2` depends on `S7`, which is not in the list",
        ),
    ];
    for (plan, why) in cases {
        assert_eq!(divide(plan), Err(why.to_owned()), "{plan}");
    }
}
