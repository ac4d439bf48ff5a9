//! Commands that are let pass: reading, work, and what cannot be followed.

use super::allowed;

#[test]
fn reading_is_free() {
    allowed(&[
        "cat RUBRIC.md",
        "cat RUBRIC.md .claude/autochecks.sh .gulf/status.json",
        "head -n 3 RUBRIC.md | tail -1",
        "grep -rn criterion RUBRIC.md > /tmp/found",
        "less RUBRIC.md",
        "wc -l RUBRIC.md",
        "cmp RUBRIC.md /tmp/RUBRIC.md",
        "diff -u RUBRIC.md /tmp/x",
        "git diff RUBRIC.md",
        "git log -p -- RUBRIC.md",
        "git show HEAD:RUBRIC.md",
        "git blame RUBRIC.md",
        "cp RUBRIC.md /tmp/x",
        "cp -r .claude /tmp/backup",
        "cp RUBRIC.md docs/",
        "rsync -a .gulf/ /tmp/gulf/",
        "ln -s ../RUBRIC.md docs/rubric.md",
        "sed -n '1,20p' RUBRIC.md",
        "sed 's/a/b/' RUBRIC.md > /tmp/x",
        "sed -ne 's/i/x/p' RUBRIC.md",
        "awk '$1 > 5' RUBRIC.md",
        "awk '{print > \"/tmp/x\"}' RUBRIC.md",
        "perl -ne 'print if /i/' RUBRIC.md",
        "sort RUBRIC.md -o /tmp/x",
        "while read -r line; do echo \"$line\"; done < RUBRIC.md",
        "tee /tmp/x < RUBRIC.md",
        "vim -R RUBRIC.md",
        "find . -name RUBRIC.md",
        "find . -name '*.md' -exec cat {} +",
        "find . -name '*.md' | xargs wc -l",
        "bash .claude/autochecks.sh",
        "bash -n .claude/autochecks.sh",
        ". .claude/autochecks.sh > /dev/null 2>&1",
        "./.claude/autochecks.sh 2>&1 | tee /tmp/log",
        "test -f RUBRIC.md && echo there",
        "[[ RUBRIC.md > PROMPT.md ]]",
        "stat -c %y RUBRIC.md",
        "sha256sum RUBRIC.md > /tmp/sum",
        "command -v rm RUBRIC.md",
        "dd if=RUBRIC.md of=/tmp/x",
        "curl -d @RUBRIC.md http://localhost",
    ]);
}

#[test]
fn a_name_in_a_text_is_no_path() {
    allowed(&[
        "echo \"see RUBRIC.md\"",
        "echo 'echo x > RUBRIC.md'",
        "git commit -m \"rubric: explain RUBRIC.md > x\"",
        "git commit -m 'do not rm RUBRIC.md'",
        "cat > other.md <<'EOF'\nrm RUBRIC.md\necho x > RUBRIC.md\nEOF",
        "cat <<EOF > notes.md\nread RUBRIC.md; rm .gulf\nEOF",
        "cat <<-EOF > notes.md\n\t> RUBRIC.md\n\tEOF\ncat notes.md",
        "# rm RUBRIC.md",
        "make test # then rm RUBRIC.md",
        "echo x # > RUBRIC.md",
        "printf '%s\\n' 'rm RUBRIC.md' > script.txt",
        "grep 'rm RUBRIC.md' log",
        "gulf claim conflict \"RUBRIC.md > wants both\"",
        "sed -i '/RUBRIC.md/d' README.md",
        "sed -i 's/RUBRIC.md/rubric/' README.md",
        "perl -pi -e 's/RUBRIC.md/x/' README.md",
        "echo RUBRIC.md >> .gitignore",
        "npm test -- --reporter RUBRIC.md",
    ]);
}

#[test]
fn what_the_worker_owns_is_written_freely() {
    allowed(&[
        "echo done >> progress.txt",
        "cat > progress.txt <<'EOF'\nAll of RUBRIC.md read.\nEOF",
        "mkdir -p .gulf && echo note >> .gulf/notepad.md",
        "mv /tmp/x .gulf/notepad.md",
        "cp /tmp/x .gulf/notepad.md",
        "cp /tmp/notepad.md .gulf/",
        "cd .gulf && echo note >> notepad.md",
        "sed -i 's/a/b/' .gulf/notepad.md",
        "mkdir -p .claude/memory && echo note > .claude/memory/lessons.md",
        "rm -rf .claude/memory",
        "echo '{}' > .claude/settings.local.json",
        "echo x > tests/test_rubric.py",
        "rm -rf target build node_modules/.cache",
        "rm -f *.log *.tmp",
        "rm -rf ./build/*",
        "mv src/a.rs src/b.rs",
        "mv build/out .",
        "cp -r templates/. .",
        "touch src/new.rs tests/__init__.py",
        "chmod +x scripts/run.sh",
        "chmod -R u+w .",
        "echo x > docs/RUBRIC.md",
        "echo x > docs/decisions.md",
        "rm docs/RUBRIC.md",
        "rm RUBRIC.md.bak",
        "prettier --write src README.md",
        "tar xf a.tar -C vendor",
        "find . -name '*.pyc' -delete",
        "find . -name __pycache__ -type d -exec rm -rf {} +",
        "find . -type d -empty -delete",
        "find src -name '*.rs' -exec sed -i 's/a/b/' {} +",
        "find . -path ./.gulf -prune -o -name '*.log' -delete",
        "find . -name '*.orig' | xargs rm -f",
        "git ls-files '*.rs' | xargs sed -i 's/a/b/'",
        "for f in src/*.rs; do sed -i 's/a/b/' \"$f\"; done",
        "python3 -c \"open('out.txt','w').write('x')\"",
        "python3 -c \"open('.gulf/notepad.md','a').write('x')\"",
    ]);
}

#[test]
fn code_that_reads_a_sealed_text_and_writes_another_is_let_pass() {
    allowed(&[
        "python3 -c \"print(open('RUBRIC.md').read())\"",
        "python3 -c \"t = open('RUBRIC.md', 'r').read(); open('out.txt', 'w').write(t)\"",
        "python3 -c \"t = open('RUBRIC.md', encoding='utf-8').read(); open('o', 'w').write(t)\"",
        "python3 - <<'E'\nfrom pathlib import Path\nPath('o').write_text(Path('RUBRIC.md').read_text())\nE",
        "node -e \"fs.writeFileSync('o', fs.readFileSync('RUBRIC.md'))\"",
        "ruby -e 'File.write(\"o\", File.read(\"RUBRIC.md\"))'",
        "python3 -c \"# like RUBRIC.md says\nopen('o', 'w')\"",
        "python3 -c \"open('o', 'w').write('see RUBRIC.md for more')\"",
        "python3 -c \"print('RUBRIC.md')\"",
        "awk '/RUBRIC.md/ && $3 > 2' log",
    ]);
}

#[test]
fn what_cannot_be_followed_is_let_pass() {
    allowed(&[
        "rm \"$1\"",
        "rm $UNKNOWN/RUBRIC.md",
        "cd \"$(mktemp -d)\" && echo x > RUBRIC.md",
        "cd /tmp && echo x > RUBRIC.md",
        "(cd /tmp && echo x > RUBRIC.md)",
        "git -C /tmp/other checkout -- RUBRIC.md",
        "read F; rm $F",
        "F=RUBRIC.md; unset F; rm $F",
        "(F=RUBRIC.md); rm $F",
        "rm ~other/RUBRIC.md",
        "./script.sh RUBRIC.md",
        "make RUBRIC.md",
        "rm 'RUBRIC.m*'",
        "rm \"*.md\"",
        "rm RUBRIC?md.old",
        "cargo fmt && cargo test 2>&1 | tail",
        "",
        "\n\n",
        "'",
        "\"$(",
        "cat <<",
        "> ",
        ")",
        "${",
    ]);
}
