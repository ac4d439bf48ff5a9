//! What time it is, asked of the system in one place only.
//!
//! Time reaches the rules inside events: whoever makes an event takes it from here.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

#[cfg(test)]
mod tests;

/// Where a test has set it to `leaps`, waits in which nothing runs pass at once. Not in release builds.
pub const CLOCK_VARIABLE: &str = "GULF_TEST_CLOCK";

/// The machine's own clock. Whether `monotonic` counts the time a laptop sleeps is the system's choice.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    /// How far it is ahead of the machine's; none where it does not leap.
    ahead: Option<Mutex<Duration>>,
}

impl Clock {
    pub fn new() -> Self {
        Self { started: Instant::now(), ahead: None }
    }

    /// For a process that drives loops: a test can have it leap over the waits in which nothing runs, so that an hour of
    /// them takes no time. What agents and checks take they take.
    pub fn driving() -> Self {
        let leaps =
            cfg!(debug_assertions) && std::env::var_os(CLOCK_VARIABLE).is_some_and(|how| how == "leaps");
        Self { ahead: leaps.then(Mutex::default), ..Self::new() }
    }

    /// Milliseconds since 1970 in UTC; may jump in either direction when someone sets the clock.
    pub fn wall_ms(&self) -> u64 {
        // A clock set before 1970 is as good as unset: zero, never a panic.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        milliseconds(since).saturating_add(milliseconds(self.ahead()))
    }

    /// Time since it was made; never runs backwards. Limits are measured with this one.
    pub fn monotonic(&self) -> Duration {
        self.started.elapsed().saturating_add(self.ahead())
    }

    /// How much of a wait in which nothing runs has to be sat out.
    pub fn sit_out(&self, wait: Duration) -> Duration {
        let Some(ahead) = &self.ahead else { return wait };
        let mut ahead = ahead.lock().unwrap_or_else(PoisonError::into_inner);
        *ahead = ahead.saturating_add(wait);
        Duration::ZERO
    }

    fn ahead(&self) -> Duration {
        let ahead = self.ahead.as_ref().map(|ahead| ahead.lock().unwrap_or_else(PoisonError::into_inner));
        ahead.map_or(Duration::ZERO, |ahead| *ahead)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

/// A length of time as journals and contracts have it.
pub fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Local time as loop ids begin: `2026-02-13T1430`.
pub fn basic_minute(wall_ms: u64) -> String {
    format_in(wall_ms, "%Y-%m-%dT%H%M", TimeZone::system())
}

/// Local time as branches of loops are named: `20260213-143005`.
pub fn compact_second(wall_ms: u64) -> String {
    format_in(wall_ms, "%Y%m%d-%H%M%S", TimeZone::system())
}

/// Local time without its offset, as texts of the loop have it: `2026-02-13 14:30:05`.
pub fn local_second(wall_ms: u64) -> String {
    format_in(wall_ms, "%Y-%m-%d %H:%M:%S", TimeZone::system())
}

/// A moment in local time, as somebody says it who lives at another one: `22:41`, and on another day `2026-02-13 22:41`.
pub fn local_moment(wall_ms: u64, now_ms: u64) -> String {
    let day = |wall_ms| format_in(wall_ms, "%Y-%m-%d", TimeZone::system());
    let form = if day(wall_ms) == day(now_ms) { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    format_in(wall_ms, form, TimeZone::system())
}

/// How long until the machine's clocks show this time of day; nothing where there is no such time.
pub fn until_time_of_day(wall_ms: u64, hour: u8, minute: u8) -> Option<Duration> {
    let now = timestamp(wall_ms)?.to_zoned(TimeZone::system());
    let time = Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()?;
    let at = |day: Date| day.to_datetime(time).to_zoned(now.time_zone().clone()).ok();
    let today = at(now.date()).filter(|today| *today > now);
    let next = today.or_else(|| at(now.date().tomorrow().ok()?))?;
    Duration::try_from(now.duration_until(&next)).ok()
}

/// When a day began where this machine stands: `today`, `yesterday` or `2026-02-13`; nothing for other words.
pub fn day_began(text: &str, now_ms: u64) -> Option<u64> {
    let now = timestamp(now_ms)?.to_zoned(TimeZone::system());
    let day = match text {
        "today" => now.date(),
        "yesterday" => now.date().yesterday().ok()?,
        date => date.parse::<Date>().ok()?,
    };
    let began = day.to_zoned(now.time_zone().clone()).ok()?.timestamp();
    u64::try_from(began.as_millisecond()).ok()
}

fn format_in(wall_ms: u64, format: &str, zone: TimeZone) -> String {
    // A time beyond the year 9999 can only come from a broken file; it is shown as the last one there is.
    timestamp(wall_ms).unwrap_or(Timestamp::MAX).to_zoned(zone).strftime(format).to_string()
}

fn timestamp(wall_ms: u64) -> Option<Timestamp> {
    Timestamp::from_millisecond(i64::try_from(wall_ms).ok()?).ok()
}
