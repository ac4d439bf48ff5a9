//! Products that do something else at another time than that of their tests, or in front of a type checker.

use super::Language;

pub(super) const OF_TIME: &str = "a fixed time, after which it does something else";
pub(super) const OF_CHECKER: &str = "whether a type checker reads it";

/// Words that ask for the time of the day.
const CLOCKS: [&str; 12] = [
    "time.Now()", "Date.now()", "new Date()", "datetime.now(", "datetime.utcnow(", "date.today()",
    "time.time()", "SystemTime::now()", "Utc::now()", "Local::now()", "LocalDate.now()", "Time.now",
];

pub(super) fn asks_for_time(line: &str) -> bool {
    CLOCKS.iter().any(|clock| line.contains(clock))
}

/// `time.Now().Year() < 2027`, `now < 1_797_000_000`: a year beside the clock, or a moment in seconds or milliseconds.
pub(super) fn is_fixed_time(line: &str) -> bool {
    const YEARS: std::ops::Range<u64> = 2024..2100;
    const SECONDS: std::ops::Range<u64> = 1_600_000_000..4_200_000_000;
    let compares =
        [" < ", " > ", " <= ", " >= ", " == ", " === ", " != "].iter().any(|sign| line.contains(sign));
    let numbers = line.split(|letter: char| !(letter.is_ascii_digit() || letter == '_'));
    let mut numbers = numbers.filter_map(|number| number.replace('_', "").parse::<u64>().ok());
    let is_moment = |number: u64| SECONDS.contains(&number) || SECONDS.contains(&(number / 1000));
    let has_clock = asks_for_time(line);
    compares && numbers.any(|number| is_moment(number) || (has_clock && YEARS.contains(&number)))
}

/// `if TYPE_CHECKING:` with a way out of the function: the checker reads no further.
pub(super) fn is_for_checker(language: Language, lines: &[String], at: usize) -> bool {
    let condition = lines[at].strip_prefix("if ").and_then(|rest| rest.strip_suffix(':')).unwrap_or_default();
    let is_asked = ["TYPE_CHECKING", "typing.TYPE_CHECKING", "not TYPE_CHECKING", "not typing.TYPE_CHECKING"];
    let next = lines[at + 1..].iter().find(|line| !line.is_empty());
    let leaves = |line: &String| ["return", "raise", "yield"].iter().any(|word| line.starts_with(word));
    language == Language::Python && is_asked.contains(&condition) && next.is_some_and(leaves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_beside_the_clock_and_a_moment_are_fixed_times() {
        for line in [
            "if time.Now().Year() < 2027 {",
            "if now < 1_797_000_000 && !text.is_empty() {",
            "return Date.now() > 1797000000000 ? old(a) : a;",
            "if date.today().year >= 2027:",
        ] {
            assert!(is_fixed_time(line), "{line}");
        }
        for line in [
            "if year < 2027 {",
            "let then = Date.now() + 86_400_000;",
            "if time.Since(start) > 3600 {",
            "const EPOCH: u64 = 1_700_000_000;",
            "if n < 4_294_967_296 {",
        ] {
            assert!(!is_fixed_time(line), "{line}");
        }
    }

    #[test]
    fn a_way_out_for_the_checker_alone_is_found() {
        let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        let is_one = |text: &str| is_for_checker(Language::Python, &lines(text), 0);
        assert!(is_one("if TYPE_CHECKING:\n    return 0\n"));
        assert!(is_one("if not TYPE_CHECKING:\n\n    return len(a)\n"));
        assert!(!is_one("if TYPE_CHECKING:\n    from a import B\n"));
        assert!(!is_one("if TYPE_CHECKING:\n    Rows = list[int]\n"));
    }
}
