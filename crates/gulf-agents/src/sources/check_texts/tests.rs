//! Which words a failing run shows, what may stand there instead, and where their inputs are.

use super::*;

fn text(path: &str, text: &str) -> CheckText {
    CheckText { path: path.to_owned(), text: text.to_owned() }
}

fn shown(texts: &[CheckText], output: &str, passing: &str) -> Vec<String> {
    let products = ["def roman(n):\n    return \"I\" * n\n".to_owned()];
    shown_words(texts, &products, &BTreeSet::new(), [output, passing])
        .into_iter()
        .map(|word| word.word)
        .collect()
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
    assert_eq!(shown(std::slice::from_ref(&verify), "FAIL 4: 'IIII' is not 'IV' CASES\n", ""), ["IV", "4"]);
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
fn what_a_check_asks_with_stands_in_quotes_or_is_a_number_and_names_of_a_source_are_no_values() {
    let values = |path: &str, content: &str| -> Vec<String> {
        values_in_texts(&[text(path, content)]).into_iter().map(|word| word.word).collect()
    };
    assert_eq!(
        values("test.sh", "check \"the cat\" 4\ntest \"$(sh words.sh no)\" -eq 3\n"),
        ["the", "cat", "4", "no", "3"]
    );
    assert_eq!(values("cases/one.in", "hello world\n"), ["hello", "world"]);
    let main = "int main() {\n    EXPECT_EQ(mask(\"12 34\"), 7);\n    std::cerr << \" is not \";\n    return failed;\n}\n";
    assert_eq!(values("mask_test.cpp", main), ["12 34", "7"]);
    assert_eq!(text("a.csv", "x,1\ny,2\n").longer().text.matches("y,2").count(), 8);
    assert_eq!(text("a.sql", "select 1;\n").longer().text, "select 1;\n");
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
    let replaced = |path: &str, text: &str, was: &str, is: &str| self::text(path, text).replaced(was, is);
    assert_eq!(replaced("a.txt", "IV MCMXCIV IV", "IV", "V"), "V MCMXCIV V");
    let script = "test \"$(sh a.sh \"b c\")\" = b-c; [ \"$d\" = \"b-c\" ]\n";
    let of_base = "test \"$(sh a.sh \"b c\")\" = 'b c'; [ \"$d\" = \"b c\" ]\n";
    assert_eq!(replaced("check.sh", script, "b-c", "b c"), of_base);
    assert_eq!(replaced("", "test \"$(sh a.sh)\" = b", "b", ""), "test \"$(sh a.sh)\" = ''");
}

#[test]
fn scripts_and_makefiles_tell_what_they_run() {
    let traced = |path: &str, content: &str| text(path, content).traced(path.is_empty()).map(|one| one.text);
    assert_eq!(traced("check.sh", "true\n").as_deref(), Some("set -x; true\n"));
    assert_eq!(traced("check", "#!/bin/bash\ntrue\n").as_deref(), Some("#!/bin/bash\nset -x; true\n"));
    assert_eq!(traced("", "true").as_deref(), Some("set -x; true"));
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

fn all(cases: &[(&str, &str)]) -> Vec<CheckText> {
    cases.iter().map(|(path, content)| text(path, content)).collect()
}

#[test]
fn a_script_that_tells_what_it_runs_tells_what_it_compares() {
    let texts = all(&[("check.sh", "diff a.out got.txt\n"), ("cases/a.out", "42\n"), ("cases/a.in", "42\n")]);
    let trace = "+ python3 app.py cases/a.in\n+ diff cases/a.out got.txt\n";
    let compared = compared_files(&texts, trace);
    assert_eq!(compared, BTreeSet::from([1]));
    let shown = shown_words(&texts, &[], &compared, ["+ diff cases/a.out got.txt\n< 42\n> 7\n", ""]);
    let places: Vec<usize> = shown.iter().filter(|word| word.word == "42").map(|word| word.text).collect();
    assert_eq!(places, [1], "the input says it, too");
    let made = all(&[("check.sh", "python3 old.py > a.out\n"), ("cases/a.out", "42\n")]);
    assert!(compared_files(&made, trace).is_empty(), "the check writes it itself");
    assert!(compared_files(&texts, &format!("{trace}+ python3 app.py a.out\n")).len() == 1, "another file");
    assert!(compared_files(&texts, "+ app.py a.out\n+ diff a.out -\n").is_empty(), "given, too");
    assert_eq!(text("a", "19: 10\n7: 7\n").otherwise(false).text, "119: 110\n17: 17\n");
    assert_eq!(text("a", "19: 10\n7: 7\n").otherwise(true).text, "19: 110\n7: 17\n");
    let silent = text("check.sh", "cmp -s a b 2>/dev/null\ncc -o t t.c 2>/dev/null\n").traced(false).unwrap();
    assert_eq!(silent.text, "set -x; diff a b \ncc -o t t.c 2>/dev/null\n");
}

#[test]
fn files_of_data_stand_under_each_others_names_unless_these_say_something() {
    let names = |cases: &[(&str, &str)], trace: &str| {
        let texts = all(cases);
        let paths: Vec<String> = cases.iter().map(|(path, _)| (*path).to_owned()).collect();
        let moved = under_other_names(&texts, &paths, trace)?;
        Some(moved.into_iter().map(|one| one.text).collect::<Vec<_>>())
    };
    let cases =
        [("c/one.in", "1"), ("c/one.out", "I"), ("c/two.in", "2"), ("c/two.out", "II"), ("check.sh", "x")];
    assert_eq!(names(&cases, "").unwrap(), ["2", "II", "1", "I", "x"]);
    let told = [cases[0], cases[1], cases[2], cases[3], ("check.sh", "test one = $n")];
    assert_eq!(names(&told, ""), None, "only one is left");
    let listed = [cases[0], cases[1], cases[2], cases[3], ("check.sh", "for n in one two; do")];
    assert_eq!(names(&listed, "").unwrap()[..4], ["2", "II", "1", "I"], "a list says nothing of them");
    let sources = [("test/calc_test.exs", "assert 1 == 1"), ("test/test_helper.exs", "ExUnit.start()")];
    assert_eq!(names(&sources, ""), None, "programs, in whatever language");
    let sized = [("c/w80.in", "1"), ("c/w90.in", "2")];
    assert_eq!(names(&sized, "+ app --width 80 c/w80.in\n"), None);
    assert!(names(&sized, "").is_some());
    let torn =
        under_other_names(&all(&cases), &["c/one.in", "c/one.out", "c/one.cfg"].map(str::to_owned), "");
    assert_eq!(torn, None, "not all of a case is known");
}

#[test]
fn what_a_source_compares_is_known_with_what_is_given_for_it() {
    let texts = all(&[("test.c", "return digits(19) != 10 || digits(7) == 7;\n"), ("a.txt", "f(1) == 2\n")]);
    let found = comparisons(&texts);
    let words = |words: &[TextWord]| words.iter().map(|word| word.word.clone()).collect::<Vec<_>>();
    let found: Vec<_> =
        found.iter().map(|(expected, given)| (expected.word.as_str(), words(given))).collect();
    assert_eq!(found, [("10", vec!["19".to_owned()]), ("7", vec!["7".to_owned()])]);
}

#[test]
fn the_input_beside_grows_by_its_last_line_and_all_of_it_becomes_other() {
    let texts = all(&[("a.in", "1\n2\n"), ("a.out", "3\n")]);
    let expected = TextWord { text: 1, at: 0..1, word: "3".to_owned() };
    let others = whole_inputs(&texts, &expected);
    assert_eq!(others[0].1.lines().count(), 9);
    assert_eq!((others[1].0.text, others[1].1.as_str()), (0, "2\n3\n"));
}

#[test]
fn names_of_variables_and_words_of_titles_are_not_what_is_expected() {
    let text = "#!/bin/sh\n# Runs all tests\nfailures=0\nexport TODO_FILE\nTODO_FILE=a\nexpect \"list numbers the tasks\" \"$(bin/todo list)\" \"1 buy milk\n2 call Ann\"\ncheck 'usage' \"$?\" 2\nsh app.sh many \"$dir/nowhere\" 2>/dev/null; is \"no number\" $? 2\nprintf 'a; b' | is \"piped\" \"$(cat)\" \"a; b\"\necho \"got the word\"\n";
    let texts = [CheckText { path: "tests/run.sh".to_owned(), text: text.to_owned() }];
    for (word, expected) in [
        ("failures", false),
        ("TODO_FILE", false),
        ("numbers", false),
        ("tasks", false),
        ("usage", false),
        ("Runs", false),
        ("number", false),
        ("nowhere", false),
        ("piped", false),
        ("many", true),
        ("milk", true),
        ("Ann", true),
        ("the", true),
    ] {
        assert_eq!(may_be_expected_word(&texts, word), expected, "{word}");
    }
}

#[test]
fn words_of_comments_in_data_are_not_what_is_expected() {
    let text = "{\n  // where we listen\n  \"port\": 8080, /* kept */ \"host\": \"local\",\n  \"url\": \"http://site/api\", // for curl\n  \"say\": \"a // later\"\n}\n";
    let texts = all(&[("app.json", text)]);
    for (word, expected) in
        [("listen", false), ("kept", false), ("curl", false), ("local", true), ("api", true), ("later", true)]
    {
        assert_eq!(may_be_expected_word(&texts, word), expected, "{word}");
    }
}

#[test]
fn what_a_makefile_builds_with_and_names_of_files_that_are_put_together_are_not_what_is_expected() {
    let makefile = "CC = gcc\nFLAGS = -std=c11\napp: app.c\n\t$(CC) $(FLAGS) -Wextra -o $@ app.c\n\
                    test: app\n\t@./app 4 | diff tests/$*.wanted -\n\t@test \"$$(./app 4)\" = IV\n";
    let texts = [text("Makefile", makefile), text("tests/a.md", "# Title\n")];
    for word in ["gcc", "c11", "Wextra", "wanted"] {
        assert!(!may_be_expected_word(&texts, word), "{word}");
    }
    assert!(may_be_expected_word(&texts, "IV") && may_be_expected_word(&texts, "Title"));
}

#[test]
fn numbers_of_a_shells_own_are_no_values_and_a_file_beside_is_the_whole_input() {
    let script = text("check.sh", "make || exit 1\nerror=$(./app 2>&1)\nf() { return 3; }\ntest $n = 4\n");
    let values = values_in_texts(std::slice::from_ref(&script));
    assert_eq!(values.into_iter().map(|value| value.word).collect::<Vec<_>>(), ["4"]);
    let texts = [script, text("cases/one.in", "hello world\n"), text("cases/one.out", "2\n")];
    let expected = all_values(&texts).into_iter().find(|one| one.word == "2").unwrap();
    let inputs: Vec<String> = inputs_of(&texts, &expected).into_iter().map(|input| input.word).collect();
    assert_eq!(inputs, ["hello", "world"]);
}

#[test]
fn what_stands_in_quotes_within_what_a_shell_asks_is_a_value() {
    let text = "check \"lower\" \"$(slug \"Hello World\" it)\" \"hello-world\" plain 'it'\necho \"$(up $a)\" \\\" off\n";
    let texts = [CheckText { path: "test.sh".to_owned(), text: text.to_owned() }];
    let values: Vec<String> = values_in_texts(&texts).into_iter().map(|value| value.word).collect();
    assert_eq!(values, ["lower", "Hello", "World", "it", "hello-world", "it"]);
}

#[test]
fn the_program_that_a_shell_asks_is_no_input() {
    let texts = all(&[("test.sh", "#!/bin/sh\nis \"$(slug Ann)\" \"ann\"\n")]);
    let expected = all_values(&texts).into_iter().find(|one| one.word == "ann").unwrap();
    let inputs: Vec<String> = inputs_of(&texts, &expected).into_iter().map(|input| input.word).collect();
    assert!(inputs.contains(&"Ann".to_owned()) && !inputs.contains(&"slug".to_owned()), "{inputs:?}");
}
