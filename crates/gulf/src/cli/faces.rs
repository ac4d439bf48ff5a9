//! Flags of the commands that draw loops for people: a page, a pull request, numbers over many.

use camino::Utf8PathBuf;
use clap::Args;
use gulf_views::ActKind;

use super::LoopArguments;

/// Flags of `gulf report`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf report\n  gulf report k3v9 --json\n  gulf report --html report.html               one file, to be opened or sent\n  gulf report --since yesterday                 all loops since then, what needs you first\n  gulf report --markdown | gh pr create --title \"a greeting\" --body-file -"
)]
pub struct LoopReportArguments {
    #[command(flatten)]
    pub which: LoopArguments,
    /// Print at most 60 lines of Markdown with details folded, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Write one self-contained HTML page; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "markdown"])]
    pub html: Option<Utf8PathBuf>,
    /// All loops of this repository with an event since then: `yesterday`, `today`, `2026-02-13`, `12h`
    #[arg(long, value_name = "WHEN", conflicts_with_all = ["id", "markdown"])]
    pub since: Option<String>,
}

/// Flags of `gulf stats`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf stats\n  gulf stats --json\n  gulf stats --html stats.html\n\nCounted from the journals of this repository's loops; unknown values are a dash, never zero."
)]
pub struct StatsArguments {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write one self-contained HTML page; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub html: Option<Utf8PathBuf>,
}

/// Flags of `gulf ui`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf ui\n  gulf ui --all                                 every loop on this machine\n\n`?` lists the keys; `q` leaves, and loops keep running. Each action is the command\nof the same name, with the same rules."
)]
pub struct UiArguments {
    /// Every loop on this machine, not only this repository's
    #[arg(long)]
    pub all: bool,
}

/// Flags of `gulf web`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf web\n  gulf web --open                               in the browser of this machine\n  gulf web --all --read-only                    every loop on this machine, read-only\n  gulf web --listen 127.0.0.1:7777              always the same port, for `ssh -L 7777:127.0.0.1:7777 HOST`\n  gulf web --behind-proxy https://box.ts.net    behind an HTTPS proxy, such as `tailscale serve`\n  gulf web --qr --behind-proxy https://box.ts.net    the same for a phone's camera\n\nAnyone with the printed address has access: keep it secret. Ctrl-C stops the server; loops keep running."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
pub struct WebArguments {
    /// Every loop on this machine, not only this repository's
    #[arg(long)]
    pub all: bool,
    /// Address to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub listen: std::net::SocketAddr,
    /// Public address of an HTTPS proxy in front of it; the proxy decides who gets in
    #[arg(long, value_name = "ORIGIN")]
    pub behind_proxy: Option<String>,
    /// Show everything, allow no actions
    #[arg(long)]
    pub read_only: bool,
    /// Open the address in the browser of this machine
    #[arg(long)]
    pub open: bool,
    /// Print the address as a QR code, too, for a phone that reaches this machine
    #[arg(long)]
    pub qr: bool,
}

/// What a person does on a live screen or a page, as it would be typed; what they wrote is no flag, whatever it begins with.
pub fn typed_act(kind: ActKind, handle: &str, text: String, question: Option<u32>) -> Vec<String> {
    let mut words = vec![kind.word().to_owned()];
    let handle = handle.to_owned();
    match kind {
        ActKind::Answer | ActKind::Steer | ActKind::Approve | ActKind::Reject => {
            words.extend(["--loop".to_owned(), handle, "--".to_owned()]);
            words.extend(question.filter(|_| kind == ActKind::Answer).map(|number| number.to_string()));
            words.push(text);
        }
        // It was asked about there.
        ActKind::Discard => words.extend([handle, "--yes".to_owned()]),
        ActKind::Pause | ActKind::Resume | ActKind::Skip | ActKind::Land | ActKind::Cancel => {
            words.push(handle);
        }
    }
    words
}
