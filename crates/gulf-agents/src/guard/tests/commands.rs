//! Commands that write something protected.

use serde_json::json;

use super::{check, denied};

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
            "make &>> RUBRIC.md",
            "make 2> RUBRIC.md",
            "make >& RUBRIC.md",
            "cat <> RUBRIC.md",
            "> RUBRIC.md",
            ": > ./RUBRIC.md",
            "exec 3> RUBRIC.md",
            "echo x > \"RUBRIC.md\"",
            "echo x > 'RUBRIC.md'",
            "echo x > RUB\"RIC\".md",
            "echo x > R\\UBRIC.md",
            "echo x > $'\\x52UBRIC.md'",
            "echo x > /work/shop/RUBRIC.md",
            "echo x > /work/./shop//src/../RUBRIC.md",
            "echo x > ../shop/RUBRIC.md",
            "echo x > rubric.md",
            "echo x > Rubric.MD",
            "echo x > /proc/self/cwd/RUBRIC.md",
            "cat > RUBRIC.md <<'EOF'\n# Rubric\nEOF",
            "cat <<EOF > RUBRIC.md\n# Rubric\nEOF",
            "if true; then echo x > RUBRIC.md; fi",
            "while read line; do echo $line; done > RUBRIC.md",
            "{ echo a; echo b; } > RUBRIC.md",
            "(echo a; echo b) > RUBRIC.md",
            "true && echo x > RUBRIC.md || true",
            "echo \\\n x > \\\n RUBRIC.md",
            "case $1 in a) echo x > RUBRIC.md;; esac",
            "f() { echo x > RUBRIC.md; }",
            "[[ -f a ]] && echo x > RUBRIC.md",
            "(( n < 3 )); echo x > RUBRIC.md",
            "echo $(( 1 << 3 )) > RUBRIC.md",
            "echo \"$(echo x > RUBRIC.md)\"",
            "echo `echo x > RUBRIC.md`",
            "cat <<EOF\n$(echo x > RUBRIC.md)\nEOF",
            "diff <(cat a) <(tee RUBRIC.md < b)",
            "ls | tee >(cat > RUBRIC.md)",
            "echo ${x:-$(rm RUBRIC.md)}",
        ],
    );
}

#[test]
fn a_program_that_writes_its_operands_is_denied_a_sealed_one() {
    denied(
        "RUBRIC.md",
        &[
            "rm RUBRIC.md",
            "rm -f -- RUBRIC.md",
            "/bin/rm RUBRIC.md",
            "\\rm RUBRIC.md",
            "unlink RUBRIC.md",
            "shred -u -n 3 RUBRIC.md",
            "touch RUBRIC.md",
            "truncate -s 0 RUBRIC.md",
            "echo x | tee RUBRIC.md",
            "echo x | tee -a log RUBRIC.md > /dev/null",
            "sort a | sponge RUBRIC.md",
            "chmod -w RUBRIC.md",
            "chmod 644 RUBRIC.md",
            "chown ada RUBRIC.md",
            "chattr +i RUBRIC.md",
            "sed -i 's/a/b/' RUBRIC.md",
            "sed -i.bak -e 's/a/b/' RUBRIC.md",
            "sed -i '' 's/a/b/' RUBRIC.md",
            "sed -E -i 's/a/b/' src/lib.rs RUBRIC.md",
            "sed -ni '1p' RUBRIC.md",
            "sed --in-place=.orig s/a/b/ RUBRIC.md",
            "perl -pi -e 's/a/b/' RUBRIC.md",
            "perl -i.bak -pe 's/a/b/' RUBRIC.md",
            "ruby -i -pe '$_.upcase!' RUBRIC.md",
            "awk -i inplace '{print}' RUBRIC.md",
            "gawk --include=inplace '{print}' RUBRIC.md",
            "prettier --write RUBRIC.md",
            "npx prettier -w RUBRIC.md",
            "sort -o RUBRIC.md a",
            "curl -sSo RUBRIC.md http://localhost",
            "wget --output-document=RUBRIC.md http://localhost",
            "dd if=/dev/zero of=RUBRIC.md count=1",
            "vim -es +wq RUBRIC.md",
            "ed -s RUBRIC.md <<'E'\n1d\nw\nE",
            "patch RUBRIC.md < change.diff",
            "patch -p1 <<'E'\n--- a/RUBRIC.md\n+++ b/RUBRIC.md\n@@ -1 +1 @@\n-a\n+b\nE",
            "apply_patch <<'E'\n*** Begin Patch\n*** Update File: RUBRIC.md\n@@\n-a\n+b\n*** End Patch\nE",
            "apply_patch '*** Begin Patch\n*** Delete File: RUBRIC.md\n*** End Patch'",
        ],
    );
}

#[test]
fn what_is_copied_or_moved_onto_a_sealed_text_is_denied() {
    denied(
        "RUBRIC.md",
        &[
            "cp /tmp/x RUBRIC.md",
            "cp -f /tmp/RUBRIC.md .",
            "cp /tmp/RUBRIC.md ./",
            "cp -t . /tmp/RUBRIC.md",
            "cp --target-directory=/work/shop docs/RUBRIC.md",
            "install -m 644 x RUBRIC.md",
            "ln -sf /tmp/x RUBRIC.md",
            "ln -s /tmp/RUBRIC.md",
            "rsync -a x RUBRIC.md",
            "rsync -a --delete src/ ./",
            "scp host:x RUBRIC.md",
            "mv /tmp/x RUBRIC.md",
            "mv RUBRIC.md old.md",
            "mv -t /tmp RUBRIC.md README.md",
            "git mv RUBRIC.md old.md",
            "rename 's/R/r/' RUBRIC.md",
        ],
    );
    denied(".gulf/", &["cp x .gulf/", "cp -r x/. .gulf", "mv x .gulf/loops/a.json", "ln -s x .gulf"]);
}

#[test]
fn a_folder_with_something_protected_in_it_is_not_removed() {
    denied(".claude/autochecks.sh", &["rm -rf .claude", "mv .claude x", "rm .claude/*", "rm -rf .cl*"]);
    denied(".claude/autochecks.sh", &["find .claude -delete", "find .claude -type f -exec rm {} +"]);
    denied(
        ".gulf/",
        &["rm -rf .gulf", "rm -rf .gulf/*", "rm .gulf/status.json", "rmdir .gulf", "rm -r .g?lf"],
    );
    denied("RUBRIC.md", &["rm -rf .", "rm -rf *", "rm -rf ./*", "rm -rf ../shop", "rm *.md", "rm [A-R]*"]);
    denied("RUBRIC.md", &["rm -rf /", "rm -rf \"$PWD\"", "rm -rf /work", "rm -rf ~/../../work/shop"]);
    denied(
        "/home/ada/.local/state/gulf",
        &["rm -rf ~", "rm -rf \"$HOME/.local\"", "rm -rf $GULF_HOME/journal"],
    );
}

#[test]
fn find_is_denied_what_its_expression_reaches() {
    denied(
        "RUBRIC.md",
        &[
            "find . -name '*.md' -delete",
            "find . -delete",
            "find -maxdepth 1 -iname 'rubric*' -delete",
            "find . -name RUBRIC.md -exec rm {} \\;",
            "find . -type f -name '*.md' -exec sed -i 's/a/b/' {} +",
            "find . \\( -name '*.txt' -o -name '*.md' \\) -exec sh -c 'rm {}' \\;",
            "find . -name x -fprint RUBRIC.md",
            "find . -name x -exec tee RUBRIC.md \\;",
            "find . -path ./.git -prune -o -name '*.md' -delete",
        ],
    );
    denied(
        "RUBRIC.md",
        &["find . -name '*.md' | xargs rm", "find . -name '*.md' -print0 | xargs -0 sed -i s/a/b/"],
    );
    denied(".gulf/", &["find . -name .gulf -exec rm -rf {} +", "find .gulf -type f -delete"]);
}

#[test]
fn what_one_command_says_is_followed_into_the_next() {
    denied(
        "RUBRIC.md",
        &[
            "echo RUBRIC.md | xargs rm",
            "printf 'RUBRIC.md\\n' | xargs -n1 rm -f",
            "ls *.md | xargs -I{} mv {} /tmp",
            "ls | xargs rm -rf",
            "git ls-files '*.md' | xargs sed -i 's/a/b/'",
            "echo 'rm RUBRIC.md' | sh",
            "cat <<'E' | bash\nrm RUBRIC.md\nE",
            "bash <<'E'\ncd src\nrm ../RUBRIC.md\nE",
            "bash <<< 'rm RUBRIC.md'",
            "rm $(echo RUBRIC.md)",
            "rm $(ls *.md)",
            "rm \"$(git rev-parse --show-toplevel)/RUBRIC.md\"",
            "rm `pwd`/RUBRIC.md",
        ],
    );
}

#[test]
fn folders_and_variables_are_followed() {
    denied(
        "RUBRIC.md",
        &[
            "cd src && rm ../RUBRIC.md",
            "cd /tmp; cd -; rm RUBRIC.md",
            "pushd src; rm ../RUBRIC.md",
            "pushd src; popd; rm RUBRIC.md",
            "(cd /tmp && rm x); rm RUBRIC.md",
            "cd src || exit; cd ..; rm RUBRIC.md",
            "F=RUBRIC.md; rm $F",
            "F=RUBRIC; echo x > \"${F}.md\"",
            "export F=RUBRIC.md && rm -f \"$F\"",
            "F='RUBRIC.md PROMPT.md'; rm $F",
            "files=(README.md RUBRIC.md); rm \"${files[@]}\"",
            "for f in README.md RUBRIC.md; do sed -i s/a/b/ $f; done",
            "for f in *.md; do mv \"$f\" \"$f.old\"; done",
            "F='*.md'; rm $F",
            "rm ${F:-RUBRIC.md}",
            "rm {README,RUBRIC}.md",
            "rm RUBRIC.{md,txt}",
            "D=$(pwd); rm $D/RUBRIC.md",
            "rm \"$CLAUDE_PROJECT_DIR/RUBRIC.md\"",
        ],
    );
    denied(
        "/home/ada/.local/state/gulf",
        &["cd && rm .local/state/gulf/x", "echo x > ~/.local/state/gulf/x"],
    );
    denied(".gulf/", &["cd .gulf && rm status.json", "cd .gulf; echo x > notepad.md.old"]);
}

#[test]
fn programs_before_programs_are_looked_through() {
    denied(
        "RUBRIC.md",
        &[
            "sudo rm RUBRIC.md",
            "sudo -u root -E rm RUBRIC.md",
            "env A=b rm RUBRIC.md",
            "env -u A rm RUBRIC.md",
            "A=b rm RUBRIC.md",
            "nohup rm RUBRIC.md &",
            "time rm RUBRIC.md",
            "command rm RUBRIC.md",
            "exec rm RUBRIC.md",
            "timeout -k 1 5s rm RUBRIC.md",
            "nice -n 19 rm RUBRIC.md",
            "stdbuf -oL tee RUBRIC.md",
            "xargs rm RUBRIC.md < /dev/null",
            "bash -c 'rm RUBRIC.md'",
            "bash -euo pipefail -c 'rm RUBRIC.md'",
            "bash -lc \"cd src && rm ../RUBRIC.md\"",
            "sh -ec 'bash -c \"rm RUBRIC.md\"'",
            "eval 'rm RUBRIC.md'",
            "eval rm RUBRIC.md",
            "trap 'rm RUBRIC.md' EXIT",
            "! rm RUBRIC.md",
            "function f { rm RUBRIC.md; }",
        ],
    );
}

#[test]
fn code_that_names_a_sealed_text_and_writes_is_denied() {
    denied(
        "RUBRIC.md",
        &[
            "python3 -c \"open('RUBRIC.md','w').write('x')\"",
            "python3 -c 'open(\"RUBRIC.md\", \"a\").write(\"x\")'",
            "python -c 'import os; os.remove(\"RUBRIC.md\")'",
            "python3 - <<'E'\nfrom pathlib import Path\np = Path('RUBRIC.md')\np.write_text('x')\nE",
            "cat <<'E' | python3\nopen('/work/shop/RUBRIC.md', mode='w')\nE",
            "python3.12 -c \"import subprocess; subprocess.run(['rm', 'RUBRIC.md'])\"",
            "python3 -c \"import os; os.system('rm RUBRIC.md')\"",
            "node -e \"require('fs').writeFileSync('RUBRIC.md','')\"",
            "node --eval \"fs.unlinkSync('./RUBRIC.md')\"",
            "ruby -e 'File.write(\"RUBRIC.md\", \"\")'",
            "perl -e 'open(F, \">\", \"RUBRIC.md\")'",
            "perl -e 'unlink \"RUBRIC.md\"'",
            "perl -MFile::Slurp -e 'write_file(\"RUBRIC.md\", \"\")'",
            "python3 -c \"for f in ['README.md', 'RUBRIC.md']: open(f, 'w')\"",
            "ruby -e 'system(\"echo x > RUBRIC.md\")'",
            "php -r 'file_put_contents(\"RUBRIC.md\", \"\");'",
            "awk '{print > \"RUBRIC.md\"}' a",
            "uv run python -c \"open('rubric.md','w')\"",
        ],
    );
    denied(
        ".claude/autochecks.sh",
        &[
            "python3 -c \"import os; open(os.path.join('.claude', 'autochecks.sh'), 'w')\"",
            "python3 -c \"import shutil; shutil.rmtree('.claude')\"",
        ],
    );
    denied(
        ".gulf/",
        &["node -e \"fs.rmSync('.gulf', {recursive: true})\"", "python3 -c \"open('.gulf/s.json','w')\""],
    );
}

#[test]
fn the_folder_in_which_a_tool_works_counts() {
    let remove = json!({ "command": "rm ../RUBRIC.md" });
    check("Bash", &remove, "/work/shop/src", Some("RUBRIC.md"));
    check("Bash", &remove, "/work/other/src", None);
    let remove = json!({ "command": "rm RUBRIC.md" });
    check("Bash", &remove, "/work/shop/src", None);
    check("Bash", &remove, "/WORK/Shop", Some("RUBRIC.md"));
    check("Bash", &json!({ "command": "rm state.json" }), "/work/shop/.gulf", Some(".gulf/"));
}
