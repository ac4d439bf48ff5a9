//! JUnit's tests in Java: told apart, and proof where Maven or Gradle runs them.

use super::changed::{check, check_new};
use super::probed::{judge, located, tree};
use crate::reports::*;
use crate::sources::*;

const PATH: &str = "src/test/java/calc/CalcTest.java";
const OLD: &str = r#"package calc;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;

/** Sums. */
class CalcTest {
    private final Calc calc = new Calc(new int[] {1, 2});

    static int two() { return 2; }

    @Test
    @DisplayName("a } in a text")
    void adds() { assertEquals(3, calc.add(1, two())); } // 1 + 2

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {1, 2})
    void takes(int number) {
        assertTrue("""
            a " and a }
            """.length() > number, "'");
    }

    @Nested
    class Negative {
        @Test void adds() { assertEquals(-1, calc.add(1, -2)); }
    }
}
"#;

fn with(member: &str) -> String {
    OLD.replace("    @Nested", &format!("    {member}\n\n    @Nested"))
}

const NEW: &str = "@Test\n    void multiplies() { assertEquals(6, calc.multiply(2, three())); }\n\n    int three() { return 3; }";

#[test]
fn a_new_java_test_leaves_the_old_ones_alone() {
    let new = with(NEW).replace("// 1 + 2", "// One and two.");
    check(PATH, OLD, &new, &[]);
    check_new(PATH, OLD, &new, &[("CalcTest::multiplies", 24, 25)]);
    let tests = new_tests(PATH, None, OLD.as_bytes());
    let names: Vec<_> = tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["CalcTest::adds", "CalcTest::takes", "CalcTest::Negative::adds"]);
}

#[test]
fn a_java_test_changed_removed_or_disabled_is_listed() {
    let adds = Some("CalcTest::adds");
    for (old, new, expected) in [
        ("assertEquals(3,", "assertEquals(4,", &[(adds, ChangeKind::Changed)][..]),
        ("ints = {1, 2}", "ints = {1}", &[(Some("CalcTest::takes"), ChangeKind::Changed)]),
        ("@DisplayName", "@Disabled @DisplayName", &[(adds, ChangeKind::Skipped)]),
        ("void adds() { assertEquals(3", "void sums() { assertEquals(3", &[(adds, ChangeKind::Removed)]),
        ("/** Sums. */", "@Disabled", &[(None, ChangeKind::Skipped)]),
        ("return 2", "return 3", &[(None, ChangeKind::Changed)]),
        ("class CalcTest", "class CalcTest extends Base", &[(None, ChangeKind::Changed)]),
    ] {
        check(PATH, OLD, &OLD.replace(old, new), expected);
    }
}

#[test]
fn what_is_new_in_a_java_class_and_bears_on_its_old_tests_is_listed() {
    for member in [
        "@BeforeEach void before() { calc.reset(); }",
        "@Rule public Retry retry = new Retry();",
        "static { Calc.cheat(); }",
        "static void assertEquals(int one, int other) {}",
        "static class Calc {}",
        "void tearDown() {}",
    ] {
        check(PATH, OLD, &with(member), &[(None, ChangeKind::Changed)]);
    }
    for import in
        ["import static calc.Lenient.*;", "import static calc.Lenient.assertEquals;", "import other.Calc;"]
    {
        let new = OLD.replace("import org", &format!("{import}\nimport org"));
        check(PATH, OLD, &new, &[(None, ChangeKind::Changed)]);
    }
    check(PATH, OLD, &OLD.replace("import org", "import java.util.List;\nimport org"), &[]);
    check(PATH, OLD, &OLD.replace("class CalcTest {", "class CalcTest {{"), &[(None, ChangeKind::Changed)]);
}

fn suite(name: &str, case: &str, counts: &str) -> BuiltReport {
    let xml = format!(
        "<testsuite name=\"{name}\" {counts}><testcase name=\"multiplies()\" classname=\"{name}\">{case}</testcase></testsuite>"
    );
    BuiltReport { tool: BuildTool::Gradle, file: JunitFile::read(xml.as_bytes()) }
}

#[test]
fn a_new_java_test_that_fails_without_the_change_is_proof() {
    let new = with(NEW);
    let graft = graft(&tree(&[(PATH, Some(OLD), Some(&new))]));
    let judge = |base: BuiltReport, candidate: BuiltReport| {
        let candidate = read_beside(b"", [], vec![candidate]);
        let report = &read_beside(b"", [], vec![base]);
        judge_probe(
            &graft,
            &ProbeRun { directory: "", output: b"", report, candidate: &candidate, base: None },
        )
    };
    let red = || suite("calc.CalcTest", "<failure/>", "tests=\"1\" failures=\"1\"");
    let green = || suite("calc.CalcTest", "", "tests=\"1\"");
    let id = TestId::new("calc.CalcTest > multiplies()");
    assert_eq!(judge(red(), green()), ProbeVerdict::Red { by: vec![Proof::Test(id.clone())] });
    assert_eq!(judge(green(), green()), ProbeVerdict::Passes { tests: vec![id] });
    let why = Unclear::NotPassedOnCandidate;
    assert_eq!(judge(red(), red()), ProbeVerdict::Inconclusive { why });
    let not_seen = ProbeVerdict::Inconclusive { why: Unclear::NotSeen };
    for other in ["other.CalcTest", "calc.OtherTest", "calc.CalcTest$Negative"] {
        assert_eq!(
            judge(suite(other, "<failure/>", "tests=\"1\" failures=\"1\""), green()),
            not_seen,
            "{other}"
        );
    }
}

#[test]
fn a_new_java_test_is_proof_by_what_maven_prints_alone() {
    let new = with(NEW);
    let files = [(PATH, Some(OLD), Some(&*new))];
    let base = b"[INFO]  T E S T S\n[ERROR] calc.CalcTest.multiplies -- Time elapsed: 0.1 s <<< FAILURE!\n\
                 [ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n";
    let candidate =
        b"[INFO]  T E S T S\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n";
    let by = vec![Proof::Test(TestId::new("calc.CalcTest > multiplies"))];
    assert_eq!(judge(&files, base, candidate), ProbeVerdict::Red { by });
    let did_not_compile =
        b"[ERROR] src/test/java/calc/CalcTest.java:[24,46] cannot find symbol\n  symbol: method multiply\n";
    assert!(matches!(judge(&files, did_not_compile, candidate), ProbeVerdict::Red { .. }));
    let elsewhere = b"[ERROR] src/main/java/calc/Calc.java:[24,46] cannot find symbol\n";
    let why = judge(&files, elsewhere, candidate);
    assert!(matches!(why, ProbeVerdict::Inconclusive { why: Unclear::ErrorElsewhere { .. } }), "{why:?}");
}

#[test]
fn what_javac_says_has_its_place_in_every_build() {
    for said in [
        "[ERROR] /r/src/ATest.java:[5,50] cannot find symbol",
        "/r/src/ATest.java:5: error: cannot find symbol",
        ":sub:compileTestJava/r/src/ATest.java:5: error: cannot find symbol",
    ] {
        assert_eq!(located(said.as_bytes(), "/r"), [("src/ATest.java".to_owned(), Some(5))]);
    }
    for said in [
        "[WARNING] /r/src/ATest.java:[5,50] deprecated",
        "\tat a.ATest.adds(ATest.java:5)",
        "src/A.java:5: warning: x",
    ] {
        assert_eq!(located(said.as_bytes(), "/r"), [], "{said}");
    }
}
