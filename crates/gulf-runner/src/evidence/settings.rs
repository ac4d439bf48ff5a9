//! What a candidate changed of that which decides what a check does: settings of runners, scripts, programs that it runs.

use camino::Utf8Path;
use gulf_agents::differing::apart;
use gulf_agents::sources::{
    Changed, FieldChange, file_of, is_product, is_runner_configuration, is_test_path, is_word_of, may_read,
    names_file, runner_configuration, setting_programs,
};
use gulf_engine::Finding;
use std::collections::BTreeSet;

use super::commands::{self, AskedFor};
use super::looking::Looking;
use super::recipes::{self, MAKEFILES};
use super::texts::Texts;
use super::{CandidateEvidence, Difference, SHOWN_CHARS_MAX, finding_at, is_of_tests, short};
use crate::agreement::SealedCheck;
use crate::error::Result;

impl CandidateEvidence<'_> {
    pub(super) fn all_commands(&self) -> Vec<String> {
        self.resources.agreement.checks.iter().flat_map(|check| self.texts.commands(check)).collect()
    }

    fn are_checks_at_root(&self) -> bool {
        self.resources.agreement.checks.iter().all(|check| check.directory.as_str().is_empty())
    }

    /// The makefiles with which make does for the checks what it did.
    pub(super) fn same_makefiles(&self) -> BTreeSet<String> {
        let is_at_root = self.are_checks_at_root();
        let commands = self.all_commands();
        let scripts = self.texts.decided_by(&commands);
        let lines = scripts.iter().flat_map(|(_, text)| text.lines().map(str::trim_start));
        let making = commands.iter().map(String::as_str).chain(lines.filter(|line| !line.starts_with('#')));
        let making: Vec<&str> = making.filter(|command| recipes::runs_make(command)).collect();
        let files = self.difference.files.iter();
        let added = files.filter(|(path, file)| file.base.is_none() && is_product(path));
        let added: Vec<&str> = added.map(|(path, _)| path.as_str()).collect();
        let mut there: Vec<&str> = self.texts.paths().chain(added.iter().copied()).collect();
        there.sort_unstable();
        let is_same = |path: &&&str| {
            let file = self.difference.files.get(**path);
            let file = file.filter(|file| file.base.is_some() && file.candidate.is_some());
            let sources = (added.as_slice(), there.as_slice());
            file.is_some_and(|file| {
                let [base, now] = file.texts();
                making.iter().all(|command| recipes::is_same_for(&base, &now, command, sources))
            })
        };
        let same = MAKEFILES.iter().filter(|_| is_at_root && !making.is_empty()).filter(is_same);
        same.map(|path| (*path).to_owned()).collect()
    }

    /// The settings that a check, or a test that starts programs, may use. Who reads a setting cannot always be told.
    pub(super) fn changed_settings(&self, looking: &Looking) -> Result<Vec<Finding>> {
        let mut fields = changed_configuration(&self.difference, &self.resources.agreement.checks);
        let commands = self.all_commands();
        // A package that comes to others takes nothing from them, unless a check goes to its folder.
        let is_at_root = self.are_checks_at_root();
        let comes_to_others = |field: &FieldChange| {
            let (folders, file) = field.path.rsplit_once('/').unwrap_or_default();
            let own = folders.rsplit('/').next().unwrap_or_default();
            let is_script = file == "package.json" && field.field.starts_with("scripts");
            is_script && is_at_root && !is_word_of(own, commands.iter().map(String::as_str))
        };
        fields.retain(|field| !self.difference.same_makefiles.contains(&field.path));
        let is_new = |field: &FieldChange| self.texts.read(Utf8Path::new(""), &field.path).is_none();
        fields.retain(|field| !comes_to_others(field) || !is_new(field));
        let programs = |field: &FieldChange| setting_programs(&field.path, &field.field);
        let is_used = |field: &FieldChange| programs(field).is_empty() || looking.has_any(programs(field));
        if fields.iter().all(is_used) {
            return Ok(fields.into_iter().map(changed_field).collect());
        }
        let mut starting: Vec<String> =
            self.texts.decided_by(&commands).into_iter().map(|(_, text)| text).collect();
        let may_start = |path: &str| is_of_tests(path) || path.ends_with("build.rs");
        starting.extend(self.texts_in(may_start)?);
        let is_said = |program: &&str| {
            let mut lines = starting.iter().flat_map(|text| text.lines());
            lines.any(|line| is_word_of(program, [line]) && line.contains(['"', '\'', '`', '$']))
        };
        fields.retain(|field| is_used(field) || programs(field).iter().any(is_said));
        Ok(fields.into_iter().map(changed_field).collect())
    }
}

fn changed_configuration(difference: &Difference, checks: &[SealedCheck]) -> Vec<FieldChange> {
    let mut scripts: Vec<&str> =
        checks.iter().flat_map(|check| commands::script_names(&check.command)).collect();
    scripts.sort_unstable();
    scripts.dedup();
    let changed = |(path, file): (&String, &Changed)| {
        runner_configuration(path, file.base.as_deref(), file.candidate.as_deref(), &scripts)
    };
    difference.files.iter().flat_map(changed).collect()
}

pub(super) fn changed_field(change: FieldChange) -> Finding {
    let side = |value: &Option<String>| value.as_ref().map_or_else(|| "nothing".to_owned(), |one| short(one));
    let what = match differing_words(change.old.as_deref(), change.new.as_deref()) {
        Some((lost, got)) if lost.is_empty() => format!("got {}", short(&got)),
        Some((lost, got)) if got.is_empty() => format!("lost {}", short(&lost)),
        Some((lost, got)) => format!("lost {}, got {}", short(&lost), short(&got)),
        None => format!("was {}, is {}", side(&change.old), side(&change.new)),
    };
    Finding { path: change.path, what: format!("{}: {what}", change.field) }
}

/// Of texts too long to be shown, the words that are not the same at both ends.
fn differing_words(old: Option<&str>, new: Option<&str>) -> Option<(String, String)> {
    let (old, new) = (old?, new?);
    if old.len().max(new.len()) <= SHOWN_CHARS_MAX {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_whitespace().collect(), new.split_whitespace().collect());
    let (old, new) = apart(&old, &new);
    Some((old.join(" "), new.join(" ")))
}

/// A program that may be the work, since it is asked something.
pub(super) struct AskedProgram {
    pub(super) finding: Finding,
    /// It is the work where it says something new in a line that has one of these words; in any where there are none.
    pub(super) words: Vec<String>,
}

impl AskedProgram {
    pub(super) fn is_in(&self, line: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| line.contains(word.as_str()))
    }
}

/// Files of the base that decide what a check does: the programs its command runs, and settings that it names; apart from
/// them those that may be the work, since they are asked something. A file that a check merely looks at is the work itself.
pub(super) fn changed_commands(
    difference: &Difference,
    check: &SealedCheck,
    commands: &[String],
    goal: &str,
    texts: &Texts<'_>,
) -> (Vec<Finding>, Vec<AskedProgram>) {
    let (mut findings, mut asked) = (Vec::new(), Vec::new());
    // What the goal names is the work, also where it is compared with something.
    // A script that another command names stands among them as a command of its own, too.
    let all_but = |path: &str| {
        let own = format!("sh ./{path}");
        commands.iter().filter(|one| **one != own).cloned().collect::<Vec<_>>().join("\n")
    };
    let is_meant = |command: &str, path: &str| {
        let is_whole = || difference.files.get(path).is_some_and(holds_as_much);
        names_file(goal, path)
            && (commands::is_only_compared(command, path)
                || commands::is_only_compared_output(&all_but(path), path)
                || (commands::is_only_given(command, path) && is_whole()))
    };
    // Functions that the check calls by their own names.
    let is_sourced = |path: &str| {
        names_file(goal, path) && commands::are_sourcing(&texts.scripts_but(commands, path), path)
    };
    for change in &difference.changes {
        let Some(path) = change.path.as_utf8().map(|path| path.as_str()) else { continue };
        let was_there = change.old_blob.is_some() && !(is_test_path(path) || is_runner_configuration(path));
        let question = || commands.iter().filter_map(|command| commands::question(command, path)).max();
        let named = || format!("the check {} runs or names this file, and it was changed", check.name);
        let what = if commands.iter().any(|command| commands::takes_place_of_module(command, path)) {
            format!("it takes the place of a module that the check {} runs", check.name)
        } else if commands.iter().any(|command| commands::includes(command, path)) {
            format!("it is taken into what the check {} runs", check.name)
        } else if let Some(target) = target_at(path, commands, texts).filter(|_| change.old_blob.is_none()) {
            format!("where it lies, make runs nothing for the target {target}")
        } else if was_there
            && commands.iter().any(|command| commands::decides(command, path) && !is_meant(command, path))
        {
            // A program whose output is compared with something may be a check, and answer whatever it is asked.
            if is_sourced(path) || commands::is_only_compared_output(&all_but(path), path) {
                asked.push(AskedProgram { finding: finding_at(path, named()), words: Vec::new() });
                continue;
            }
            named()
        } else if let Some(question) = question().filter(|_| was_there) {
            // One that looks at others may be a check, and answer whatever it is asked.
            let text = difference.files.get(path).map(|file| file.texts()[0].clone()).unwrap_or_default();
            let looks = texts.names_another(&text, path);
            let finding = finding_at(path, named());
            let words = vec![file_of(path).to_owned()];
            match question {
                AskedFor::Words if looks || may_read(&text) => findings.push(finding),
                AskedFor::Words => asked.push(AskedProgram { finding, words }),
                AskedFor::Values => asked.extend(looks.then_some(AskedProgram { finding, words })),
            }
            continue;
        } else {
            continue;
        };
        findings.push(finding_at(path, what));
    }
    (findings, asked)
}

/// The target of make for which something at this path stands, where nothing lay.
fn target_at(path: &str, commands: &[String], texts: &Texts<'_>) -> Option<String> {
    let mut targets = commands.iter().filter_map(|command| commands::stands_for_target(command, path));
    targets.find(|target| !texts.has(target))
}

/// Does the candidate's file still hold what the base's held? What is emptied passes every check of what it holds.
pub(super) fn holds_as_much(file: &Changed) -> bool {
    let [base, now] = file.texts().map(|text| {
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).count()
    });
    10 * now >= 9 * base
}

#[cfg(test)]
mod tests {
    use super::{FieldChange, changed_field};

    fn told(old: &str, new: &str) -> String {
        let side = |value: &str| (!value.is_empty()).then(|| value.to_owned());
        let field = "the whole file".to_owned();
        changed_field(FieldChange { path: "tsconfig.json".into(), field, old: side(old), new: side(new) })
            .what
    }

    #[test]
    fn of_a_long_setting_only_what_was_changed_is_shown() {
        let base = format!("{{ \"include\": [{}],\n  \"strict\": true }}", "\"src\", ".repeat(30));
        let more = base.replace("true", "true,\n  \"lib\": [\"dom\"]");
        let other = base.replace("true", "false");
        assert_eq!(told(&base, &more), "the whole file: lost `true`, got `true, \"lib\": [\"dom\"]`");
        assert_eq!(told(&base, &other), "the whole file: lost `true`, got `false`");
        assert_eq!(
            told(&base, &base.replace("\"src\", \"src\", ", "\"src\", ")),
            format!("the whole file: lost `{}`", ["\"src\","; 15].join(" "))
        );
        assert_eq!(told("a b c", "a b d"), "the whole file: was `a b c`, is `a b d`");
        assert_eq!(told("", "-ra"), "the whole file: was nothing, is `-ra`");
    }
}
