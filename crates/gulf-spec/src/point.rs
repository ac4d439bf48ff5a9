//! How a person names an iteration: `LOOP@7`, `LOOP@7..9`, `@7`, `LOOP`, or nothing at all.
//!
//! Apart from the command line because several commands take the same form, and one form must mean one thing. Which loops
//! and iterations there are is not known here.

#[cfg(test)]
mod tests;

use crate::problem::Mistake;

/// Stands between a loop and what is meant of it.
const AT: char = '@';
/// Stands between two iterations.
const TO: &str = "..";

/// One iteration of one loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Point {
    /// A loop's id or its beginning; without one the newest here is meant.
    pub loop_id: Option<String>,
    /// 0 is the start; without a number the last one is meant.
    pub iteration: Option<u32>,
}

/// What lies between two points of one loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PointSpan {
    /// As [`Point::loop_id`].
    pub loop_id: Option<String>,
    pub steps: StepRange,
}

/// From where to where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StepRange {
    /// From the start to the last iteration.
    #[default]
    All,
    /// What this iteration did.
    Of(u32),
    /// The later may stand first: then it is the way back.
    Between { from: u32, to: u32 },
}

impl Point {
    /// Reads what a person typed; without anything the last iteration of the newest loop is meant.
    pub fn parse(text: Option<&str>) -> Result<Point, Mistake> {
        let Some(text) = text else { return Ok(Point::default()) };
        let (loop_id, behind) = parted(text)?;
        match behind {
            None => Ok(Point { loop_id, iteration: None }),
            Some(behind) if behind.contains(TO) => {
                let what = format!("`{text}` names two iterations, where one is wanted");
                Err(Mistake::error(what, "name one, such as LOOP@7; `gulf diff` takes two"))
            }
            Some(behind) => Ok(Point { loop_id, iteration: Some(number(text, behind)?) }),
        }
    }
}

impl PointSpan {
    /// Reads what a person typed; without anything the whole way of the newest loop is meant.
    pub fn parse(text: Option<&str>) -> Result<PointSpan, Mistake> {
        let Some(text) = text else { return Ok(PointSpan::default()) };
        // `@7..@9`, as git's ranges name both ends.
        let text = &text.replacen("..@", TO, 1);
        let (loop_id, behind) = parted(text)?;
        let steps = match behind.map(|behind| (behind, behind.split_once(TO))) {
            None => StepRange::All,
            Some((one, None)) => StepRange::Of(number(text, one)?),
            Some((_, Some((from, to)))) => {
                StepRange::Between { from: number(text, from)?, to: number(text, to)? }
            }
        };
        Ok(PointSpan { loop_id, steps })
    }
}

/// The loop, and what stands behind the last `@`: a loop's name may hold one.
fn parted(text: &str) -> Result<(Option<String>, Option<&str>), Mistake> {
    let (loop_id, behind) = match text.rsplit_once(AT) {
        None => (text, None),
        Some((_, "")) => return Err(names_none(text, "nothing follows the @")),
        Some((loop_id, behind)) => (loop_id, Some(behind)),
    };
    Ok(((!loop_id.is_empty()).then(|| loop_id.to_owned()), behind))
}

/// Digits alone: `+7` and `٧` are no numbers that gulf ever printed.
fn number(text: &str, digits: &str) -> Result<u32, Mistake> {
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let read = if is_plain { digits.parse().ok() } else { None };
    read.ok_or_else(|| names_none(text, &format!("`{digits}` is not a number")))
}

fn names_none(text: &str, why: &str) -> Mistake {
    let help = "LOOP@7 is iteration 7, LOOP@0 the start, LOOP alone the last iteration";
    Mistake::error(format!("`{text}` names no iteration: {why}"), help)
}
