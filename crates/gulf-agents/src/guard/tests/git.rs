//! What git may do and may not.

use super::{allowed, denied};

#[test]
fn git_does_not_bring_back_remove_or_move_what_is_sealed() {
    denied(
        "RUBRIC.md",
        &[
            "git checkout -- RUBRIC.md",
            "git checkout HEAD~1 RUBRIC.md",
            "git checkout main -- src RUBRIC.md",
            "git checkout .",
            "git checkout -- '*.md'",
            "git restore RUBRIC.md",
            "git restore --source=HEAD~2 --staged --worktree RUBRIC.md",
            "git restore .",
            "git rm RUBRIC.md",
            "git rm -rf .",
            "git mv README.md RUBRIC.md",
            "git clean -f RUBRIC.md",
            "git stash push RUBRIC.md",
            "git stash -- RUBRIC.md",
            "git -C /work/shop restore RUBRIC.md",
            "git -c core.pager=cat restore RUBRIC.md",
            "cd src && git checkout -- ../RUBRIC.md",
            "git apply <<'E'\n--- a/RUBRIC.md\n+++ b/RUBRIC.md\nE",
            "git diff --output=RUBRIC.md",
            "git show HEAD:RUBRIC.md > RUBRIC.md",
        ],
    );
    denied(".claude/autochecks.sh", &["git rm -r .claude", "git mv .claude x"]);
}

#[test]
fn git_does_not_take_away_what_is_ignored() {
    denied(
        ".gulf/",
        &["git clean -fdx", "git clean -xdf", "git clean -fX", "git clean -ffdx .gulf", "git stash -a"],
    );
    denied("JUDGE_FEEDBACK.md", &["git clean -fdx -e .gulf"]);
    allowed(&["git clean -ndx", "git clean -fd", "git clean -fdx target", "git clean --dry-run -x"]);
    allowed(&["cd src && git clean -fdx", "git clean -fd src"]);
}

#[test]
fn everyday_git_is_let_pass() {
    allowed(&[
        "git add -A",
        "git add RUBRIC.md",
        "git commit -am 'RUBRIC.md: read'",
        "git commit -F- <<'E'\nmention > RUBRIC.md\nE",
        "git stash",
        "git stash pop",
        "git stash list",
        "git stash show -p stash@{0}",
        "git checkout -b feature/RUBRIC.md",
        "git checkout main",
        "git checkout -- src/lib.rs",
        "git switch -c next",
        "git restore src",
        "git restore --staged RUBRIC.md",
        "git rm --cached RUBRIC.md",
        "git rm -n RUBRIC.md",
        "git reset --hard",
        "git reset HEAD RUBRIC.md",
        "git status --short",
        "git diff > /tmp/x.diff",
        "git apply --check /tmp/x.diff",
        "git apply --stat <<'E'\n+++ b/RUBRIC.md\nE",
        "git log --oneline | head",
        "git",
        "git -C",
    ]);
}
