//! The agent `command:"…"`: any program, prompt on its stdin, final message on its stdout.
//!
//! It is the smallest agent there is: no protocol, so the only thing to understand is what counts as the final
//! message and as a promise in it (SPEC B6). The host starts the process; nothing here touches one.

#[cfg(test)]
mod tests;

/// Bytes of stdout that are kept of a final message; the end counts, because promises stand there.
pub const MESSAGE_BYTES_MAX: usize = 1024 * 1024;

/// What `gulf claim` and `gulf ask` answer on the standard output of whoever types them.
pub mod own_words {
    /// To a claim to be done.
    pub const CLAIMED: &str = "claimed: the gates are asked when this turn ends";
    /// To a question.
    pub const ASKED: &str = "asked: the loop rests when this turn ends, until a person answers; finish what does not \
                             depend on it, then end your turn";
    /// To a question about what must not be done before its answer.
    pub const ASKED_FIRST: &str = "asked: the loop rests when this turn ends, until a person answers; do nothing of it \
                                   before, finish what does not depend on it, then end your turn";
}

/// The message without what gulf itself answered in between: none of it is the worker's word.
pub fn without_own_words(message: &str) -> String {
    let own = [own_words::CLAIMED, own_words::ASKED, own_words::ASKED_FIRST];
    message.split_inclusive('\n').filter(|line| !own.contains(&line.trim_end())).collect()
}

/// A program's stdout as its final message: lossy UTF-8, its end if it is too long, cut before a whole line.
pub fn final_message(stdout: &[u8]) -> String {
    if stdout.len() <= MESSAGE_BYTES_MAX {
        return String::from_utf8_lossy(stdout).into_owned();
    }
    let tail = &stdout[stdout.len() - MESSAGE_BYTES_MAX..];
    let line_end = tail.iter().position(|byte| *byte == b'\n');
    // Without a line end within the limit there is no whole line, and half a line is nobody's word.
    let tail = line_end.map_or(&[][..], |end| &tail[end + 1..]);
    String::from_utf8_lossy(tail).into_owned()
}

/// Does a shell's text run `gulf claim done`? It asks for the gates and for nothing else: to see it where a quoted text only
/// looks like it does no harm.
pub fn runs_claim(text: &str) -> bool {
    text.split(['\n', ';', '&', '|', '(', ')', '{', '}']).any(|part| {
        let is_variable = |word: &&str| word.contains('=');
        let mut words =
            part.split_whitespace().skip_while(is_variable).map(|word| word.trim_matches(['\'', '"']));
        let program = words.next().map(|word| word.rsplit('/').next().unwrap_or(word));
        program == Some("gulf") && words.next() == Some("claim") && words.next() == Some("done")
    })
}

/// Is the text the last line of the message, alone on it? One pair of backticks or of asterisks is allowed.
pub fn is_last_line(message: &str, text: &str) -> bool {
    let last = message.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let bare = |line: &str| {
        let line = line.strip_prefix("**").and_then(|line| line.strip_suffix("**")).unwrap_or(line);
        line.strip_prefix('`').and_then(|line| line.strip_suffix('`')).unwrap_or(line) == text.trim()
    };
    !text.trim().is_empty() && last.is_some_and(bare)
}

/// Finds `<promise>TEXT</promise>` in a final message: the line where it stands, from 1.
///
/// It counts alone on its line, outside code fences and quotes; blanks around it, a carriage return and one pair
/// of backticks are allowed. The last one is named.
pub fn promise(message: &str, text: &str) -> Option<usize> {
    if text.trim().is_empty() {
        return None;
    }
    let wanted = format!("<promise>{text}</promise>");
    let mut fence: Option<CodeFence> = None;
    let mut found = None;
    for (index, line) in message.split('\n').enumerate() {
        // A quoted line is nobody's promise.
        if without_list_marks(line).starts_with('>') {
            continue;
        }
        match &fence {
            Some(open) if open.is_closed_by(line) => fence = None,
            Some(_) => {}
            None => {
                fence = CodeFence::opened_by(line);
                if alone(line) == wanted {
                    found = Some(index + 1);
                }
            }
        }
    }
    found
}

/// A code fence (CommonMark §4.5), also one that opens within an item of a list.
struct CodeFence {
    mark: char,
    length: usize,
    indent: usize,
}

impl CodeFence {
    fn opened_by(line: &str) -> Option<Self> {
        let text = without_list_marks(line);
        let mark = text.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        let is_inline_code = mark == '`' && info.contains('`');
        (length >= 3 && !is_inline_code).then_some(Self { mark, length, indent: line.len() - text.len() })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let text = line.trim_start();
        let rest = text.trim_start_matches(self.mark);
        let indent = line.len() - text.len();
        text.len() - rest.len() >= self.length && rest.trim().is_empty() && indent <= self.indent + 3
    }
}

fn without_list_marks(line: &str) -> &str {
    let mut text = line.trim_start();
    loop {
        let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
        let marks: &[char] = if rest.len() < text.len() { &['.', ')'] } else { &['-', '*', '+'] };
        match rest.strip_prefix(marks) {
            Some(rest) if rest.starts_with([' ', '\t']) => text = rest.trim_start(),
            Some(_) | None => return text,
        }
    }
}

fn alone(line: &str) -> &str {
    let text = line.trim();
    text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or(text)
}
