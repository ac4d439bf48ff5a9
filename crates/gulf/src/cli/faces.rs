//! Flags of the commands that draw loops for people: a page, a pull request, numbers over many.

use camino::Utf8PathBuf;
use clap::Args;

use super::LoopArguments;

/// Flags of `gulf report`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf report\n  gulf report k3v9 --json\n  gulf report --html report.html               one file, to be opened or sent\n  gulf report --since yesterday                 all loops since then, what needs you first\n  gulf report --markdown | gh pr create --title \"a greeting\" --body-file -"
)]
pub struct LoopReportArguments {
    #[command(flatten)]
    pub which: LoopArguments,
    /// At most 60 lines of Markdown, details folded: for a pull request
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Write a page of one file, without scripts and network; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "markdown"])]
    pub html: Option<Utf8PathBuf>,
    /// All loops of this repository with an event since then: `yesterday`, `today`, `2026-02-13`, `12h`
    #[arg(long, value_name = "WHEN", conflicts_with_all = ["id", "markdown"])]
    pub since: Option<String>,
}

/// Flags of `gulf stats`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf stats\n  gulf stats --json\n  gulf stats --html stats.html\n\nCounted from the journals of this repository's loops; what nobody counted is a dash, never zero."
)]
pub struct StatsArguments {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write a page of one file, without scripts and network; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub html: Option<Utf8PathBuf>,
}

/// Flags of `gulf ui`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf ui\n  gulf ui --all                                 every loop of this machine\n\n`?` lists the keys; `q` leaves, and loops go on. An act is what the command of its name does, and is refused by the\nloop like that."
)]
pub struct UiArguments {
    /// Every loop of this machine, not of this repository alone
    #[arg(long)]
    pub all: bool,
}

/// Flags of `gulf web`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf web\n  gulf web --open                               in the browser of this machine\n  gulf web --all --read-only                    every loop of this machine, to be looked at only\n  gulf web --listen 127.0.0.1:7777              always the same port, for `ssh -L 7777:127.0.0.1:7777 HOST`\n  gulf web --behind-proxy https://box.ts.net    behind a proxy that speaks HTTPS, such as `tailscale serve`\n  gulf web --qr --behind-proxy https://box.ts.net    the same for a phone's camera\n\nThe address that is printed lets its reader in: keep it to yourself. Ctrl-C ends it, and loops go on."
)]
pub struct WebArguments {
    /// Every loop of this machine, not of this repository alone
    #[arg(long)]
    pub all: bool,
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub listen: std::net::SocketAddr,
    /// Browsers come by this address, through a proxy that speaks HTTPS and lets in whom you want
    #[arg(long, value_name = "ORIGIN")]
    pub behind_proxy: Option<String>,
    /// Show everything, do nothing
    #[arg(long)]
    pub read_only: bool,
    #[command(flatten)]
    pub entrance: EntranceArguments,
}

/// How a person comes in who does not type the address.
#[derive(Debug, Args)]
pub struct EntranceArguments {
    /// Open the address in the browser of this machine
    #[arg(long)]
    pub open: bool,
    /// Print the address as a QR code, too, for a phone that reaches this machine
    #[arg(long)]
    pub qr: bool,
}
