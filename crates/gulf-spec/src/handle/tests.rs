//! What a handle looks like, that it stays what it is, and what is meant by the beginning of one.

use super::{Meant, characters, handle, handles, meant};

const ID: &str = "2026-11-21T2302_make-the-greeting-say-hello";

fn ids(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("2026-11-21T2302_same-goal-{number}")).collect()
}

fn borrowed(ids: &[String]) -> Vec<&str> {
    ids.iter().map(String::as_str).collect()
}

#[test]
fn a_handle_is_the_same_in_every_version() {
    // People have them in notes and messages.
    assert_eq!(handle(ID, []), "tkw9");
}

#[test]
fn a_handle_has_four_characters_that_are_not_mistaken_and_begins_with_a_letter() {
    for id in ids(500) {
        let handle = handle(&id, []);
        assert_eq!(handle.len(), 4, "{handle}");
        assert!(handle.starts_with(|first: char| first.is_ascii_lowercase()), "{handle}");
        assert!(!handle.contains(['0', '1', 'i', 'l', 'o', 'a', 'e', 'u', 'y']), "{handle}");
    }
}

#[test]
fn ids_that_differ_in_the_last_character_share_no_beginning_by_rule() {
    let ids = ids(19);
    let firsts: std::collections::BTreeSet<char> =
        ids.iter().filter_map(|id| characters(id).chars().next()).collect();
    assert!(firsts.len() > 8, "{firsts:?}");
}

#[test]
fn a_clash_lengthens_the_younger_loops_handle_alone() {
    let ids = ids(5_000);
    let all = borrowed(&ids);
    let clash = all.iter().enumerate().find_map(|(index, id)| {
        let four = handle(id, []);
        Some((all[..index].iter().find(|older| handle(older, []) == four && *older < id)?, *id))
    });
    let (older, younger) = clash.expect("five thousand loops with four characters each");
    let two = [*older, younger];
    let (short, long) = (handle(older, two), handle(younger, two));
    assert_eq!(short.len(), 4);
    assert!(long.len() > 4 && long.starts_with(&short), "{short} and {long}");
    assert_eq!(meant(&short, &two), Meant::One(older), "what was handed out first still means its loop");
    assert_eq!(meant(&long, &two), Meant::One(younger));
    assert_eq!(meant(&short[..3], &two), Meant::Several(two.to_vec()));
    assert_eq!(meant(&long, &[younger]), Meant::One(younger), "the older one was removed");
}

#[test]
fn all_at_once_every_loop_is_called_as_alone() {
    let mut ids = ids(2_000);
    // In no order, as whoever lists a folder may have them.
    ids.rotate_left(777);
    let all = borrowed(&ids);
    let each: Vec<String> = all.iter().map(|id| handle(id, all.iter().copied())).collect();
    assert!(each.iter().any(|handle| handle.len() > 4), "some share four characters");
    assert_eq!(handles(&all), each);
}

#[test]
fn a_loop_is_named_by_its_id_its_handle_or_the_beginning_of_one() {
    let ids = [ID, "2026-11-21T2302_make-the-greeting-say-hello-2", "2026-12-01T0000_loop"];
    let whole = handle(ids[2], ids);
    for typed in ["2026-12", "2026-12-01T0000_loop", &whole, &whole[..3], &characters(ids[2])] {
        assert_eq!(meant(typed, &ids), Meant::One(ids[2]), "{typed}");
    }
    assert_eq!(meant(ID, &ids), Meant::One(ID), "an id that another one begins with");
    assert_eq!(meant("2026-11", &ids), Meant::Several(ids[..2].to_vec()));
    assert_eq!(meant("no-such-loop", &ids), Meant::None);
}
