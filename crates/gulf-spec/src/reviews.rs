//! What those are asked who look at the work beside the judge (SPEC A4): criteria of gulf's own.
//!
//! Apart because they are a product of their own: a person's criteria say what the goal means, these what is always meant.

use gulf_engine::Reviewer;

const QA: [&str; 2] = [
    "Used as its users will use it, the work does what the goal asks: the scenarios that were run show it, and none of \
     them failed because of the work",
    "At the edges that the goal has (nothing, wrong or unusual input, a second use) it behaves as the goal and the manners \
     of the project demand",
];
const SECURITY: [&str; 3] = [
    "No secret stands in the change, is logged, or is sent where it does not belong",
    "What comes from outside is not trusted where it could do harm: in shells, queries, paths, pages, or without a bound \
     on memory and time",
    "Nothing that protected before is weaker: who may do what, what is checked, what is encrypted",
];
const DOCUMENTS: [&str; 2] = [
    "What the change does differently for its users is said where they look for it, as far as the project has such places: \
     README, documentation, help texts, changelog",
    "No document, comment or example of the project says what the change has made untrue",
];

/// The criteria of a reviewer, counted from 1.
pub fn criteria(by: Reviewer) -> Vec<String> {
    let criteria: &[&str] = match by {
        Reviewer::Qa => &QA,
        Reviewer::Security => &SECURITY,
        Reviewer::Documents => &DOCUMENTS,
    };
    criteria.iter().map(|text| (*text).to_owned()).collect()
}
