//! The texts that `gulf init` writes: gulf.toml, RUBRIC.md and PROMPT.md.
//!
//! Apart because they are the first words a person reads from gulf; each must be read back without a problem by
//! the parser beside it.

use crate::config;
use crate::detect::DetectedCheck;
use crate::progress::even;

/// A check as gulf.toml is to have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedCheck {
    pub check: DetectedCheck,
    pub standing: ProposedStanding,
}

/// Whether a proposed check counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposedStanding {
    InForce,
    /// It counts, and says no as things stand.
    Red {
        reason: String,
    },
    /// Left for the person to decide, because of this.
    CommentedOut {
        reason: String,
    },
}

/// How much of what could be said is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What is in force, and no more.
    InForce,
    /// Every other key as well, at its default and commented out.
    Full,
}

/// The `gulf.toml` of a project: its checks, and what else is wanted.
///
/// With no check at all, an example stands in a comment.
pub fn gulf_toml(checks: &[ProposedCheck], extent: Extent) -> String {
    let mut text = match extent {
        Extent::InForce => String::from(
            "# How gulf works in this project. `gulf init --full` writes every setting, `gulf config explain` shows them.\n\
             # The work is done when each check exits with 0.\n",
        ),
        Extent::Full => all_settings(),
    };
    for ProposedCheck { check, standing } in checks {
        let (mark, reason) = match standing {
            ProposedStanding::InForce => ("", String::new()),
            ProposedStanding::CommentedOut { reason } => {
                ("# ", format!("; not in force: {}", one_line(reason)))
            }
            ProposedStanding::Red { reason } => {
                ("", format!("; red when it was tried: {}", one_line(reason)))
            }
        };
        text.push_str(&format!(
            "\n# {}{reason}\n{mark}[[check]]\n{mark}name = {}\n{mark}command = {}\n",
            one_line(&check.why),
            one_line(&toml_text(&check.name)),
            one_line(&toml_text(&check.command)),
        ));
        if !check.folder.is_empty() {
            text.push_str(&format!("{mark}cwd = {}\n", one_line(&toml_text(&check.folder))));
        }
    }
    if checks.is_empty() {
        text.push_str("\n# [[check]]\n# name = \"test\"\n# command = \"make test\"\n");
    }
    text
}

fn all_settings() -> String {
    let mut text = String::from(
        "# Settings of gulf for this project. `gulf config explain` shows each value and where it comes from.\n\
         # A line that begins with `# name =` is a default: remove the `#` to change it.\n\n",
    );
    text.push_str(config::template().trim_start());
    text.push_str(
        "\n# The checks decide when the work is done. Each runs in a shell, at the top of the project or in `cwd`,\n\
         # and passes with exit code 0. Also: timeout = \"10m\", cwd = \"folder\", env = { NAME = \"value\" }\n",
    );
    text
}

/// A RUBRIC.md without criteria in force: the checks stand in gulf.toml, once.
pub fn rubric_md() -> String {
    include_str!("../templates/rubric-skeleton.md").to_owned()
}

/// The skeleton of a PROMPT.md.
pub fn prompt_md() -> String {
    include_str!("../templates/prompt-skeleton.md").to_owned()
}

/// Whether a PROMPT.md still says nothing but what [`prompt_md`] wrote.
pub fn is_prompt_skeleton(text: &str) -> bool {
    even(text.trim_start_matches('\u{feff}')) == even(&prompt_md())
}

/// A text as TOML writes it, whatever is in it.
fn toml_text(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests;
