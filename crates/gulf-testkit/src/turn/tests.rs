//! Over six turns, every case is tried.

use super::chosen;

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
