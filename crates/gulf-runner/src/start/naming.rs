//! What a loop is called on disk: the minute it began in, and the first words of its goal.
//!
//! It stands apart because a name is taken by making its folder, which two starts may do at once.

use std::fs;
use std::io;

use gulf_host::clock::{Clock, basic_minute};
use gulf_host::home::Name;
use gulf_spec::goal::goal_title;

use crate::error::RunError;
use crate::place::PlaceOfWork;

/// How long a loop's name may be, of the goal's words.
const SLUG_CHARS_MAX: usize = 40;
/// So many loops may start in one minute with one goal.
const SAME_NAME_MAX: u32 = 1000;

/// A name that no loop has, and from now on this one: the minute, and the goal's first words.
pub(super) fn new_name(place: &PlaceOfWork, goal: &str, clock: &Clock) -> Result<Name, RunError> {
    let first = format!("{}_{}", basic_minute(clock.wall_ms()), slug(goal));
    for number in 1..SAME_NAME_MAX {
        let text = if number == 1 { first.clone() } else { format!("{first}-{number}") };
        let name = Name::parse(&text).map_err(|source| RunError::Name { source })?;
        let home = place.loop_home(&name);
        // Loops of one repository may be started at the same time, each in a checkout of its own.
        match fs::create_dir(home.root()) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(RunError::Directory { path: home.root().to_owned(), source }),
        }
    }
    Err(RunError::NoFreeName { name: first })
}

fn slug(goal: &str) -> String {
    let words = goal_title(goal)
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words {
        if slug.chars().count() + word.chars().count() >= SLUG_CHARS_MAX {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word.to_lowercase());
    }
    if slug.is_empty() { "loop".to_owned() } else { slug }
}
