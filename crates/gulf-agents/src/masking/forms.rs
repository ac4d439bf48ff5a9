//! The forms of well-known secrets: tokens with a prefix, private keys, credentials in addresses and headers.
//!
//! Each is a rule of somebody else's, as their documentation and secret scanners have it. A form is asked for more
//! than its prefix, or ordinary words (`sk-learn`, `npm_config_registry`) would become stars.

use std::ops::Range;

use super::names::{is_of_a_word, is_ordinary, is_secret_name};
use super::some;
use crate::patterns::{form, parts};

/// So far a secret is followed: a key is shorter, and a text need not be read to its end for each anchor.
const SECRET_BYTES_MAX: usize = 16 * 1024;
/// A password that is a variable, a template or a placeholder is none.
const PLACEHOLDERS: [char; 6] = ['$', '{', '<', '%', '*', '('];

/// What an anchor announces.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// At least so many characters of a kind behind the prefix.
    Token { least: usize, of: Characters },
    /// What this finds in a text where such an anchor stands.
    Other(fn(&str, &Range<usize>) -> Option<Range<usize>>),
}

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Characters {
    /// Letters and digits.
    Plain,
    /// Capital letters and digits, so many and no more.
    Capitals,
    /// Also `_`, `-` and `.`.
    Joined,
    /// The same, with a digit and a capital letter among them: other words begin so.
    Random,
    /// Also slashes.
    Path,
}

use Characters::{Capitals, Joined, Path, Plain, Random};

/// Prefixes, as their owners document them.
const TOKENS: [(&[&str], usize, Characters); 29] = [
    // AWS
    (&["AKIA", "ASIA"], 16, Capitals),
    // GitHub, GitLab
    (&["ghp_", "gho_", "ghu_", "ghr_"], 30, Plain),
    (&["ghs_"], 30, Joined),
    (&["github_pat_"], 22, Joined),
    (&["glpat-", "glrt-", "gldt-", "glcbt-"], 16, Joined),
    // Slack
    (&["xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-"], 10, Joined),
    (&["hooks.slack.com/services/", "discord.com/api/webhooks/"], 20, Path),
    // Google
    (&["AIza"], 30, Joined),
    (&["ya29.", "GOCSPX-"], 20, Joined),
    // OpenAI, Anthropic and other models
    (&["sk-"], 20, Random),
    (&["sk_live_", "sk_test_", "rk_live_", "rk_test_"], 16, Plain),
    (&["whsec_"], 20, Plain),
    (&["gsk_", "xai-", "pplx-"], 40, Plain),
    (&["hf_", "r8_"], 30, Plain),
    // Registries
    (&["npm_"], 36, Plain),
    (&["pypi-"], 50, Joined),
    (&["dckr_pat_"], 20, Joined),
    (&["rubygems_"], 40, Plain),
    (&["cio"], 32, Plain),
    // Others
    (&["SG."], 40, Random),
    (&["dop_v1_"], 40, Plain),
    (&["shpat_", "shpss_"], 30, Plain),
    (&["hvs."], 24, Joined),
    (&["tskey-"], 20, Joined),
    (&["lin_api_"], 30, Plain),
    (&["sntrys_", "glsa_"], 30, Joined),
    (&["AGE-SECRET-KEY-1"], 30, Plain),
    (&["access_token="], 16, Random),
    (&["X-Amz-Signature="], 16, Plain),
];
const HEADERS: [&str; 11] = [
    "Authorization", "authorization", "AUTHORIZATION", "X-Api-Key:", "x-api-key:", "Private-Token:",
    "PRIVATE-TOKEN:", "_authToken=", "aws_secret_access_key = ", "aws_secret_access_key=",
    "aws_session_token = ",
];
const ASSIGNMENTS: [&str; 10] = [
    "KEY=", "TOKEN=", "SECRET=", "PASSWORD=", "PASSWD=", "PASSPHRASE=", "PASS=", "CREDENTIALS=", "PAT=",
    "PWD=",
];
const OTHERS: [(Form, &[&str]); 7] = [
    (Form::Other(web_token), &["eyJ"]),
    (Form::Other(key_body), &["-----BEGIN "]),
    (Form::Other(cut_key), &["-----END "]),
    (Form::Other(password), &["://"]),
    (Form::Other(header), &HEADERS),
    (Form::Other(scheme), &["Bearer ", "bearer "]),
    (Form::Other(assignment), &ASSIGNMENTS),
];

/// What to look for.
pub(super) fn anchors() -> impl Iterator<Item = (&'static str, Form)> {
    let tokens = TOKENS.into_iter().map(|(prefixes, least, of)| (Form::Token { least, of }, prefixes));
    tokens.chain(OTHERS).flat_map(|(form, texts)| texts.iter().map(move |text| (*text, form)))
}

impl Form {
    /// The secret that stands where the anchor was found, if it is one.
    pub(super) fn secret(self, text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
        match self {
            Self::Token { least, of } => token(text, anchor, least, of),
            Self::Other(find) => find(text, anchor),
        }
    }
}

impl Characters {
    fn has(self, character: char) -> bool {
        match self {
            Plain => character.is_ascii_alphanumeric(),
            Capitals => character.is_ascii_uppercase() || character.is_ascii_digit(),
            Joined | Random => character.is_ascii_alphanumeric() || "_-.".contains(character),
            Path => character.is_ascii_alphanumeric() || "_-/".contains(character),
        }
    }
}

/// How long is the text's beginning that is made of these?
fn run(text: &str, is_one: impl Fn(char) -> bool) -> usize {
    text.char_indices().find(|(_, character)| !is_one(*character)).map_or(text.len(), |(place, _)| place)
}

fn begins_a_word(text: &str, place: usize) -> bool {
    !text[..place].ends_with(is_of_a_word)
}

fn token(text: &str, anchor: &Range<usize>, least: usize, of: Characters) -> Option<Range<usize>> {
    let rest = &text[anchor.end..];
    let length = run(rest, |character| of.has(character));
    let body = rest[..length].trim_end_matches(['.', '-', '/']);
    // The name of a field is no part of its value, nor is an address before its path.
    let is_behind_a_name = text[anchor.clone()].ends_with(['=', '/']);
    let has_digit = body.contains(|one: char| one.is_ascii_digit());
    let is_whole = match of {
        Capitals => body.len() == least && !rest[length..].starts_with(is_of_a_word),
        Random => body.len() >= least && has_digit && body.contains(|one: char| one.is_ascii_uppercase()),
        Plain | Joined | Path => body.len() >= least && has_digit,
    };
    let start = if is_behind_a_name { anchor.end } else { anchor.start };
    (is_whole && (is_behind_a_name || begins_a_word(text, anchor.start)))
        .then(|| start..anchor.end + body.len())
}

/// `eyJ….….…` (RFC 7519).
fn web_token(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let form = form!(r"^[A-Za-z0-9_=-]{8,}\.[A-Za-z0-9_=-]{8,}\.[A-Za-z0-9_.=-]*");
    let found = form.find(&text[anchor.start..]).filter(|_| begins_a_word(text, anchor.start))?;
    Some(anchor.start..anchor.start + found.len())
}

/// The first line of what follows, as a key's frame has it.
fn frame(text: &str) -> Option<usize> {
    form!("^[^\n]*?PRIVATE KEY(?: BLOCK)?-----").find(text).map(|frame| frame.end())
}

/// The body between `BEGIN` and `END` (RFC 7468).
fn key_body(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let start = anchor.end + frame(&text[anchor.end..])?;
    let window = &text[start..text.floor_char_boundary((start + SECRET_BYTES_MAX).min(text.len()))];
    let length = window.find("-----END ").unwrap_or_else(|| {
        // It was cut: what looks like its body is one.
        run(window, |one| one.is_ascii_alphanumeric() || "+/=\r\n\\ ".contains(one))
    });
    some(start..start + window[..length].trim_end_matches(['\n', '\r', ' ']).len())
}

/// The end of a body whose beginning was cut off.
fn cut_key(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    frame(&text[anchor.end..])?;
    let before = text[..anchor.start].trim_end();
    let from = before.ceil_char_boundary(before.len().saturating_sub(SECRET_BYTES_MAX));
    // Whole lines of nothing else, but for the first, which may be cut.
    let form = form!(r"(?:^|\n)((?:[ \t]*[A-Za-z0-9+/=]+[ \t\r]*\n)*[ \t]*[A-Za-z0-9+/=]+)$");
    let [body] = parts(form, &before[from..])?;
    some(before.len() - body.len()..before.len())
}

/// `scheme://user:password@host`.
fn password(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let place = anchor.end;
    let rest = &text[place..];
    let is_of_authority = |one: char| !one.is_whitespace() && !"/?#\"'<>`\\".contains(one);
    let length = run(rest, is_of_authority).min(SECRET_BYTES_MAX);
    let (user, _) = rest.get(..length)?.rsplit_once('@')?;
    match user.split_once(':') {
        Some((name, password)) if !password.starts_with(PLACEHOLDERS) => {
            some(place + name.len() + 1..place + user.len())
        }
        // A token alone in front of a host, as GitHub takes it.
        None if user.len() >= 16 && !is_ordinary(user) => some(place..place + user.len()),
        Some(_) | None => None,
    }
}

/// The value of a header, a setting or a field, whatever stands between it and its name.
fn header(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let place = anchor.end;
    let rest = &text[place..];
    let gap = run(rest, |one| "\"':= ".contains(one));
    let begins_well = gap > 0 || text[..place].ends_with([' ', '=', ':']);
    let mut start = place + gap;
    let word = run(&text[start..], |one| one.is_ascii_alphabetic());
    let is_scheme = word > 0 && text[start + word..].starts_with(' ') && gap > 0;
    if is_scheme {
        start += word + 1;
    }
    let length = run(&text[start..], |one| !one.is_whitespace() && !"\"'`,;)}".contains(one));
    let value = &text[start..start + length.min(SECRET_BYTES_MAX)];
    // `Basic authentication` is a word, and base 64 may have no digit.
    let is_encoded = is_scheme && value.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    let is_word = value.len() < 8 || (is_ordinary(value) && !is_encoded);
    let is_plain = value.starts_with(PLACEHOLDERS) || is_word;
    (begins_well && !is_plain).then(|| start..start + value.len())
}

/// `Bearer …` on its own.
fn scheme(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let rest = &text[anchor.end..];
    let length = run(rest, |one| one.is_ascii_alphanumeric() || "._~+/=-".contains(one));
    let value = rest[..length].trim_end_matches('.');
    let is_one = value.len() >= 16 && value.contains(|one: char| one.is_ascii_digit());
    (is_one && begins_a_word(text, anchor.start)).then(|| anchor.end..anchor.end + value.len())
}

/// As `env`, `set` and a shell's trace print variables; of a program's text only what is a constant.
fn assignment(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let is_of_name = |one: char| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_';
    let before = &text[..anchor.start];
    let head = before.len() - before.trim_end_matches(is_of_name).len();
    let name = &text[anchor.start - head..anchor.end - 1];
    if before[..before.len() - head].ends_with(is_of_a_word) || !is_secret_name(name) {
        return None;
    }
    let rest = &text[anchor.end..];
    let quote = rest.chars().next().filter(|one| "\"'".contains(*one));
    let start = anchor.end + usize::from(quote.is_some());
    let length = match quote {
        Some(quote) => run(&text[start..], |one| one != quote && one != '\n'),
        None => run(&text[start..], |one| !one.is_whitespace() && !"\"'`;&|,)".contains(one)),
    };
    let value = text.get(start..start + length.min(SECRET_BYTES_MAX))?;
    let is_code = value.starts_with(PLACEHOLDERS) || value.contains(['(', '$', '{']);
    (!is_code && !is_ordinary(value)).then(|| start..start + value.len())
}
