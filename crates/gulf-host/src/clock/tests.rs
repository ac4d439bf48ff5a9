//! What clock promises, shown on the real thing.

use super::{Clock, basic_minute, format_in, local_moment, local_second};
use jiff::tz::{Offset, TimeZone};
use std::sync::Mutex;
use std::time::Duration;

const FEBRUARY_13_0530_UTC_MS: u64 = 1_770_960_605_000;

fn in_seoul(wall_ms: u64, format: &str) -> String {
    format_in(wall_ms, format, TimeZone::fixed(Offset::constant(9)))
}

#[test]
fn a_loop_id_begins_with_the_local_minute() {
    assert_eq!(in_seoul(FEBRUARY_13_0530_UTC_MS, "%Y-%m-%dT%H%M"), "2026-02-13T1430");
    let here = basic_minute(FEBRUARY_13_0530_UTC_MS);
    assert_eq!((here.len(), &here[..8]), (15, "2026-02-"), "{here}");
}

#[test]
fn texts_of_the_loop_have_local_time_to_the_second() {
    assert_eq!(in_seoul(FEBRUARY_13_0530_UTC_MS, "%Y-%m-%d %H:%M:%S"), "2026-02-13 14:30:05");
    assert!(local_second(FEBRUARY_13_0530_UTC_MS).starts_with("2026-02-1"));
}

#[test]
fn a_time_beyond_every_calendar_is_shown_and_does_not_panic() {
    assert!(in_seoul(u64::MAX, "%Y").starts_with("9999"));
    assert_eq!(in_seoul(0, "%Y"), "1970");
}

#[test]
fn the_system_clock_is_past_2020_and_never_runs_backwards() {
    let clock = Clock::new();
    let first = clock.monotonic();
    assert!(clock.wall_ms() > 1_577_836_800_000);
    assert!(clock.monotonic() >= first);
}

#[test]
fn a_time_of_day_lies_ahead_by_less_than_a_day_and_an_hour() {
    let now_ms = 1_770_000_000_000;
    for (hour, minute) in [(0, 0), (22, 26), (23, 59)] {
        let wait = super::until_time_of_day(now_ms, hour, minute).unwrap();
        assert!(wait > Duration::ZERO && wait <= Duration::from_secs(25 * 3_600), "{wait:?}");
    }
    assert_eq!(super::until_time_of_day(now_ms, 24, 0), None);
}

#[test]
fn a_clock_that_leaps_is_ahead_by_what_was_not_sat_out() {
    let wait = Duration::from_secs(3_600);
    let leaping = Clock { ahead: Some(Mutex::default()), ..Clock::new() };
    let before_ms = leaping.wall_ms();
    assert_eq!(leaping.sit_out(wait), Duration::ZERO);
    assert!(leaping.monotonic() >= wait && leaping.wall_ms() >= before_ms + 3_600_000);
    let plain = Clock::new();
    assert_eq!(plain.sit_out(wait), wait);
    assert!(plain.monotonic() < wait);
}

#[test]
fn a_moment_of_another_day_is_told_with_its_date() {
    let now_ms = FEBRUARY_13_0530_UTC_MS;
    assert_eq!(local_moment(now_ms, now_ms).len(), "14:30".len());
    assert_eq!(local_moment(now_ms + 48 * 3_600_000, now_ms).len(), "2026-02-15 14:30".len());
}
