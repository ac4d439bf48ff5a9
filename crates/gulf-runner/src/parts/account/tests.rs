//! Who may begin beside the others, and with how much.

use super::*;

const HOUR: Duration = Duration::from_secs(3_600);

fn account(microdollars_left: Option<u64>, tokens_left: Option<u64>, reserve: Reserve) -> Account {
    Account {
        microdollars_left,
        tokens_left,
        whole: Allowance { wall: HOUR, microdollars_max: microdollars_left },
        reserve,
        dearest: Spent::default(),
        spent: Spent::default(),
        at_work: BTreeMap::new(),
    }
}

fn spent(microdollars: u64, tokens: u64) -> Option<Spent> {
    Some(Spent { microdollars, tokens, ..Spent::default() })
}

// proves: A1
#[test]
fn a_worker_beside_others_needs_as_many_tokens_as_the_dearest_had_with_or_without_a_limit_of_money() {
    for money in [None, Some(1_000_000)] {
        let mut account = account(money, Some(100), Reserve::Nothing);
        account.begin(0, 4, Duration::ZERO).unwrap();
        account.end(0, spent(10, 40));
        account.begin(1, 3, Duration::ZERO).unwrap();
        let refused = account.begin(2, 2, Duration::ZERO).unwrap_err();
        assert!(
            refused.contains("tokens"),
            "{money:?}: 60 are left, and 40 of them are the other one's: {refused}"
        );
        account.end(1, spent(10, 20));
        account.begin(2, 2, Duration::ZERO).unwrap();
    }
}

// proves: A1
#[test]
fn each_worker_has_its_share_of_the_money_and_what_another_left_over_is_shared_again() {
    let mut account = account(Some(100), None, Reserve::Nothing);
    let share = |account: &mut Account, at, to_begin| {
        account.begin(at, to_begin, Duration::ZERO).unwrap().microdollars_max
    };
    assert_eq!(share(&mut account, 0, 2), Some(50));
    assert_eq!(share(&mut account, 1, 1), Some(50));
    account.end(0, spent(10, 0));
    assert_eq!(share(&mut account, 2, 1), Some(40));
    assert!(account.begin(3, 1, Duration::ZERO).is_err(), "nothing is left");
}

#[test]
fn whoever_cannot_be_told_how_much_it_may_cost_is_taken_to_cost_as_much_as_the_dearest() {
    let mut account = account(Some(100), None, Reserve::DearestIteration);
    account.begin(0, 4, Duration::ZERO).unwrap();
    account.end(0, spent(60, 0));
    assert!(account.begin(1, 3, Duration::ZERO).unwrap_err().contains("money"));
}

#[test]
fn nobody_begins_when_the_time_is_over() {
    let mut account = account(None, None, Reserve::Nothing);
    assert_eq!(account.begin(0, 1, HOUR / 2).unwrap().wall, HOUR / 2);
    assert!(account.begin(1, 1, HOUR).unwrap_err().contains("time"));
}
