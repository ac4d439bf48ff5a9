//! Answers that lie in a channel and nobody has taken in: shown by commands that only look.
//!
//! It changes nothing: what lies there counts from the next `gulf resume` on.

use std::sync::Arc;

use gulf_engine::Stage;
use gulf_host::clock::Clock;
use gulf_runner::agreement::Agreement;
use gulf_runner::book;
use gulf_runner::channels::admission::{unheard, would_mean};
use gulf_runner::channels::{ChannelAnswer, Channels};
use gulf_runner::start::KnownLoop;
use gulf_views::{ChannelFacts, UnreadFacts};

use super::notices::notices;
use crate::failure::Failure;

/// What lies in the channels of a paused loop, by the channel's name. What cannot be read is as if it were not there: its
/// trouble is shown with the channel.
pub fn unread(known: &KnownLoop, agreement: &Agreement) -> Result<Vec<(String, UnreadFacts)>, Failure> {
    if !matches!(&known.fold.state.stage, Stage::Paused(..)) {
        return Ok(Vec::new());
    }
    let root = known.home.root();
    let clock = Arc::new(Clock::new());
    let Some(channels) = Channels::from_agreement(agreement, root, clock)? else { return Ok(Vec::new()) };
    let mut channels = channels.only_looking();
    let asked = notices(agreement, &known.home, &book::read(root)?, &known.fold.state);
    let heard = unheard(root, channels.hear(&asked)?)?;
    let counts = |one: &ChannelAnswer| {
        let notice = asked.iter().find(|notice| notice.key == one.key);
        notice.is_some_and(|notice| would_mean(notice, one).is_some())
    };
    let told =
        |one: ChannelAnswer| (one.by.channel, UnreadFacts { key: one.key, who: one.by.who, text: one.text });
    Ok(heard.into_iter().filter(counts).map(told).collect())
}

/// The same, put where the channels are shown.
pub fn look_at_unread(
    known: &KnownLoop,
    agreement: &Agreement,
    channels: &mut [ChannelFacts],
) -> Result<(), Failure> {
    if channels.is_empty() {
        return Ok(());
    }
    for (name, facts) in unread(known, agreement)? {
        if let Some(channel) = channels.iter_mut().find(|channel| channel.name == name) {
            channel.unread.push(facts);
        }
    }
    Ok(())
}
