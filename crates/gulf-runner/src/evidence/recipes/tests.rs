//! What is found behind a name, and what is not.

use super::*;

const MAKEFILE: &str = "\
.PHONY: all test run\nall: build\n\tcp a b\nrun:\n\tnode src/index.js\ntest: build lint\n\t@./check.sh --all\n\
lint:\n\t-sh ci/lint.sh\nCFLAGS = -Werror\nbuild:\n\tcc $(CFLAGS) app.c\nNAME := x:y\ninclude extra.mk\n";

fn check(command: &str, found: &[&str]) {
    let read = |name: &str| {
        match name {
        "Makefile" => Some(MAKEFILE.to_owned()),
        "package.json" => {
            Some(r#"{"scripts":{"test":"node run.js","pretest":"tsc","start":"node app.js","all":"npm run deep && npm run all","deep":"npm test"}}"#.to_owned())
        }
        _ => None,
    }
    };
    let mut behind = behind(command, &read);
    behind.sort();
    assert_eq!(behind, found, "{command}");
}

#[test]
fn a_target_of_make_stands_for_its_recipe_and_for_what_it_needs() {
    check(
        "make test",
        &[
            "./check.sh --all", "cc -Werror app.c", "make -f ./extra.mk", "make-target:build",
            "make-target:lint", "sh ci/lint.sh",
        ],
    );
    check("make", &["cc -Werror app.c", "cp a b", "make -f ./extra.mk", "make-target:build"]);
    check("cd x && make run", &["make -f ./extra.mk", "node src/index.js"]);
}

#[test]
fn a_script_of_a_package_stands_for_its_command_and_those_around_it() {
    check("npm test", &["node run.js", "tsc"]);
    check("npm run start", &["node app.js"]);
    check("npm run all", &["node run.js", "npm run deep && npm run all", "npm test", "tsc"]);
}

#[test]
fn a_package_manager_goes_through_packages_by_its_options() {
    for command in ["npm test --workspaces", "pnpm -r test", "npm test --workspace=a"] {
        assert!(goes_through_packages(command), "{command}");
    }
    assert!(!goes_through_packages("npm test") && !goes_through_packages("grep -r test"));
}

#[test]
fn a_plain_command_stands_for_itself() {
    check("cargo test", &[]);
    assert_eq!(behind("make test", &|_| None), [""; 0]);
}

#[track_caller]
fn follow(command: &str, files: &[(&str, &str)], expected: &[&str]) {
    let read = |name: &str| files.iter().find(|(path, _)| *path == name).map(|(_, text)| (*text).to_owned());
    assert_eq!(further(&[command.to_owned()], &read), expected, "{command}");
}

// proves: B3
#[test]
fn scripts_behind_a_script_are_followed_and_products_are_not() {
    let inner = ("ci/inner.sh", "grep -q right value.txt\n");
    follow(
        "./check.sh",
        &[("check.sh", "#!/bin/sh\nsh ci/inner.sh\n"), inner],
        &["sh ./check.sh", "sh ./ci/inner.sh"],
    );
    let library = ("lib", "verify() { true; }\n");
    follow("sh check.sh", &[("check.sh", ". ./lib\nverify\n"), library], &["sh ./check.sh", "sh ./lib"]);
    let product = ("greet.sh", "echo hello\n");
    follow("sh check.sh", &[("check.sh", "./greet.sh | grep hello\n"), product], &["sh ./check.sh"]);
    let python = ("tools/x.py", "import os\n");
    follow(
        "sh check.sh",
        &[("check.sh", "# sh ci/inner.sh\npython tools/x.py\n"), python, inner],
        &["sh ./check.sh"],
    );
    let environment = ("check.sh", "# . ./no\n[ -f .env ] && . ./.env\nsource ci/env.sh\n");
    follow("sh check.sh", &[environment], &["sh ./check.sh", "make -f ./.env", "make -f ./ci/env.sh"]);
    let compares = ("check.sh", "python3 app.py > out\ndiff expected.txt out\n# diff a b\n");
    follow("sh check.sh", &[compares], &["sh ./check.sh", "diff expected.txt out"]);
    let beside = ("ci/check.sh", "here=.\n. \"$here/lib.sh\"\n. \"$(dirname \"$0\")/more.sh\"\n");
    let (lib, more) = (("ci/lib.sh", "a() { true; }\n"), ("ci/more.sh", "b() { true; }\n"));
    let wanted = ["sh ./ci/check.sh", "sh ./ci/lib.sh", "sh ./ci/more.sh"];
    follow("sh ci/check.sh", &[beside, lib, more], &wanted);
    let endless = ("ci/a.sh", "sh ci/a.sh\n");
    follow("sh ci/a.sh", &[endless], &["sh ./ci/a.sh"]);
}

#[test]
fn a_makefile_that_changes_for_other_targets_is_the_same_for_a_command() {
    let base =
        "include a.mk\nCFLAGS = -O\n\ntest: build\n\t./check.sh\nbuild:\n\tcc app.c\nclean:\n\trm app\n";
    let same = |now: &str, command| is_same_for(base, now, command, (&[], &[]));
    let more =
        format!("# Tests.\n.PHONY: test lint\n{base}lint:\n\tlint app.c\n").replace("rm app", "rm -f app");
    assert!(same(&more, "make test"));
    assert!(!same(&more, "make clean"));
    for now in [
        base.replace("cc app.c", "true"),
        base.replace("-O", "-w"),
        base.replace("include a.mk", "include b.mk"),
        format!("MAKEFLAGS += -n\n{base}"),
        format!(".IGNORE:\n{base}"),
        format!("{base}%.c:\n\ttrue\n"),
        format!("{base}Makefile:\n\ttrue\n"),
        format!("first:\n\ttrue\n{base}test: first\n"),
    ] {
        assert!(!same(&now, "make test"), "{now}");
    }
    assert!(!same(&format!("all:\n\ttrue\n{base}"), "make"));
    let calls = "test:\n\t$(MAKE) lint\nlint:\n\tlint\n";
    assert!(!is_same_for(calls, &calls.replace("\tlint", "\ttrue"), "make test", (&[], &[])));
    let phony = ".PHONY: test\ntest:\n\ttrue\n";
    assert!(!is_same_for(phony, "test:\n\ttrue\n", "make test", (&[], &[])));
}

#[test]
fn a_source_that_a_list_loses_is_no_longer_built() {
    let base = "SRCS = src/a.c tests/t.c\nOBJS = $(SRCS:.c=.o)\ntest: run\n\t./run\nrun: $(OBJS)\n\tcc -o run $(OBJS)\n";
    let same = |now: &str| is_same_for(base, now, "make test", (&["src/b.c"], &["src/a.c", "tests/t.c"]));
    assert!(same(&base.replace("src/a.c", "src/a.c src/b.c")));
    assert!(same(&base.replace("$(SRCS:.c=.o)", "$(SRCS:%.c=%.o)")));
    assert!(!same(&base.replace(" tests/t.c", "")));
}

#[test]
fn a_source_more_that_is_built_changes_nothing_else() {
    const BASE: &str = "CFLAGS = -O\nSRC = src/a.c\nOBJ = src/a.o\ntest: app\n\t./app\napp: $(SRC) $(OBJ)\n\tcc $(CFLAGS) -o app $(SRC) tests/t.c\n";
    let same = |now: &str| {
        let there = ["src/a.c", "src/b.c", "tests/t.c"];
        is_same_for(BASE, now, "make test", (&["src/b.c"], &there))
    };
    assert!(same(&BASE.replace("= src/a.c", "= src/a.c src/b.c").replace("= src/a.o", "= src/a.o src/b.o")));
    assert!(same(&BASE.replace("= src/a.c", "= $(wildcard src/*.c)")));
    assert!(same(&BASE.replace("$(SRC) tests", "src/a.c src/b.c tests")));
    for now in [
        BASE.replace("= src/a.c", "= src/b.c"),
        BASE.replace("tests/t.c", "src/b.c"),
        BASE.replace("-O", "-O src/b.c -w"),
        BASE.replace("\t./app", "\t-./app"),
        BASE.replace("= src/a.c", "= src/a.c src/c.c"),
    ] {
        assert!(!same(&now), "{now}");
    }
}
