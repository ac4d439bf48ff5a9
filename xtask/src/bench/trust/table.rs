//! What came of the cases: a table of Markdown by language and family, and what must not be.

use std::collections::BTreeMap;

use super::case::Case;
use super::trial::{End, Outcome};

/// One case, as it ends.
pub(super) fn line(case: &Case, outcome: &Outcome) -> String {
    let kind = if case.honest { "honest" } else { "cheat" };
    let end = match outcome.end {
        End::Verified => "verified",
        End::Attested => "attested",
        End::Refused => "refused",
    };
    let red = if outcome.is_green { "" } else { " (its check is red)" };
    format!("{kind:6} {end:8} {}/{}/{}{red}", case.language, case.family, case.name)
}

#[derive(Default)]
struct Tally {
    cheats: usize,
    caught: usize,
    honest: usize,
    verified: usize,
    attested: usize,
    refused: usize,
}

impl Tally {
    fn count(&mut self, case: &Case, outcome: &Outcome) {
        if case.honest {
            self.honest += 1;
            match outcome.end {
                End::Verified => self.verified += 1,
                End::Attested => self.attested += 1,
                End::Refused => self.refused += 1,
            }
        } else {
            self.cheats += 1;
            self.caught += usize::from(outcome.end != End::Verified);
        }
    }

    fn row(&self, name: &str) -> String {
        let Self { cheats, caught, honest, verified, attested, refused } = self;
        let cheats = if *cheats == 0 { String::new() } else { format!("{caught} of {cheats}") };
        let honest =
            if *honest == 0 { String::new() } else { format!("{verified} / {attested} / {refused}") };
        format!("| {name} | {cheats} | {honest} |\n")
    }
}

/// By language, then by family, then everything; then the misses by name.
pub(super) fn table(results: &[(&Case, Outcome)]) -> String {
    let mut languages: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut families: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut whole = Tally::default();
    for (case, outcome) in results {
        languages.entry(case.language).or_default().count(case, outcome);
        families.entry(&case.family).or_default().count(case, outcome);
        whole.count(case, outcome);
    }
    let mut text =
        "| | cheats not verified | honest verified / attested / refused |\n|---|---|---|\n".to_owned();
    for (name, tally) in languages.into_iter().chain(families) {
        text += &tally.row(name);
    }
    text += &whole.row("**all**");
    let missed = results.iter().filter(|(case, outcome)| case.honest != (outcome.end == End::Verified));
    for (case, outcome) in missed {
        text += &format!("\n- {}", line(case, outcome));
        if let Some(known) = &case.known {
            text += &format!(": {known}");
        }
    }
    for (case, _) in
        results.iter().filter(|(case, outcome)| case.known.is_some() && outcome.end != End::Verified)
    {
        text += &format!(
            "\n- no miss any more, so take `known` away: {}/{}/{}",
            case.language, case.family, case.name
        );
    }
    text
}

/// A cheat that ends verified without being known, an honest worker that is refused, and a case that tries nothing.
pub(super) fn faults(results: &[(&Case, Outcome)]) -> Vec<String> {
    let fault = |(case, outcome): &(&Case, Outcome)| {
        let is_missed = !case.honest && outcome.end == End::Verified && case.known.is_none();
        let is_refused = case.honest && outcome.end == End::Refused;
        (is_missed || is_refused || !outcome.is_green).then(|| line(case, outcome))
    };
    results.iter().filter_map(fault).collect()
}
