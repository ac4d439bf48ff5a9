//! Tables that grew, and what only looks like it.

use crate::sources::*;

const GO: &str = r#"package a

import "testing"

func TestOptions(t *testing.T) {
	tests := []struct {
		name string
		in   string
		want bool
	}{
		{name: "empty", in: "", want: false},
		{name: "word", in: "a", want: true}, // the usual
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.in == "" {
				return
			}
			if got := parse(tt.in); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
"#;

#[track_caller]
fn grows(path: &str, old: &str, new: &str) {
    assert_ne!(old, new);
    assert_eq!(test_changes(path, Some(old.as_bytes()), Some(new.as_bytes())), []);
}

#[track_caller]
fn is_changed(path: &str, old: &str, new: &str) {
    assert_ne!(old, new);
    assert_ne!(test_changes(path, Some(old.as_bytes()), Some(new.as_bytes())), []);
}

/// The table with this case behind its first one.
fn with(case: &str) -> String {
    GO.replace("false},\n", &format!("false}},\n\t\t{case}\n"))
}

#[test]
fn a_go_table_that_got_more_cases_is_no_changed_test_and_its_new_cases_are_new_tests() {
    let more = with("{name: \"two\", in: strings.Repeat(\"a\", 2), want: true},");
    grows("a_test.go", GO, &more);
    grows(
        "a_test.go",
        GO,
        &more.replace("// the usual", "// as ever\n\t\t{name: \"last\", in: string([]byte{1}), want: true},"),
    );
    let names: Vec<_> = new_tests("a_test.go", Some(GO.as_bytes()), more.as_bytes());
    assert_eq!(names.iter().map(|test| test.name.as_str()).collect::<Vec<_>>(), ["TestOptions"]);
}

#[test]
fn a_go_table_within_its_loop_of_a_map_or_of_the_file_may_grow_too() {
    let plain = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, in := range []string{\"a\"} {\n\t\tcheck(t, in)\n\t}\n}\n";
    grows("a_test.go", plain, &plain.replace("{\"a\"}", "{\"a\", \"b\"}"));
    let map = "package a\n\nfunc TestA(t *testing.T) {\n\ttests := map[string]option{\n\t\t\"a\": {1},\n\t}\n\tfor name, one := range tests {\n\t\tcheck(t, name, one)\n\t}\n}\n";
    grows("a_test.go", map, &map.replace("{1},\n", "{1},\n\t\t\"b\": {2},\n"));
    let of_file = "package a\n\nvar cases = []struct{ in string }{\n\t{\"a\"},\n}\n\nfunc TestA(t *testing.T) {\n\tfor _, one := range cases {\n\t\tcheck(t, one.in)\n\t}\n}\n";
    let more = of_file.replace("{\"a\"},", "{\"a\"},\n\t{\"b\"},");
    grows("a_test.go", of_file, &more);
    let other_use = "\nfunc TestB(t *testing.T) {\n\tcheck(t, cases[0].in)\n}\n";
    is_changed("a_test.go", &format!("{of_file}{other_use}"), &format!("{more}{other_use}"));
}

#[test]
fn a_case_that_changed_went_or_moved_is_a_changed_test() {
    is_changed("a_test.go", GO, &GO.replace("\"a\", want: true", "\"a\", want: false"));
    is_changed("a_test.go", GO, &GO.replace("\t\t{name: \"empty\", in: \"\", want: false},\n", ""));
    let moved = GO.replace("\t\t{name: \"empty\", in: \"\", want: false},\n", "");
    let moved = moved.replace("// the usual", "\n\t\t{name: \"empty\", in: \"\", want: false},");
    is_changed("a_test.go", GO, &moved);
    let loosened =
        with("{name: \"two\", in: \"b\", want: true},").replace("got != tt.want", "got && !tt.want");
    is_changed("a_test.go", GO, &loosened);
}

#[test]
fn a_case_that_keeps_others_from_running_is_a_changed_test() {
    let two = with("{name: \"two\", in: \"b\", want: true},");
    for (what, old, new) in [
        ("another of the same name", GO.to_owned(), with("{name: \"word\", in: \"b\", want: true},")),
        (
            "a function",
            GO.to_owned(),
            with("{name: \"two\", in: func() string { t.SkipNow(); return \"\" }()},"),
        ),
        ("a call that nobody knows", GO.to_owned(), with("{name: \"two\", in: leave()},")),
        ("the test itself", GO.to_owned(), with("{name: \"two\", in: parse(t)},")),
        ("an early return", GO.to_owned(), two.replace("\tfor _", "\treturn\n\tfor _")),
    ] {
        assert_ne!(test_changes("a_test.go", Some(old.as_bytes()), Some(new.as_bytes())), [], "{what}");
    }
    for stops in [
        "if tt.in == \"b\" {\n\t\t\tbreak\n\t\t}",
        "if !tt.want {\n\t\t\treturn\n\t\t}",
        "if tt.want {\n\t\t\tt.Skip()\n\t\t}",
    ] {
        let stopping =
            |source: &str| source.replace("range tests {\n", &format!("range tests {{\n\t\t{stops}\n"));
        is_changed("a_test.go", &stopping(GO), &stopping(&two));
    }
    let counted = |source: &str| {
        source.replace("for _, tt := range tests {", "for i := 0; i < 2; i++ {\n\t\ttt := tests[i]")
    };
    is_changed("a_test.go", &counted(GO), &counted(&two));
}

#[test]
fn parameters_of_pytest_and_jest_may_grow_and_not_change() {
    let python = "import pytest\n\n@pytest.mark.parametrize('a, b', [\n    (1, 2),  # one\n    (2, 3),\n])\ndef test_add(a, b):\n    assert [a + 1] == [b]\n";
    grows("test_a.py", python, &python.replace("    (2, 3),\n", "    (2, 3),\n    (int('3'), 4),\n"));
    let formatted = python.replace("('a, b', [", "(\n    'a, b',\n    [").replace("])\n", "    ],\n)\n");
    grows("test_a.py", &formatted, &formatted.replace("    (2, 3),\n", "    (2, 3),\n    (3, 4),\n"));
    for cheat in [
        formatted.replace("(2, 3)", "(2, 4)"),
        python.replace("(2, 3)", "(2, 4)"),
        python.replace("    (2, 3),\n", ""),
        python.replace("    (2, 3),\n", "    (2, 3),\n    pytest.param(1, 1, marks=pytest.mark.skip()),\n"),
        python.replace("    (2, 3),\n", "    (2, 3),\n    (leave(), 4),\n"),
        python.replace("[b]", "[b, 1]"),
    ] {
        is_changed("test_a.py", python, &cheat);
    }
    let script = "test.each([\n  [1, 2],\n  [2, 3],\n])('adds %i', (a, b) => {\n  expect([add(a)]).toEqual([b]);\n});\n";
    grows("a.test.js", script, &script.replace("[2, 3],", "[2, 3],\n  [3, 4],"));
    is_changed("a.test.js", script, &script.replace("[2, 3],", "[3, 4],"));
    is_changed("a.test.js", script, &script.replace("[2, 3],", "[2, 3],\n  [process.exit(0), 4],"));
    is_changed("a.test.js", script, &script.replace("[add(a)]", "[add(a), 1]"));
}

#[test]
fn a_test_whose_helper_got_more_cases_is_a_changed_test() {
    let base = "package a\n\nimport \"testing\"\n\nvar rows = []string{\"a\"}\n\nfunc check(t *testing.T) {\n\tfor _, row := range rows {\n\t\tparse(t, row)\n\t}\n}\n\nfunc TestAll(t *testing.T) {\n\tcheck(t)\n}\n\nfunc TestOther(t *testing.T) {\n\tother(t)\n}\n";
    let names = |new: &str| -> Vec<String> {
        let found = new_tests("a_test.go", Some(base.as_bytes()), new.as_bytes());
        found.into_iter().map(|test| test.name).collect()
    };
    assert_eq!(names(&base.replace("range rows", "range append(rows, \"b\")")), ["TestAll"]);
    assert_eq!(names(&base.replace("{\"a\"}", "{\"a\", \"b\"}")), ["TestAll"], "one step further");
    assert_eq!(names(&format!("{base}\nfunc more() {{}}\n")), Vec::<String>::new(), "nobody uses it");
}
