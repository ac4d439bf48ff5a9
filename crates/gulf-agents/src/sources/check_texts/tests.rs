//! Which words a failing run shows, what may stand there instead, and where their inputs are.

use super::*;

fn text(path: &str, text: &str) -> CheckText {
    CheckText { path: path.to_owned(), text: text.to_owned() }
}

fn shown(texts: &[CheckText], output: &str, passing: &str) -> Vec<String> {
    let products = ["def roman(n):\n    return \"I\" * n\n".to_owned()];
    shown_words(texts, &products, [output, passing]).into_iter().map(|word| word.word).collect()
}

#[test]
fn what_was_expected_stands_near_what_nobody_wrote_down() {
    let texts =
        [text("check.sh", "for pair in 1:I 4:IV 58:LVIII; do\n  echo \"$n: got $got, want $e\"\ndone\n")];
    assert_eq!(shown(&texts, "4: got IIII, want IV\n", ""), ["IV", "4"]);
    assert_eq!(shown(&texts, "want IV\n", ""), [""; 0], "nothing there is the product's own");
    assert_eq!(
        shown(&texts, "+ [ I = IV ]\nok\n", "+ [ IV = IV ]\nok\n"),
        ["IV", "I"],
        "not in a passing run"
    );
}

#[test]
fn of_a_source_only_literals_count_and_of_data_all_but_keys() {
    let verify = text("verify.py", "CASES = {4: \"IV\"}\nprint(\"FAIL\", 4)\n");
    assert_eq!(shown(std::slice::from_ref(&verify), "FAIL 4: 'IIII' is not 'IV' CASES\n", ""), ["IV"]);
    let texts = text("test_a.py", "CASES = [(500, \"Internal Server Error\")]\n");
    assert_eq!(shown(&[texts], "'unknown' == 'Internal Server Error'\n", ""), ["Internal Server Error"]);
    let data = text("tests/data.json", "[{\"number\": 4, \"text\": \"IV\"}]\n");
    assert_eq!(shown(&[data], "number 4 text: IIII != IV\n", ""), ["IV", "4"]);
    let twice = [text("a.txt", "IV\n"), text("b.txt", "IV\n")];
    assert_eq!(shown(&twice, "IIII is not IV\n", ""), [""; 0], "nobody knows which of them is meant");
}

#[test]
fn what_is_given_stands_in_the_line_the_lines_around_it_and_the_file_of_the_same_name() {
    let of = |texts: &[CheckText], word: &str| {
        let all = all_values(texts);
        let expected = all.iter().find(|one| one.word == word).unwrap();
        inputs_of(texts, expected).into_iter().map(|input| input.word).collect::<Vec<_>>()
    };
    assert_eq!(of(&[text("data.csv", "7,vii\n1994,MCMXCIV\n")], "MCMXCIV")[0], "1994");
    assert_eq!(of(&[text("README.md", ">>> roman(4)\n'IV'\n")], "IV"), ["4", "roman"]);
    let golden = [text("cases/one.in", "hello world\n"), text("cases/one.out", "2\n")];
    assert_eq!(of(&golden, "2")[..2], ["hello", "world"]);
    let apart = [text("check.sh", "for n in 1 4; do\n"), text("expected.txt", "IV\n")];
    assert_eq!(of(&apart, "IV"), ["1", "4"]);
}

#[test]
fn a_word_becomes_another_of_its_kind() {
    let word = |word: &str| TextWord { text: 0, at: 0..word.len(), word: word.to_owned() };
    for (one, flipped) in
        [("IV", "IVV"), ("4", "14"), ("2024-01-31", "2024-01-311"), ("큐", "큐큐"), ("true", "false")]
    {
        assert_eq!(word(one).flipped(), flipped);
    }
    assert_eq!(word("14").alike(), ["24", "114", "98", "140"]);
    assert_eq!(word("2h").other(Distance::Near).as_deref(), Some("3h"));
    assert_eq!(word("2024-01-31").other(Distance::Near).as_deref(), Some("3024-01-31"));
    assert_eq!(word("14").other(Distance::Near).as_deref(), Some("15"));
    assert_eq!(word("hello").other(Distance::Far).as_deref(), Some("helloo"));
    assert_eq!(word("hello").other(Distance::Near).as_deref(), Some("hemlo"));
    assert_eq!(replaced("IV MCMXCIV IV", "IV", "V"), "V MCMXCIV V");
}

#[test]
fn scripts_and_makefiles_tell_what_they_run() {
    let traced = |path: &str, content: &str| text(path, content).traced(path.is_empty()).map(|one| one.text);
    assert_eq!(traced("check.sh", "true\n").as_deref(), Some("set -x\ntrue\n"));
    assert_eq!(traced("check", "#!/bin/bash\ntrue\n").as_deref(), Some("#!/bin/bash\nset -x\ntrue\n"));
    assert_eq!(traced("", "true").as_deref(), Some("set -x\ntrue"));
    assert_eq!(traced("Makefile", "test:\n").as_deref(), Some("test:\n\n.SHELLFLAGS = -xc\n"));
    assert_eq!(traced("verify.py", "pass\n"), None);
}

#[test]
fn a_file_that_the_product_is_given_is_an_input() {
    let given =
        |script: &str| is_given(&[text("check.sh", script)], "cases/one.txt", &["src/app.py".to_owned()]);
    assert!(given("python3 app.py one.txt > out.txt\n"));
    assert!(!given("python3 app.py > out.txt\ndiff one.txt out.txt\n"));
    assert!(!given("diff one.txt <(python3 app.py)\n"));
    assert!(!given("python3 app.py | diff one.txt -\n"));
}

#[test]
fn a_product_that_reads_nothing_cannot_read_what_is_expected() {
    assert!(may_read("text = pathlib.Path('x').read_text()"));
    assert!(may_read("const cases = require('./cases.json')"));
    assert!(!may_read("def roman(n):\n    return VALUES[n]\n"));
}
