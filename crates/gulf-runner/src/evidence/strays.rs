//! What a candidate lays beside the base's tests, and what it takes the right to run from: the base's tests run without it.

use std::collections::BTreeSet;

use gulf_agents::sources::{Shadow, names_file, shadow, strays};
use gulf_engine::Finding;
use gulf_host::git::Change;
use gulf_spec::environment::Selection;

use super::commands::{INCLUDED, command_words};
use super::looking::Looking;
use super::{CandidateEvidence, Difference, finding_at};

impl Difference {
    /// Files of the base that could be run, and cannot any more, with the same bytes.
    pub(super) fn programs_no_more(&self) -> impl Iterator<Item = &str> {
        let same = |change: &&Change| change.is_program_no_more && change.old_blob == change.new_blob;
        let paths = self.changes.iter().filter(same).filter_map(|change| change.path.as_utf8());
        paths.map(|path| path.as_str()).filter(|path| self.files.contains_key(*path))
    }
}

impl CandidateEvidence<'_> {
    /// Added files that reach the base's tests although nobody asks for them, and attributes that decide on bytes. What the
    /// goal names is the work.
    pub(super) fn strays(&self) -> BTreeSet<String> {
        let commands = self.all_commands();
        let included = commands.iter().filter_map(|command| command.strip_prefix(INCLUDED));
        let scripts = self.texts.decided_by(&commands).into_iter().map(|(_, text)| text);
        let texts: Vec<String> = scripts.chain(included.map(str::to_owned)).collect();
        let taken_in = taken_in(&texts);
        let base: Vec<&str> = self.texts.paths().collect();
        let mut found = strays(&self.difference.files, &base, &|path| taken_in.selects(path));
        found.retain(|path| !names_file(&self.resources.agreement.goal, path));
        found
    }

    /// Added files to which a name leads that led to something else before.
    pub(super) fn shadows(&self, looking: &Looking) -> Vec<Finding> {
        // What is installed comes from elsewhere: to change it is to put something else in its place.
        let is_installed = |path: &str| path.split('/').any(|part| part == "node_modules");
        let paths = self.difference.changes.iter().filter_map(|change| {
            let path = change.path.as_utf8()?.as_str();
            (change.old_blob.is_none() || (is_installed(path) && change.new_blob.is_some())).then_some(path)
        });
        let are_types_checked = looking.has_any(&["mypy", "dmypy", "pyright", "basedpyright", "pytype"]);
        let commands = self.all_commands();
        let decided = self.texts.decided_by(&commands);
        let programs = decided.iter().filter(|(path, _)| path.ends_with(".py"));
        let folders: Vec<&str> = programs.filter_map(|(path, _)| Some(path.rsplit_once('/')?.0)).collect();
        let removed =
            |path: &str| self.difference.files.get(path).is_some_and(|file| file.candidate.is_none());
        let stays = |path: &str| self.texts.paths().any(|other| other == path) && !removed(path);
        let hidden = |path: &str| match shadow(path, &folders) {
            Some(Shadow::Outside(what)) => Some(what),
            Some(Shadow::Files(files)) => files.into_iter().find(|file| stays(file)),
            Some(Shadow::Types(file)) => Some(file).filter(|file| are_types_checked && stays(file)),
            None => None,
        };
        let what = |file: String| format!("takes the place of {file} wherever that is looked for");
        paths.filter_map(|path| Some(finding_at(path, what(hidden(path)?)))).collect()
    }
}

/// What such texts take into themselves, whatever it is called: `mk/*.mk` of make, `for one in "$HERE"/lib/*.sh; do . "$one"; done`
fn taken_in(texts: &[String]) -> Selection {
    const SIGNS: [&str; 4] = [". \"$", ". \"./$", ". $", "source "];
    let pattern = |word: &str| {
        let (first, rest) = word.split_once('/')?;
        let plain = if first.is_empty() || first.starts_with(['$', '.']) { rest } else { word };
        plain.split_once('*').filter(|(folder, _)| folder.contains('/')).map(|_| format!("**/{plain}"))
    };
    let takes_in = |text: &&String| !text.contains('\n') || SIGNS.iter().any(|sign| text.contains(sign));
    let patterns = texts.iter().filter(takes_in).flat_map(|text| command_words(text)).filter_map(pattern);
    Selection::of_words(patterns.collect::<Vec<_>>().iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_files_of_its_folder() {
        for (text, path, is_taken_in) in [
            ("mk/*.mk", "mk/shell.mk", true),
            ("./mk/*.mk", "mk/shell.mk", true),
            ("for one in lib/*.sh; do\n. \"./$one\"; done", "lib/tidy.sh", true),
            ("for one in lib/*.sh; do\nsh \"./$one\"; done", "lib/tidy.sh", false),
            ("for one in \"$HERE\"/lib/*.sh; do\n. \"$one\"; done", "tools/lib/tidy.sh", true),
            ("for one in $HERE/lib/*.sh; do\n. $one; done", "lib/tidy.sh", true),
            ("for one in $HERE/*.sh; do\n. $one; done", "lib/tidy.sh", false),
            ("mk/*.mk", "mk/deep/shell.mk", false),
            ("mk/*.mk", "other/mks/shell.mk", false),
            ("mk/all.mk", "mk/shell.mk", false),
        ] {
            let found = taken_in(&[text.to_owned(), "lib/[z-a]".to_owned()]);
            assert_eq!(found.selects(path), is_taken_in, "{text} and {path}");
        }
    }
}
