//! What became of HEAD, references, settings and hooks while a worker worked: named, and without effect on any verdict.
//!
//! A candidate is a tree, and says nothing of where the repository stands by now: a person whose branch is gone must
//! not learn it from an error of the next command.

use std::collections::{BTreeMap, BTreeSet};

use gulf_agents::masking::{Mask, STARS, is_secret_name};
use gulf_host::digest::Digest;
use gulf_host::files::Durability;
use gulf_host::git::{CommitId, Configured, Layout, NamedReferences, Repository};
use serde::{Deserialize, Serialize};

use crate::agreement::{Agreement, REMOTES, short};
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::landing::merge_title;
use crate::place::mark_at;
use crate::resources::Resources;
use crate::{known, records};

/// Where it is kept how they stood when the loop began.
const KEPT: &str = "references.json";
const WHAT: &str = "names of branches";
/// So many changes are named one by one.
const NAMED_MAX: usize = 10;
/// So much of a setting's value is shown.
const VALUE_CHARS_MAX: usize = 100;
/// So many steps of a branch are looked at for them.
const MERGES_MAX: usize = 1_000;
/// Branches that gulf makes for its loops.
const OF_LOOPS: &str = "refs/heads/gulf/";

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct KeptReferences {
    head: String,
    references: BTreeMap<String, String>,
    /// What tells git's directory from another one at its path.
    mark: Option<String>,
    /// Settings and hooks; none where an earlier version kept nothing of them, nor of remote branches.
    configured: Option<KeptSettings>,
}

/// By their digests: a setting may hold a password.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct KeptSettings {
    settings: BTreeMap<String, String>,
    hooks: BTreeMap<String, String>,
}

/// Why a loop cannot go on in its repository, in words for its person; none where it lies as it did, or was brought back
/// with the commit that the loop began on.
pub(crate) fn lost(resources: &Resources) -> Result<Option<String>, RunError> {
    let Resources { repository, folder, agreement, .. } = resources;
    let directory = &repository.layout().common_dir;
    if let Some(path) = repository.no_file() {
        return Ok(Some(format!(
            "{path} is no file any more: git would wait for ever for something to come out of it; remove it, and \
             restore what was there"
        )));
    }
    let before = read(folder)?;
    if !repository.is_there() {
        return Ok(Some(missing(resources, before.as_ref())));
    }
    let before = before.and_then(|kept| kept.mark);
    if before.is_none() || mark_at(directory) == before || holds(repository, agreement.base.commit.as_str()) {
        return Ok(None);
    }
    Ok(Some(format!(
        "{directory} is another repository than the one that the loop began in: it was removed and made anew; \
         restore the first one, then continue"
    )))
}

/// What git no longer finds, and how it comes back.
fn missing(resources: &Resources, before: Option<&KeptReferences>) -> String {
    let Resources { repository, agreement, .. } = resources;
    let Layout { git_dir, common_dir, .. } = repository.layout();
    let (head, objects) = (git_dir.join("HEAD"), common_dir.join("objects"));
    let since = "is gone: it was removed since the loop began";
    if let (true, true, Some(before)) = (objects.is_dir(), git_dir.is_dir(), before) {
        let text = if before.head.starts_with("refs/") { "ref: " } else { "" };
        return format!(
            "{head} {since}; restore it: `echo '{text}{}' > '{head}'`, then continue",
            before.head
        );
    }
    if let (true, Some(landing)) = (objects.is_dir(), &agreement.landing) {
        let path = &agreement.project;
        return format!("the loop's worktree {path} {since}; {}", known::restoring(path, &landing.branch));
    }
    let gone = [common_dir, &objects].into_iter().find(|folder| !folder.is_dir()).unwrap_or(git_dir);
    format!("{gone} {since}; restore it, then continue")
}

/// What git would run for whoever commits by hand and was set up since the loop began: the commands that take it away again.
pub(crate) fn undoing_programs(repository: &Repository, folder: &LoopPaths) -> Result<Vec<String>, RunError> {
    let Some(before) = read(folder)?.and_then(|kept| kept.configured) else { return Ok(Vec::new()) };
    let now = repository.configured();
    let is_run = |name: &str| ["filter.", "include", "core.", "gpg."].iter().any(|one| name.starts_with(one));
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let mut undo = compared(&before.settings, &digests(&now.settings), |name, _, is| {
        is.filter(|_| is_run(name)).map(|_| format!("`git config --unset-all {}`", quoted(name)))
    });
    let hooks = repository.layout().common_dir.join("hooks");
    undo.extend(compared(&before.hooks, &now.hooks, |name, _, is| {
        is.map(|_| format!("`rm {}`", quoted(hooks.join(name).as_str())))
    }));
    Ok(undo)
}

/// Is the commit there? A git that does not answer is no repository that was lost.
fn holds(repository: &Repository, commit: &str) -> bool {
    repository.find_commit(commit).is_ok_and(|found| found.is_some())
}

fn read(folder: &LoopPaths) -> Result<Option<KeptReferences>, RunError> {
    records::read(&folder.root().join(KEPT), WHAT)
}

/// Where this branch stood when the loop began.
pub(crate) fn at_start(folder: &LoopPaths, name: &str) -> Result<Option<String>, RunError> {
    Ok(read(folder)?.and_then(|mut kept| kept.references.remove(name)))
}

/// What was there when the loop began and comes along with `newer`, beyond `older`: the branch or tag whose commits these are.
/// With what was checked out then.
pub(crate) fn brought_along(
    repository: &Repository,
    folder: &LoopPaths,
    (older, newer): (&CommitId, &CommitId),
) -> Result<Option<(String, String)>, RunError> {
    let Some(kept) = read(folder)? else { return Ok(None) };
    let steps = repository.steps(Some(older), newer, MERGES_MAX)?;
    let is_there = |tip: &str| steps.iter().any(|step| step.commit.as_str() == tip);
    let other = kept.references.iter().find(|(_, tip)| is_there(tip)).map(|(name, _)| short(name).to_owned());
    Ok(other.map(|other| (other, short(&kept.head).to_owned())))
}

/// Keeps how everything stands when a loop begins, to be compared with.
pub(crate) fn keep(repository: &Repository, folder: &LoopPaths) -> Result<(), RunError> {
    repository.named_references()?.map_or(Ok(()), |now| write(repository, &now, folder))
}

/// Names what changed since the loop began: each candidate's record says all of it.
pub(crate) fn changes(resources: &Resources) -> Result<Vec<String>, RunError> {
    let Resources { repository, folder, agreement, .. } = resources;
    let Some(now) = repository.named_references()? else { return Ok(Vec::new()) };
    let Some(before) = read(folder)? else {
        // A loop of an earlier version: nothing is known of how it was.
        write(repository, &now, folder)?;
        return Ok(Vec::new());
    };
    let expected = expected(agreement, &now);
    let is_gone = |name: &String| name.starts_with(OF_LOOPS) && !now.references.contains_key(name);
    let is_any_gone = before.references.keys().any(is_gone);
    // What came onto the branches that work lands on; what cannot be read tells of no landing.
    let tip = |all: &BTreeMap<String, String>, name: &str| CommitId::parse(all.get(name)?).ok();
    let steps = |name: &String| {
        let (was, is) = (tip(&before.references, name)?, tip(&now.references, name)?);
        repository.steps(Some(&was), &is, MERGES_MAX).ok()
    };
    let landed: Vec<_> = expected.iter().filter(|_| is_any_gone).filter_map(steps).flatten().collect();
    let has_landed = |name: &str| landed.iter().any(|step| step.title.starts_with(&merge_title(short(name))));
    let mut told = changed_names(&before, &now, &expected, &has_landed);
    if let Some(before) = &before.configured {
        told.extend(configured(before, &repository.configured()));
    }
    Ok(told)
}

/// What stands otherwise than before, in the words that `told` has for its name and both values; none for what is no news.
fn compared(
    before: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
    told: impl Fn(&str, Option<&String>, Option<&String>) -> Option<String>,
) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let both = names.into_iter().map(|name| (name, before.get(name), now.get(name)));
    both.filter(|(_, was, is)| was != is).filter_map(|(name, was, is)| told(name, was, is)).collect()
}

/// What the person's next command of git would obey.
fn configured(before: &KeptSettings, now: &Configured) -> Vec<String> {
    let mut told = compared(&before.settings, &digests(&now.settings), |name, was, _| {
        let what = match (was, now.settings.get(name).map(|value| shown(name, value))) {
            (_, None) => "gone".to_owned(),
            (None, Some(value)) => format!("set to {value}"),
            (Some(_), Some(value)) => format!("changed to {value}"),
        };
        (!name.starts_with("branch.gulf/")).then(|| format!(".git/config: {name} ({what})"))
    });
    told.extend(compared(&before.hooks, &now.hooks, |name, was, is| {
        let what = if was.is_none() { "made" } else { is.map_or("gone", |_| "changed") };
        Some(format!(".git/hooks/{name} ({what})"))
    }));
    cut(told, "settings and hooks (`git config --local --list` and `ls .git/hooks` show them)")
}

/// A password is nobody's to read, whatever it is called.
fn shown(name: &str, value: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    // `http.extraHeader` holds `Authorization: …`, and a URL whoever it is fetched as.
    if is_secret_name(last) || last == "extraheader" {
        return STARS.to_owned();
    }
    let value = match value.split_once("://") {
        Some((scheme, rest)) => match rest.split_once('@') {
            Some((who, host)) if !who.contains('/') => format!("{scheme}://{STARS}@{host}"),
            Some(_) | None => value.to_owned(),
        },
        None => value.to_owned(),
    };
    let line: String = value.lines().next().unwrap_or_default().chars().take(VALUE_CHARS_MAX).collect();
    Mask::default().owned(line)
}

fn digests(settings: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    settings.iter().map(|(name, value)| (name.clone(), digest(value))).collect()
}

fn digest(value: &str) -> String {
    Digest::of_bytes(value.as_bytes()).to_string()
}

fn cut(mut told: Vec<String>, what: &str) -> Vec<String> {
    if told.len() > NAMED_MAX {
        let more = told.len() - NAMED_MAX;
        told.truncate(NAMED_MAX);
        told.push(format!("{more} more {what}"));
    }
    told
}

/// What moves without anybody laying hands on it: the branch that is worked on, and the one that work lands on.
fn expected(agreement: &Agreement, now: &NamedReferences) -> Vec<String> {
    let landing = agreement.landing.iter().flat_map(|terms| [terms.branch.clone(), terms.base.clone()]);
    let pushed = agreement.landing.iter().filter_map(|terms| terms.push.as_ref());
    let pushed = pushed.map(|push| format!("refs/remotes/{}", push.name()));
    landing.chain(pushed).chain([now.head.clone()]).collect()
}

fn changed_names(
    before: &KeptReferences,
    now: &NamedReferences,
    expected: &[String],
    has_landed: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut told = Vec::new();
    let is_known = |name: &str| before.configured.is_some() || !name.starts_with(REMOTES);
    if before.head != now.head {
        let (was, is) = (place(&before.head), place(&now.head));
        told.push(format!("HEAD (it is {is}, and was {was})"));
    }
    told.extend(compared(&before.references, &now.references, |name, was, is| {
        let is_expected = expected.iter().any(|one| one == name) || name.starts_with(OF_LOOPS);
        match (was, is) {
            // gulf itself removed it then.
            (Some(was), None) => (!has_landed(name)).then(|| gone(name, was)),
            (Some(was), Some(is)) => {
                (!is_expected).then(|| format!("{} (moved from {was:.7} to {is:.7})", what(name)))
            }
            // What git itself makes while it writes a reference is none.
            (None, Some(is)) => (is_known(name) && !is_expected && !name.ends_with(".lock"))
                .then(|| format!("{} (made, at {is:.7})", what(name))),
            (None, None) => None,
        }
    }));
    cut(told, "branches and tags (`git reflog` and `git for-each-ref` show them)")
}

fn gone(name: &str, was: &str) -> String {
    let branch = name.strip_prefix("refs/heads/");
    let back = branch.map(|branch| format!("; `git branch {branch} {was:.7}` brings it back"));
    let back = back.unwrap_or_default();
    format!("{} (gone; it stood at {was:.7}{back})", what(name))
}

fn what(name: &str) -> String {
    let forms = [("refs/heads/", "branch"), ("refs/tags/", "tag"), (REMOTES, "remote branch")];
    let named =
        forms.iter().find_map(|(prefix, what)| Some(format!("{what} {}", name.strip_prefix(prefix)?)));
    named.unwrap_or_else(|| name.to_owned())
}

fn place(head: &str) -> String {
    if head.starts_with("refs/") {
        format!("on {}", short(head))
    } else {
        format!("on no branch, at {head:.7}")
    }
}

fn write(repository: &Repository, now: &NamedReferences, folder: &LoopPaths) -> Result<(), RunError> {
    let (head, references) = (now.head.clone(), now.references.clone());
    let Configured { settings, hooks } = repository.configured();
    let configured = Some(KeptSettings { settings: digests(&settings), hooks });
    let kept =
        KeptReferences { head, references, mark: mark_at(&repository.layout().common_dir), configured };
    records::keep(&folder.root().join(KEPT), WHAT, &kept, Durability::Buffered)
}

#[cfg(test)]
mod tests {
    //! What is named of what changed.

    use super::*;

    fn at(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, id)| ((*name).to_owned(), (*id).to_owned())).collect()
    }

    #[track_caller]
    fn check(before: (&str, &[(&str, &str)]), now: (&str, &[(&str, &str)]), told: &[&str]) {
        let before = KeptReferences {
            head: before.0.to_owned(),
            references: at(before.1),
            mark: None,
            configured: None,
        };
        let now = NamedReferences { head: now.0.to_owned(), references: at(now.1) };
        let expected = [now.head.clone(), "refs/heads/base".to_owned()];
        let has_landed = |name: &str| name.ends_with("landed");
        assert_eq!(changed_names(&before, &now, &expected, &has_landed), told);
    }

    const MAIN: &str = "refs/heads/main";

    #[test]
    fn work_on_the_branch_and_what_lands_are_no_news() {
        let before = [(MAIN, "aaaaaaaaa"), ("refs/heads/base", "bbbbbbbbb")];
        let now = [(MAIN, "ccccccccc"), ("refs/heads/base", "ddddddddd"), ("refs/heads/gulf/x", "e")];
        check((MAIN, &before), (MAIN, &now), &[]);
        let loops = [(MAIN, "aaaaaaaaa"), ("refs/heads/gulf/landed", "bbb"), ("refs/heads/gulf/lost", "ccc")];
        let now = [(MAIN, "ccccccccc"), ("refs/heads/main.lock", "ccccccccc")];
        let gone = "branch gulf/lost (gone; it stood at ccc; `git branch gulf/lost ccc` brings it back)";
        check((MAIN, &loops), (MAIN, &now), &[gone]);
    }

    #[test]
    fn head_on_another_branch_a_lost_branch_and_a_moved_tag_are_named() {
        let before = [(MAIN, "aaaaaaaaa"), ("refs/heads/other", "bbbbbbbbb"), ("refs/tags/v1", "ccccccccc")];
        let now = [("refs/heads/mine", "aaaaaaaaa"), (MAIN, "aaaaaaaaa"), ("refs/tags/v1", "ddddddddd")];
        check(
            (MAIN, &before),
            ("refs/heads/mine", &now),
            &[
                "HEAD (it is on mine, and was on main)",
                "branch other (gone; it stood at bbbbbbb; `git branch other bbbbbbb` brings it back)",
                "tag v1 (moved from ccccccc to ddddddd)",
            ],
        );
    }

    #[test]
    fn a_detached_head_and_a_new_branch_beside_it_are_named() {
        check(
            (MAIN, &[(MAIN, "aaaaaaaaa")]),
            ("aaaaaaaaa", &[(MAIN, "aaaaaaaaa"), ("refs/heads/side", "bbbbbbbbb")]),
            &["HEAD (it is on no branch, at aaaaaaa, and was on main)", "branch side (made, at bbbbbbb)"],
        );
    }

    #[test]
    fn a_setting_is_named_with_its_value_and_a_password_in_it_is_not() {
        let text = |pairs: &[(&str, &str)]| at(pairs);
        let before = KeptSettings {
            settings: text(&[("core.bare", &digest("false")), ("gc.auto", &digest("1")), ("user.name", "x")]),
            hooks: text(&[("pre-push", "a"), ("update", "b")]),
        };
        let now = Configured {
            settings: text(&[
                ("core.bare", "false"),
                ("core.hookspath", "/tmp/x"),
                ("gc.auto", "0"),
                ("http.https://a.example/.extraheader", "Authorization: Basic eDp5"),
                ("remote.evil.url", "https://ada:s3cret@evil.example/x.git"),
                ("branch.gulf/x.remote", "."),
            ]),
            hooks: text(&[("pre-push", "b"), ("pre-commit", "c")]),
        };
        assert_eq!(
            configured(&before, &now),
            [
                ".git/config: core.hookspath (set to /tmp/x)",
                ".git/config: gc.auto (changed to 0)",
                ".git/config: http.https://a.example/.extraheader (set to ***)",
                ".git/config: remote.evil.url (set to https://***@evil.example/x.git)",
                ".git/config: user.name (gone)",
                ".git/hooks/pre-commit (made)",
                ".git/hooks/pre-push (changed)",
                ".git/hooks/update (gone)",
            ]
        );
    }

    #[test]
    fn many_changes_are_counted_after_the_first_ones() {
        let names: Vec<String> = (0..15).map(|number| format!("refs/tags/v{number:02}")).collect();
        let now: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "aaaaaaaaa")).collect();
        let before = KeptReferences { head: MAIN.to_owned(), ..KeptReferences::default() };
        let now = NamedReferences { head: MAIN.to_owned(), references: at(&now) };
        let told = changed_names(&before, &now, &[], &|_| false);
        assert_eq!(told.len(), 11);
        assert!(told[10].starts_with("5 more"), "{told:?}");
    }
}
