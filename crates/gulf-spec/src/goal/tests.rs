//! What a goal is called.

use super::goal_title;

#[test]
fn a_goal_is_called_what_its_first_line_says() {
    assert_eq!(goal_title("add a --json flag"), "add a --json flag");
    assert_eq!(goal_title("\u{feff}\n  add a flag  \nmore"), "add a flag");
    assert_eq!(goal_title("# Add a flag\n\nmore"), "Add a flag");
    assert_eq!(goal_title("#123 is open\n"), "123 is open");
}

#[test]
fn comments_and_the_headings_of_a_skeleton_name_nothing() {
    assert_eq!(goal_title("# Goal\n\n<!-- One\nsentence -->\n\nThe flag is there.\n"), "The flag is there.");
    assert_eq!(goal_title("<!-- a --> <!-- b -->\n## 목표\n깃발"), "깃발");
}

#[test]
fn where_nothing_else_is_said_the_heading_stands() {
    assert_eq!(goal_title("# Goal\n\n<!-- never closed"), "Goal");
    assert_eq!(goal_title("goal"), "goal");
    assert_eq!(goal_title(" \n#\n"), "");
}
