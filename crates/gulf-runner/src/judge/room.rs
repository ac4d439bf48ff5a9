//! The judge's own checkout of the candidate, without any text that an agent takes for instructions.
//!
//! It stands apart because of what it leaves out: a worker that writes CLAUDE.md would else write to its judge.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::Candidate;
use gulf_host::files;
use gulf_host::git::{CheckoutRequest, CommitId, Keep, TreeId};

use crate::error::Failure;
use crate::workshop::Workshop;

/// Files that agents read as instructions or settings, in any folder.
const INSTRUCTIONS: [&str; 15] = [
    "claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", "qwen.md", ".mcp.json",
    ".cursorrules", ".windsurfrules", ".clinerules", "copilot-instructions.md", "opencode.json",
    "opencode.jsonc", ".geminiignore",
    // Gemini CLI takes its variables from it: where it sends what it is asked, for example.
    ".env",
];
/// Folders of agents, in any folder.
const FOLDERS: [&str; 13] = [
    ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".opencode", ".github/agents", ".github/copilot",
    ".github/hooks", ".github/instructions", ".github/skills", ".windsurf", ".agents",
];

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
    let is_among = |path: &str, names: &[&str]| {
        let path = path.to_lowercase();
        let above = names.iter().find_map(|name| path.strip_suffix(name));
        above.is_some_and(|above| above.is_empty() || above.ends_with('/'))
    };
    let folder = folders.into_iter().find(|folder| is_among(folder, &FOLDERS));
    folder.or_else(|| is_among(path, &INSTRUCTIONS).then_some(path)).map(str::to_owned)
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
