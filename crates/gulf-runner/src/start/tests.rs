//! What a loop is called.

use super::slug;

#[test]
fn a_loops_name_has_no_secret_of_its_goal() {
    assert_eq!(slug("log in with password=hunter2 as root"), "log-in-with-password-as-root");
}
