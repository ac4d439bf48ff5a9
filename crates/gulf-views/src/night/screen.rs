//! The night as a screen: a few lines for each loop, those that need a person in full.

use super::{Night, NightGroup, NightLoop};
use crate::look::Look;
use crate::phrase::{Phrase, attention, say, secondary};
use crate::screen::{INDENT, heading};

/// Nothing but the sentence where no loop did anything.
pub fn night(night: &Night, look: Look) -> String {
    let mut screen =
        say(format!("since {}", night.since)).say(": ").say(&night.brief).paragraph(look, INDENT);
    for (group, loops) in night.groups() {
        let title = match group {
            NightGroup::NeedsYou => attention(group.title()),
            NightGroup::Runs | NightGroup::Failed | NightGroup::Finished => say(group.title()),
        };
        screen.push_str(&heading(title, look));
        loops.iter().for_each(|one| screen.push_str(&told(one, look)));
    }
    screen
}

fn told(one: &NightLoop, look: Look) -> String {
    let head = say(format!("  {}  ", one.handle))
        .tone(one.tone, one.standing.word())
        .say(format!("  {}", one.title));
    let mut lines = vec![secondary(&one.meaning)];
    lines.extend(one.questions.iter().map(attention));
    if one.group != NightGroup::Runs {
        lines.push(say(format!("proven: {}", one.proven)));
        lines.push(say(format!("not proven: {}", one.not_proven)));
    }
    lines.extend(one.changed.iter().map(|changed| say(format!("changed: {changed}"))));
    lines.extend(one.look_first.iter().map(|first| say(format!("look first: {first}"))));
    lines.push(secondary(&one.spent));
    if let Some(next) = &one.next {
        lines.push(Phrase::new().literal(&next.command).say(format!("  {}", next.purpose)));
    }
    let indented = lines.into_iter().map(|line| say("      ").join(line).paragraph(look, 8));
    head.paragraph(look, 6) + &indented.collect::<String>()
}
