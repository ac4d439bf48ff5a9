//! What is read of runs with other inputs.

use super::*;

#[test]
fn an_error_is_the_same_with_other_numbers() {
    let one = errors_in("E  ValueError: invalid literal: '3m30'\nduration.py:6: ValueError\n");
    let other = errors_in("E  ValueError: invalid literal: '4m31'\nduration.py:14: ValueError\nok\n");
    assert_eq!(one, other);
    assert_eq!(one.len(), 2);
    let own = errors_in("E  ValueError: no duration: '3m30'\n");
    assert!(!own.is_subset(&one));
    let panics = |why: &str| errors_in(&format!("thread 'a' panicked at src/lib.rs:9:5:\n{why}\nnote: x\n"));
    assert_ne!(panics("not yet implemented"), panics("no such digit"));
    assert_eq!(panics("no such digit").len(), 2);
    assert_eq!(errors_in("1 failed\n"), BTreeSet::new());
    assert_eq!(panics("assertion `left == right` failed"), BTreeSet::new());
}
