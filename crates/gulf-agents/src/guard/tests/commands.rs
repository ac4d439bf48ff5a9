//! Commands that write something protected, and those that are let pass.

use super::{allowed, denied};

#[test]
fn a_redirection_into_a_sealed_text_is_denied() {
    denied(
        "RUBRIC.md",
        &[
            "echo x > RUBRIC.md",
            "echo x >RUBRIC.md",
            "echo x >> RUBRIC.md",
            "echo x >| RUBRIC.md",
            "make &> RUBRIC.md",
            "make 2> RUBRIC.md",
            "> RUBRIC.md",
            "echo x > \"RUBRIC.md\"",
            "echo x > 'RUBRIC.md'",
            "echo x > /work/shop/RUBRIC.md",
            "echo x > ../shop/RUBRIC.md",
            "echo x > rubric.md",
            "cat > RUBRIC.md <<'EOF'\n# Rubric\nEOF",
            "cat <<EOF > RUBRIC.md\n# Rubric\nEOF",
            "# a comment\necho x > RUBRIC.md",
            "if true; then echo x > RUBRIC.md; fi",
            "{ echo a; echo b; } > RUBRIC.md",
            "true && echo x > RUBRIC.md || true",
            "echo \\\n x > \\\n RUBRIC.md",
            "bash -lc 'echo x > RUBRIC.md'",
        ],
    );
    denied("/home/ada/.local/state/gulf", &["echo x > ~/.local/state/gulf/journal"]);
}

#[test]
fn a_program_that_writes_or_removes_a_sealed_text_is_denied() {
    denied(
        "RUBRIC.md",
        &[
            "rm RUBRIC.md",
            "rm -f -- RUBRIC.md",
            "/bin/rm RUBRIC.md",
            "sudo rm RUBRIC.md",
            "LC_ALL=C rm RUBRIC.md",
            "touch RUBRIC.md",
            "echo x | tee -a log RUBRIC.md > /dev/null",
            "chmod 644 RUBRIC.md",
            "sed -i 's/a/b/' RUBRIC.md",
            "sed -i.bak -e 's/a/b/' RUBRIC.md",
            "perl -pi -e 's/a/b/' RUBRIC.md",
            "dd if=/dev/zero of=RUBRIC.md count=1",
            "cp /tmp/x RUBRIC.md",
            "ln -sf /tmp/x RUBRIC.md",
            "mv /tmp/x RUBRIC.md",
            "mv RUBRIC.md old.md",
            "rm -rf .",
            "rm -rf ../shop",
            "git checkout -- RUBRIC.md",
            "git restore --source=HEAD~2 --staged --worktree RUBRIC.md",
            "git rm RUBRIC.md",
            "git mv RUBRIC.md old.md",
            "cd src && rm ../RUBRIC.md",
            "apply_patch <<'E'\n*** Begin Patch\n*** Update File: RUBRIC.md\n@@\n-a\n+b\n*** End Patch\nE",
            "apply_patch '*** Begin Patch\n*** Delete File: RUBRIC.md\n*** End Patch'",
        ],
    );
    denied(".gulf/", &["rm -rf .gulf", "rm .gulf/status.json", "cp x .gulf/", "mv x .gulf/loops/a.json"]);
    denied(".claude/autochecks.sh", &["rm -rf .claude", "mv .claude x", "git rm -r .claude"]);
    denied("/home/ada/.local/state/gulf", &["rm -rf ~", "rm -rf /home/ada/.local"]);
}

#[test]
fn reading_is_free() {
    allowed(&[
        "cat RUBRIC.md .claude/autochecks.sh .gulf/status.json",
        "grep -rn criterion RUBRIC.md > /tmp/found",
        "diff -u RUBRIC.md /tmp/x",
        "git diff RUBRIC.md",
        "git show HEAD:RUBRIC.md",
        "git add RUBRIC.md",
        "git restore --staged RUBRIC.md",
        "git rm --cached RUBRIC.md",
        "git checkout -b feature/RUBRIC.md",
        "git commit -F- <<'E'\nmention > RUBRIC.md\nE",
        "git commit -am 'write > RUBRIC.md'",
        "cp RUBRIC.md /tmp/x",
        "sed -n '1,20p' RUBRIC.md",
        "sed 's/a/b/' RUBRIC.md > /tmp/x",
        "while read -r line; do echo \"$line\"; done < RUBRIC.md",
        "cat <<< RUBRIC.md",
        "bash .claude/autochecks.sh > /dev/null 2>&1",
        "./.claude/autochecks.sh 2>&1 | tee /tmp/log",
        "echo 'rm RUBRIC.md'",
        "cat >> notes.md <<EOF\necho x > RUBRIC.md\nEOF",
    ]);
}

#[test]
fn everyday_work_is_let_pass() {
    allowed(&[
        "cargo fmt && cargo test 2>&1 | tail",
        "echo done >> progress.txt",
        "echo x > .gulf/notepad.md",
        "rm -rf target node_modules",
        "rm docs/RUBRIC.md",
        "cd /tmp && echo x > RUBRIC.md",
        "cd \"$(mktemp -d)\" && echo x > RUBRIC.md",
        "make RUBRIC.md",
        "git add -A && git commit -qm x",
        "git checkout main",
        "git reset --hard",
    ]);
}
