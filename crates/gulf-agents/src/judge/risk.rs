//! The risk that a judge approves once what it should not, in basis points and without floats (SPEC B4).
//!
//! Apart because it is shown with every verdict: a call of a judge is a lottery ticket, and a loop draws many.

use super::verdict::Votes;

/// Assumed risk of one false approval, where nobody has measured the judge: 5 %.
pub const FALSE_APPROVAL_BP: u32 = 500;

const WHOLE_BP: u32 = 10_000;
/// The fixed point of the calculation; its square fits into 128 bits.
const ONE: u128 = 1_000_000_000_000_000_000;

/// The risk of at least one false approval in so many tries, rounded up: `1 - (1 - p)^t`.
///
/// It takes the tries as independent. A risk above 10 000 counts as that.
pub fn false_approval_risk_bp(tries: u32, per_try_bp: u32) -> u32 {
    let right = ONE - share(per_try_bp);
    round_up(ONE - power(right, tries))
}

/// The risk of one try with several judges, rounded up: that at least the needed number of them is wrong at once.
///
/// It takes them as independent, which judges of one model are not.
pub fn approval_by_chance_bp(votes: Votes, per_judge_bp: u32) -> u32 {
    let wrong = share(per_judge_bp);
    let right = ONE - wrong;
    let risk: u128 = (votes.needed()..=votes.of())
        .map(|count| {
            let together = power(wrong, count) * power(right, votes.of() - count) / ONE;
            together * combinations(votes.of(), count)
        })
        .sum();
    round_up(risk.min(ONE))
}

fn share(basis_points: u32) -> u128 {
    u128::from(basis_points.min(WHOLE_BP)) * ONE / u128::from(WHOLE_BP)
}

/// By squaring: `base` is at most one, and each step rounds it down, so that a risk is never understated.
fn power(base: u128, exponent: u32) -> u128 {
    let (mut result, mut square, mut left) = (ONE, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = result * square / ONE;
        }
        square = square * square / ONE;
        left /= 2;
    }
    result
}

fn combinations(of: u32, count: u32) -> u128 {
    (0..count).fold(1, |result, index| result * u128::from(of - index) / u128::from(index + 1))
}

fn round_up(share: u128) -> u32 {
    let basis_points = (share * u128::from(WHOLE_BP)).div_ceil(ONE);
    u32::try_from(basis_points).unwrap_or(WHOLE_BP)
}
