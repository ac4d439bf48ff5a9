//! Whose sessions know gulf on this machine, and what keeps gulf from being called there.

use super::Finding;
use crate::commands::install::{Seen, Standing, standings};

/// Every host that is here; nothing is said of the others.
pub(super) fn hosts() -> Vec<Finding> {
    let told = |host: Standing| {
        let findings: Vec<Finding> = host.seen.iter().map(|seen| one(&host, seen)).collect();
        findings
    };
    standings().into_iter().flat_map(told).collect()
}

fn one(host: &Standing, seen: &Seen) -> Finding {
    const ABOUT: &str = "sessions";
    let Standing { title, program, .. } = host;
    let again = format!("`gulf install {program}` writes them anew");
    let (message, hint) = match seen {
        Seen::Called { by } => return Finding::ok(ABOUT, format!("{title} calls gulf by {by}")),
        Seen::NotCalled => {
            let message =
                format!("{title} does not call gulf: for loops in its sessions, `gulf install {program}`");
            return Finding::ok(ABOUT, message);
        }
        Seen::CalledTwice { plugin, file } => (
            format!("{title} calls gulf twice, by the plugin {plugin} and by {file}"),
            format!("`gulf install {program} --uninstall` leaves it to the plugin"),
        ),
        Seen::Missing { file, events } => {
            (format!("{title} does not call gulf at {}: that is not in {file}", events.join(", ")), again)
        }
        Seen::NoProgram { program } => (format!("{title} calls {program}, and nothing is there"), again),
        Seen::NotUnderstood { why } => {
            (format!("whether {title} calls gulf cannot be told: {why}"), "look at this by hand".to_owned())
        }
        Seen::Unread { file, why } => {
            (format!("{title} does not read {file}: {why}"), "take them out by hand".to_owned())
        }
        Seen::AllOff { file } => (
            format!("{title} calls no hooks at all: \"disableAllHooks\" in {file}"),
            "take that out, or set it to false".to_owned(),
        ),
        Seen::Rival { told } => (
            format!("{title} has another loop: {told}"),
            format!("two loops undo each other's work: `gulf install {program} --replace-original`"),
        ),
        Seen::Untrusted { hooks } => (
            format!("{title} passes in silence over hooks that nobody has trusted yet: {hooks}"),
            format!("start `{program}` in a terminal and trust them when it asks"),
        ),
        Seen::SwitchedOff { hooks } => (
            format!("{title} has some of gulf's hooks switched off: {hooks}"),
            format!("type `/hooks` in `{program}` and switch them on"),
        ),
    };
    Finding::warning(ABOUT, message, hint)
}
