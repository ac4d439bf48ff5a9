//! The judge's own checkout of the candidate, without any text that an agent takes for instructions.
//!
//! It stands apart because of what it leaves out: a worker that writes CLAUDE.md would else write to its judge.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::Tool;
use gulf_engine::Candidate;
use gulf_host::files;
use gulf_host::git::{CheckoutRequest, CommitId, Keep, TreeId};

use crate::error::Failure;
use crate::workshop::Workshop;

/// What agents take instructions or settings from that gulf cannot start, in any folder.
const OF_OTHERS: [&str; 6] =
    ["qwen.md", ".cursorrules", ".windsurfrules", ".clinerules", ".cursor", ".windsurf"];

impl Workshop {
    /// Brings the judge's checkout to the candidate. What changed among the instructions is shown as material.
    pub(super) fn judge_room(&self, candidate: &Candidate, name: &str) -> Result<Utf8PathBuf, Failure> {
        let directory = self.folder.room(name);
        let commit = CommitId::parse(candidate.commit.as_str())?;
        self.repository.checkout(&CheckoutRequest {
            directory: &directory,
            index: &self.folder.room(&format!("{name}.index")),
            commit: &commit,
            keep: Keep::Nothing,
            keep_paths: &[],
        })?;
        for entry in self.repository.list(&TreeId::parse(candidate.tree.as_str())?)? {
            let path = entry.path.as_bytes();
            if let Some(instruction) = instruction(&String::from_utf8_lossy(path)) {
                remove(&directory.join(instruction))?;
            }
        }
        Ok(directory)
    }
}

/// The part of a path that an agent would take for instructions: a file, or a folder with all in it.
fn instruction(path: &str) -> Option<String> {
    let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    // A name in small letters may have another length, so no place in it is one in the path.
    let is_obeyed = |path: &&str| {
        let path = path.to_lowercase();
        let obeyed = Tool::ALL.iter().flat_map(|tool| tool.descriptor().obeys).chain(&OF_OTHERS);
        let mut above = obeyed.filter_map(|name| path.strip_suffix(name));
        above.any(|above| above.is_empty() || above.ends_with('/'))
    };
    folders.chain([path]).find(is_obeyed).map(str::to_owned)
}

fn remove(path: &Utf8Path) -> Result<(), Failure> {
    let failed = |error| Failure::Refused(format!("cannot keep {path} from the judge: {error}"));
    files::remove_whatever(path.as_std_path()).map_err(failed)
}

#[cfg(test)]
mod tests {
    //! What an agent would take for instructions.

    use super::instruction;

    #[test]
    fn instructions_of_agents_are_found_in_any_folder_and_case() {
        for (path, removed) in [
            ("CLAUDE.md", "CLAUDE.md"),
            ("web/Claude.md", "web/Claude.md"),
            ("AGENTS.md", "AGENTS.md"),
            (".claude/settings.json", ".claude"),
            ("web/.codex/config.toml", "web/.codex"),
            (".github/copilot-instructions.md", ".github/copilot-instructions.md"),
            (".github/instructions/a.md", ".github/instructions"),
            (".github/hooks/stop.json", ".github/hooks"),
            ("web/.env", "web/.env"),
            ("opencode.jsonc", "opencode.jsonc"),
            // In small letters this one has three bytes, and two as it stands.
            ("İİ/.claude/CLAUDE.md", "İİ/.claude"),
            ("İİ/AGENTS.md", "İİ/AGENTS.md"),
        ] {
            assert_eq!(instruction(path).as_deref(), Some(removed), "{path}");
        }
        for path in [
            "src/claude.rs", "docs/about-claude.md", "a.claude/x", ".claudex/y", "agents/mod.rs",
            ".environment",
        ] {
            assert_eq!(instruction(path), None, "{path}");
        }
    }
}
