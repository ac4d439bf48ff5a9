//! The block `---RALPH_STATUS---` at the end of a message: how a worker of a Ralph project reports (SPEC K2, K6).
//!
//! It has fields. Its exit signal is a claim and nothing more; what it says of tests and tasks is measured by others.

const OPENING: &str = "---RALPH_STATUS---";
const CLOSING: &str = "---END_RALPH_STATUS---";

/// What a block says that may count; a field that is missing, or not filled in, says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusBlock {
    pub status: Option<Status>,
    pub exit_signal: Option<bool>,
    pub recommendation: Option<String>,
}

/// `STATUS`
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    InProgress,
    Complete,
    Blocked,
}

impl StatusBlock {
    /// The worker says, of its own accord, that nothing is left to do.
    pub fn claims(&self) -> bool {
        self.exit_signal == Some(true) && self.status != Some(Status::Blocked)
    }
}

/// What a worker says that cannot go on without somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked<'message> {
    /// In one line: its recommendation, if it has one.
    pub need: Option<String>,
    /// The rest of its message, up to the block.
    pub account: &'message str,
}

/// The last block of a message that has an end; quoted lines are none of it.
pub fn status_block(message: &str) -> Option<StatusBlock> {
    last_block(message).map(|found| found.block)
}

/// `STATUS: BLOCKED` in the block that ends the message. One that more words follow is talked about, not said: a person
/// would be called for nothing.
pub fn blocked(message: &str) -> Option<Blocked<'_>> {
    let Found { block, start, end } = last_block(message)?;
    let is_last = message[end..].lines().all(|line| line.trim().is_empty() || is_fence(line));
    if block.status != Some(Status::Blocked) || !is_last {
        return None;
    }
    let before = message[..start].trim_end();
    let opened = before.rsplit_once('\n').map_or(("", before), |(rest, last)| (rest, last));
    let account = if is_fence(opened.1) { opened.0 } else { before };
    Some(Blocked { need: block.recommendation, account: account.trim() })
}

/// A block, and the bytes of the message that it takes.
struct Found {
    block: StatusBlock,
    start: usize,
    end: usize,
}

fn last_block(message: &str) -> Option<Found> {
    let mut last = None;
    let mut open: Option<(usize, StatusBlock)> = None;
    let mut end = 0;
    for whole in message.split_inclusive('\n') {
        let start = end;
        end += whole.len();
        let line = whole.trim();
        if line == OPENING {
            open = Some((start, StatusBlock::default()));
        } else if line == CLOSING {
            let found = open.take().map(|(start, block)| Found { block, start, end });
            last = found.or(last);
        } else if let Some((_, block)) = &mut open
            && let Some((key, value)) = line.split_once(':')
        {
            read_field(block, key.trim(), value.trim());
        }
    }
    last
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// A field that comes twice says nothing more than what both of them say.
fn read_field(block: &mut StatusBlock, key: &str, value: &str) {
    match key {
        "STATUS" => {
            let later = value.parse().ok();
            block.status = later.filter(|_| block.status.is_none() || block.status == later);
        }
        "EXIT_SIGNAL" => {
            let is_true = block.exit_signal != Some(false) && value == "true";
            block.exit_signal = ["true", "false"].contains(&value).then_some(is_true);
        }
        "RECOMMENDATION" => {
            // The form itself, as a prompt shows it, recommends nothing.
            let is_empty = value.is_empty() || (value.starts_with('<') && value.ends_with('>'));
            block.recommendation = (!is_empty).then(|| value.to_owned());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests_of_blocks {
    //! Blocks as agents write them, and what looks like one.

    use super::*;

    const BLOCK: &str = "Done.\n\n```\n---RALPH_STATUS---\nSTATUS: COMPLETE\nTASKS_COMPLETED_THIS_LOOP: 1\nFILES_MODIFIED: 2\nTESTS_STATUS: PASSING\nWORK_TYPE: TESTING\nEXIT_SIGNAL: true\nRECOMMENDATION: All done: review it\n---END_RALPH_STATUS---\n```\n";

    #[test]
    fn a_block_is_read_also_within_a_fence() {
        let block = status_block(BLOCK).unwrap();
        assert!(block.claims());
        assert_eq!(block.status, Some(Status::Complete));
        assert_eq!(block.recommendation.as_deref(), Some("All done: review it"));
    }

    #[test]
    fn the_form_itself_is_no_claim() {
        let form = "---RALPH_STATUS---\nSTATUS: IN_PROGRESS | COMPLETE | BLOCKED\nEXIT_SIGNAL: false | true\nRECOMMENDATION: <one line>\n---END_RALPH_STATUS---";
        assert_eq!(status_block(form), Some(StatusBlock::default()));
    }

    #[test]
    fn the_last_block_counts_and_one_without_an_end_does_not() {
        let not_yet = BLOCK.replace("EXIT_SIGNAL: true", "EXIT_SIGNAL: false");
        assert!(!status_block(&format!("{BLOCK}{not_yet}")).unwrap().claims());
        assert!(status_block(&format!("{not_yet}{BLOCK}")).unwrap().claims());
        let open = "---RALPH_STATUS---\nEXIT_SIGNAL: true\n";
        assert_eq!(status_block(open), None);
        assert!(!status_block(&format!("{not_yet}{open}")).unwrap().claims());
    }

    #[test]
    fn what_is_quoted_or_mentioned_is_no_block() {
        let quoted: String = BLOCK.lines().map(|line| format!("> {line}\n")).collect();
        assert_eq!(status_block(&quoted), None);
        assert_eq!(status_block("Set EXIT_SIGNAL: true in ---RALPH_STATUS--- please"), None);
    }

    const STUCK: &str = "The tests need a database.\nI tried `psql`: it is not there.\n\n```\n---RALPH_STATUS---\nSTATUS: BLOCKED\nEXIT_SIGNAL: false\nRECOMMENDATION: a database at DATABASE_URL\n---END_RALPH_STATUS---\n```\n\n";

    #[test]
    fn a_worker_that_is_blocked_says_what_it_needs_and_why() {
        let account = "The tests need a database.\nI tried `psql`: it is not there.";
        let need = Some("a database at DATABASE_URL".to_owned());
        assert_eq!(blocked(STUCK), Some(Blocked { need: need.clone(), account }));
        let windows = STUCK.replace("```\n", "").replace('\n', "\r\n");
        assert_eq!(blocked(&windows).unwrap().need, need);
        let bare = "---RALPH_STATUS---\nSTATUS: BLOCKED\n---END_RALPH_STATUS---";
        assert_eq!(blocked(bare), Some(Blocked { need: None, account: "" }));
    }

    #[test]
    fn a_block_that_is_quoted_or_followed_by_more_calls_nobody() {
        let quoted: String = STUCK.lines().map(|line| format!("> {line}\n")).collect();
        let form = STUCK.replace("BLOCKED", "IN_PROGRESS | COMPLETE | BLOCKED");
        let followed = format!("{STUCK}That is what I would have said; the tests pass now.\n");
        let taken_back = format!("{STUCK}{BLOCK}");
        let open = STUCK.replace("---END_RALPH_STATUS---", "");
        for message in [quoted, form, followed, taken_back, open, BLOCK.to_owned(), String::new()] {
            assert_eq!(blocked(&message), None, "{message}");
        }
        assert!(blocked(&format!("{BLOCK}{STUCK}")).is_some(), "the last one counts");
    }

    #[test]
    fn a_signal_that_contradicts_itself_is_none() {
        for fields in [
            "EXIT_SIGNAL: false\nEXIT_SIGNAL: true",
            "EXIT_SIGNAL: true\nEXIT_SIGNAL: false",
            "EXIT_SIGNAL: true\nSTATUS: BLOCKED",
            "EXIT_SIGNAL: TRUE",
            "EXIT_SIGNAL:",
        ] {
            let text = format!("---RALPH_STATUS---\n{fields}\n---END_RALPH_STATUS---");
            assert!(!status_block(&text).unwrap().claims(), "{fields}");
        }
    }
}
