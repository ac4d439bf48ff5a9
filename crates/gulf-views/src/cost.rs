//! What was spent, in people's words and for programs (SPEC B12).
//!
//! A figure that nobody told looks like one wherever it is shown: `~` before what a price table made, `assumed` where the
//! dearest that is plausible was taken.

#[cfg(test)]
mod tests;

use gulf_engine::{Basis, Spending, Spent};
use serde::{Deserialize, Serialize};

const MICRODOLLARS_PER_CENT: u64 = 10_000;

/// Worker and judge together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Millionths of a US dollar.
    pub microdollars: u64,
    /// All kinds of tokens together.
    pub tokens: u64,
    /// The worst one of all figures that were added.
    pub basis: Basis,
    /// The part of the money that nobody told.
    pub assumed_microdollars: u64,
}

impl Cost {
    /// None where nothing was spent.
    pub fn from_spending(spending: &Spending) -> Option<Cost> {
        let Spent { microdollars, tokens, basis } = spending.total;
        let cost = Cost { microdollars, tokens, basis, assumed_microdollars: spending.assumed.microdollars };
        cost.unless_nothing()
    }

    /// What one effect cost, where it cost something.
    pub(crate) fn of_one(spent: &Spent) -> Option<Cost> {
        let mut cost = Cost::default();
        cost.add(spent);
        cost.unless_nothing()
    }

    pub(crate) fn add(&mut self, spent: &Spent) {
        self.microdollars = self.microdollars.saturating_add(spent.microdollars);
        self.tokens = self.tokens.saturating_add(spent.tokens);
        self.basis = self.basis.max(spent.basis);
        if spent.basis == Basis::Assumed {
            self.assumed_microdollars = self.assumed_microdollars.saturating_add(spent.microdollars);
        }
    }

    pub(crate) fn unless_nothing(self) -> Option<Cost> {
        (self != Cost::default()).then_some(self)
    }

    /// `$1.24`, `~$1.24`, `$1.24 assumed`, `~$1.24 ($0.50 assumed)`; tokens where there is no money.
    pub(crate) fn brief(&self) -> String {
        if self.microdollars == 0 && self.tokens == 0 {
            return "cost unknown".to_owned();
        }
        let money = if self.microdollars == 0 { tokens(self.tokens) } else { dollars(self.microdollars) };
        if self.microdollars == 0 {
            return if self.basis == Basis::Assumed { format!("{money} assumed") } else { money };
        }
        match self.basis {
            Basis::Told => money,
            Basis::Priced => format!("~{money}"),
            Basis::Assumed if self.assumed_microdollars >= self.microdollars => format!("{money} assumed"),
            Basis::Assumed => format!("~{money} ({} assumed)", dollars(self.assumed_microdollars)),
        }
    }

    /// The same with the tokens: `~$1.24, 120k tokens`.
    pub(crate) fn whole(&self) -> String {
        self.with_tokens(self.brief())
    }

    /// Where there is no money, tokens stand in its place already.
    pub(crate) fn with_tokens(&self, money: String) -> String {
        if self.microdollars == 0 || self.tokens == 0 {
            return money;
        }
        format!("{money}, {}", tokens(self.tokens))
    }

    /// With what may be spent.
    pub(crate) fn of_budget(&self, microdollars_max: Option<u64>) -> String {
        let spent = self.brief();
        microdollars_max.map_or(spent.clone(), |max| format!("{spent} of {}", dollars(max)))
    }

    /// With what may be spent, and what a claim came to: `~$1.24 of $5.00, $0.41 a claim`.
    pub(crate) fn measured(&self, microdollars_max: Option<u64>, claims: u32) -> String {
        let spent = self.of_budget(microdollars_max);
        // Of a single claim, the whole says it all.
        let each = self.each(claims).filter(|_| claims > 1).map(|each| format!(", {each} a claim"));
        spent + &each.unwrap_or_default()
    }

    /// What each of so many came to on average; nothing where there is none, or no money.
    pub(crate) fn each(&self, count: u32) -> Option<String> {
        let microdollars = self.microdollars.checked_div(u64::from(count))?;
        (self.microdollars > 0).then(|| dollars(microdollars))
    }
}

/// `$1.24`, and `<$0.01` where rounding would make nothing of it.
pub(crate) fn dollars(microdollars: u64) -> String {
    let cents = microdollars.saturating_add(MICRODOLLARS_PER_CENT / 2) / MICRODOLLARS_PER_CENT;
    if cents == 0 && microdollars > 0 {
        return "<$0.01".to_owned();
    }
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// `850 tokens`, `1.2k tokens`, `120k tokens`, `3.4M tokens`.
pub(crate) fn tokens(number: u64) -> String {
    let noun = if number == 1 { "token" } else { "tokens" };
    format!("{} {noun}", rounded(number))
}

/// `850`, `1.2k`, `120k`, `3.4M`.
pub(crate) fn rounded(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..10_000 => format!("{}.{}k", number / 1_000, number % 1_000 / 100),
        10_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000.. => format!("{}.{}M", number / 1_000_000, number % 1_000_000 / 100_000),
    }
}
