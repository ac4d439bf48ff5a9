//! What an alignment is written from: where the branch stands, what is asked for, what the project says of itself.
//!
//! Each piece may be missing, and a missing one is said and stops nothing.

use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, ReadError};
use gulf_host::git::{GitError, Head, Repository};
use gulf_runner::error::in_full;
use gulf_runner::place::Project;
use gulf_runner::plan::{RUBRIC, TEXT_BYTES_MAX};
use gulf_spec::alignment::ALIGNMENT_PATH;
use gulf_views::{Palette, Tone, one_line};

/// Lines of the README that are shown.
const README_LINES_MAX: usize = 60;
const README: &str = "README.md";

/// Everything that was found; what is not known says why.
pub(super) struct AlignMaterial {
    standing: Result<CheckoutView, String>,
    rubric: Result<String, String>,
    readme: Result<String, String>,
}

pub(super) fn gather(project: &Project) -> AlignMaterial {
    let standing = standing(project);
    let readme = text(&project.directory, README)
        .map(|text| text.lines().take(README_LINES_MAX).collect::<Vec<_>>().join("\n"));
    AlignMaterial { standing, rubric: text(&project.directory, RUBRIC), readme }
}

struct CheckoutView {
    branch: String,
    last_commit: Result<String, String>,
    changed_files: usize,
}

/// Where git stands; nothing is written into the person's repository.
fn standing(project: &Project) -> Result<CheckoutView, String> {
    let layout = project.layout.as_ref().ok_or("there is no git here")?;
    let folder = tempfile::Builder::new().prefix("gulf-").tempdir().map_err(|error| in_full(&error))?;
    let private = Utf8PathBuf::from_path_buf(folder.path().to_owned())
        .map_err(|path| format!("the path {} is not UTF-8", path.display()))?;
    let look = || -> Result<CheckoutView, GitError> {
        let repository = Repository::open(layout.clone(), &private.join("git"))?;
        let branch = match repository.head()? {
            Head::Branch { name, .. } => name.short().to_owned(),
            Head::Unborn { name } => format!("{name} (no commit yet)"),
            Head::Detached { commit } => format!("none: HEAD is at {:.7}", commit.as_str()),
        };
        let last_commit = repository.newest()?.map_or_else(
            || Err("there is none yet".to_owned()),
            |newest| Ok(format!("{:.7} {}", newest.commit.as_str(), newest.title)),
        );
        let changed_files = repository.count_uncommitted()?;
        Ok(CheckoutView { branch, last_commit, changed_files })
    };
    look().map_err(|error| in_full(&error))
}

fn text(project: &Utf8Path, name: &str) -> Result<String, String> {
    match files::read_text(&project.join(name), TEXT_BYTES_MAX) {
        Ok(text) => Ok(text.content),
        Err(ReadError::Missing { .. }) => Err("there is none".to_owned()),
        Err(error) => Err(in_full(&error)),
    }
}

impl AlignMaterial {
    pub(super) fn document(&self) -> serde_json::Value {
        let standing = self.standing.as_ref().ok();
        serde_json::json!({
            "branch": standing.map(|standing| &standing.branch),
            "last_commit": standing.and_then(|standing| standing.last_commit.as_ref().ok()),
            "changed_files": standing.map(|standing| standing.changed_files),
            "rubric": self.rubric.as_ref().ok(),
            "readme": self.readme.as_ref().ok(),
        })
    }

    /// To a person who has no such file yet.
    pub(super) fn advice(&self) -> String {
        let init = Tone::Literal.paint("gulf align --init", Palette::Colour);
        let look = Tone::Literal.paint("gulf align", Palette::Colour);
        format!(
            "There is no {ALIGNMENT_PATH} yet. What one can be written from:\n\n{}\nNext: {init} writes the four \
             sections to be filled in; {look} then looks whether they are\ncomplete. An open blocking question stops a \
             start.\n",
            self.gathered()
        )
    }

    /// What the project says of itself, whether the file is there or not.
    pub(super) fn gathered(&self) -> String {
        let mut text = String::new();
        let standing = self.standing.as_ref();
        for (name, value) in [
            ("branch", standing.map(|standing| standing.branch.clone())),
            ("last commit", standing.and_then(|standing| standing.last_commit.as_ref()).cloned()),
            ("changed files", standing.map(|standing| standing.changed_files.to_string())),
        ] {
            let value = value.unwrap_or_else(|why| format!("not known: {why}"));
            let _ = writeln!(text, "  {name:<13}  {}", one_line(&value));
        }
        text.push_str(&page(RUBRIC, &self.rubric));
        text.push_str(&page(&format!("{README}, its first {README_LINES_MAX} lines"), &self.readme));
        text
    }
}

fn page(name: &str, text: &Result<String, String>) -> String {
    match text {
        Err(why) => format!("\n{name}: {}\n", one_line(why)),
        Ok(text) => {
            let mut page = format!("\n{name}:\n\n");
            for line in text.trim_end().lines() {
                let words = line.trim_start();
                let indent = line.len() - words.len();
                let line = format!("{}{}", " ".repeat(indent + 2), one_line(words));
                let _ = writeln!(page, "{}", line.trim_end());
            }
            page
        }
    }
}
