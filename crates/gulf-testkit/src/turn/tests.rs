//! Over six turns, every case is tried.

use super::{chosen, is_due};

#[test]
fn every_case_has_its_turn_and_no_turn_is_empty() {
    for (cases, every) in [(20, 6), (6, 6), (4, 6), (1, 6), (7, 1)] {
        let turns = (0..6).map(|turn| chosen(turn, every, (0..cases).collect()));
        let turns: Vec<Vec<usize>> = turns.collect();
        assert!(turns.iter().all(|turn| !turn.is_empty()), "{turns:?}");
        let mut tried: Vec<usize> = turns.concat();
        tried.sort_unstable();
        tried.dedup();
        assert_eq!(tried, (0..cases).collect::<Vec<_>>());
    }
    assert!(chosen(3, 6, Vec::<u8>::new()).is_empty());
}

#[test]
fn a_place_has_one_turn_in_so_many_whatever_case_is_tried() {
    for line in [1, 2, 17, 400] {
        let due = (0..9_u64).filter(|turn| is_due((turn << 32) | 5, line, 3));
        assert_eq!(due.count(), 3);
        assert_eq!(is_due(7 << 32, line, 3), is_due((7 << 32) | 1, line, 3));
    }
}
