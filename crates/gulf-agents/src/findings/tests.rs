//! Recorded outputs, whole and cut, and what they say.

use proptest::prelude::*;

use super::*;

/// Somebody looked, came to an end, and found no error.
fn is_clean(findings: &Findings) -> bool {
    findings.is_whole && findings.errors == 0 && !findings.tools.is_empty()
}

macro_rules! fixture {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/lint/", $name)).as_slice(),
        )
    };
}

type Recorded = ((&'static str, &'static [u8]), Tool, u64, bool);

/// A recorded output, its tool, its errors, and whether the tool says that it came to its end.
const OUTPUTS: [Recorded; 24] = [
    (fixture!("clippy_clean.txt"), Tool::Rustc, 0, true),
    (fixture!("clippy_clean.jsonl"), Tool::Rustc, 0, true),
    (fixture!("clippy_errors.txt"), Tool::Rustc, 3, true),
    (fixture!("clippy_warnings_colour.txt"), Tool::Rustc, 0, true),
    (fixture!("clippy_json.jsonl"), Tool::Rustc, 0, true),
    (fixture!("rustc_errors.txt"), Tool::Rustc, 2, true),
    (fixture!("rustc_short.txt"), Tool::Rustc, 2, true),
    (fixture!("rustc_json.jsonl"), Tool::Rustc, 2, false),
    (fixture!("eslint.txt"), Tool::Eslint, 2, true),
    (fixture!("eslint_colour.txt"), Tool::Eslint, 2, true),
    (fixture!("eslint.json"), Tool::Eslint, 2, true),
    (fixture!("eslint_clean.json"), Tool::Eslint, 0, true),
    (fixture!("ruff.txt"), Tool::Ruff, 4, true),
    (fixture!("ruff_concise.txt"), Tool::Ruff, 4, true),
    (fixture!("ruff.json"), Tool::Ruff, 4, true),
    (fixture!("ruff.jsonl"), Tool::Ruff, 4, false),
    (fixture!("ruff.sarif"), Tool::Sarif, 4, true),
    (fixture!("ruff_clean.txt"), Tool::Ruff, 0, true),
    (fixture!("ruff_clean.sarif"), Tool::Sarif, 0, true),
    (fixture!("mypy.txt"), Tool::Mypy, 2, true),
    (fixture!("mypy_pretty.txt"), Tool::Mypy, 2, true),
    (fixture!("mypy_clean.txt"), Tool::Mypy, 0, true),
    (fixture!("tsc.txt"), Tool::Tsc, 2, false),
    (fixture!("tsc_pretty.txt"), Tool::Tsc, 2, true),
];

fn assert_says(output: &[u8], name: &str, tool: Tool, errors: u64, is_whole: bool) {
    let expected = Findings { errors, tools: BTreeSet::from([tool]), is_whole };
    assert_eq!(read(output), expected, "{name}");
}

#[test]
fn the_outputs_of_the_tools_say_what_the_tools_found() {
    for ((name, output), tool, errors, is_whole) in OUTPUTS {
        assert_says(output, name, tool, errors, is_whole);
        let headed = [b"> project@1.0.0 lint\n> something [x]\n\n", output].concat();
        assert_says(&headed, name, tool, errors, is_whole);
    }
}

#[test]
fn several_tools_in_one_output_are_added_up() {
    let joined: Vec<u8> = [OUTPUTS[8], OUTPUTS[12], OUTPUTS[19], OUTPUTS[14]]
        .into_iter()
        .flat_map(|((_, output), ..)| output)
        .copied()
        .collect();
    let findings = read(&joined);
    assert_eq!((findings.errors, findings.is_whole), (12, true));
    assert_eq!(findings.tools, BTreeSet::from([Tool::Eslint, Tool::Ruff, Tool::Mypy]));
}

#[test]
fn no_cut_of_an_output_with_errors_is_clean() {
    for ((name, output), _, errors, ..) in OUTPUTS.into_iter().filter(|(_, _, errors, ..)| *errors > 0) {
        let is_line_end = |end: &usize| output[*end] == b'\n';
        for end in (0..output.len()).filter(|end| is_line_end(end) || end % 17 == 0) {
            let cut = read(&output[..end]);
            assert!(!is_clean(&cut), "{name} cut at {end}: {cut:?}");
            // Half of cargo's last line looks like an error.
            assert!(cut.errors <= errors || !is_line_end(&end), "{name} cut at {end}: {cut:?}");
        }
    }
}

#[test]
fn other_forms_are_understood() {
    let cases: [(&str, Tool, u64, bool); 12] = [
        (
            "main.c:3:9: error: expected ';'\nmain.c:4:1: warning: unused\nmain.c:1: note: see\n",
            Tool::Compiler,
            1,
            false,
        ),
        ("a.c:1:10: fatal error: x.h: No such file\n", Tool::Compiler, 1, false),
        ("error TS18003: No inputs were found.\n", Tool::Tsc, 1, false),
        ("Found 5 errors (3 fixed, 2 remaining).\n", Tool::Ruff, 2, true),
        ("Found 1 error.\n", Tool::Ruff, 1, true),
        ("a.ts(1,1): error TS1: x\nFound 1 error.\n", Tool::Tsc, 1, true),
        (
            "x.py: error: Cannot read\nFound 1 error in 1 file (errors prevented further checking)\n",
            Tool::Mypy,
            1,
            true,
        ),
        ("./x.py:1:80: E501 line too long\n", Tool::Ruff, 1, false),
        ("invalid-syntax: Expected `)`\n --> bad.py:1:7\n", Tool::Ruff, 1, false),
        (
            "error: linking with `cc` failed: exit status: 1\nerror: could not compile `p` (bin \"p\") due to 1 previous error\n",
            Tool::Rustc,
            1,
            true,
        ),
        (
            "error: aborting due to 1 previous error\nwarning: 1 warning emitted\nerror: x\n",
            Tool::Rustc,
            1,
            false,
        ),
        (
            "{\"runs\":[{\"tool\":{\"driver\":{\"rules\":[{\"id\":\"r\",\"defaultConfiguration\":{\"level\":\"error\"}}]}},\"results\":[{\"ruleId\":\"r\"},{},{\"level\":\"note\"},{\"level\":\"error\",\"kind\":\"pass\"},{\"level\":\"error\",\"suppressions\":[{}]}]}]}",
            Tool::Sarif,
            1,
            true,
        ),
    ];
    for (output, tool, errors, is_whole) in cases {
        assert_says(output.as_bytes(), output, tool, errors, is_whole);
    }
}

#[test]
fn what_nobody_said_is_no_finding() {
    for output in [
        "",
        "no errors\n",
        "12:30: error-prone code\n",
        "[]\n",
        "[1, 2]\n",
        "{\"a\": 1}\n",
        "Found 3 files.\n",
        "  at 12:3 error\n",
        "thread 'x' panicked at src/a.rs:1:2:\nE501\n",
    ] {
        let findings = read(output.as_bytes());
        assert_eq!(findings, Findings { is_whole: true, ..Findings::default() }, "{output}");
        assert!(!is_clean(&findings));
    }
}

#[test]
fn long_texts_are_no_reason_to_understand_nothing_and_rules_that_are_cut_are() {
    let long = "x".repeat(5_000);
    let ruff = format!(r#"[{{"filename": "a.py", "location": {{}}, "message": "{long}"}}]"#);
    assert_says(ruff.as_bytes(), "a long message", Tool::Ruff, 1, true);
    let log = |rules: &str| {
        format!(
            r#"{{"runs": [{{"tool": {{"driver": {{"rules": {rules}}}}}, "results": [{{"ruleId": "{long}"}}]}}]}}"#
        )
    };
    let rule = format!(r#"{{"id": "{long}", "defaultConfiguration": {{"level": "error"}}}}"#);
    assert_says(log(&format!("[{rule}]")).as_bytes(), "a long rule", Tool::Sarif, 1, true);
    let cut = read(log(&format!("[5, {rule}]")).as_bytes());
    assert!(cut.tools.is_empty() && !is_clean(&cut), "an error would pass for a warning: {cut:?}");
}

#[test]
fn hostile_nesting_takes_no_time() {
    let output = "[{\"a\":[\n".repeat(20_000);
    assert_eq!(read(output.as_bytes()).errors, 0);
}

proptest! {
    #[test]
    fn any_output_is_survived(output in "(\\PC{0,30}(\n|error: |Found 3 errors|\\{|\\[|: |-->)){0,20}") {
        let _ = read(output.as_bytes());
    }
}
