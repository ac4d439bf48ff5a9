//! RSpec's examples: told apart, and proof.

use super::changed::{check, check_new};
use super::probed::judge;
use crate::reports::TestId;
use crate::sources::*;

const PATH: &str = "spec/calc_spec.rb";
const OLD: &str = r##"require "calc"

RSpec.describe Calc do
  subject { Calc.new }

  describe "#add" do
    let(:two) { 2 }

    # Sums.
    it "adds" do
      expect(subject.add(1, two)).to eq 3
    end
  end

  it "is there" do
    expect(subject).to be
  end
end
"##;

fn with(text: &str) -> String {
    OLD.replace("  it \"is there\"", &format!("{text}\n  it \"is there\""))
}

const NEW: &str = "  describe \"#multiply\" do\n    let(:three) { 3 }\n    before do\n      subject.reset\n    end\n\n    \
                   it \"multiplies\" do\n      expect(subject.multiply(2, three)).to eq 6\n    end\n  end\n";

#[test]
fn a_new_example_leaves_the_old_ones_alone() {
    let new = with(NEW).replace("# Sums.", "# It sums.");
    check(PATH, OLD, &new, &[]);
    check_new(PATH, OLD, &new, &[("Calc > #multiply > multiplies", 21, 23)]);
}

#[test]
fn an_example_changed_removed_or_skipped_is_listed_and_so_is_what_bears_on_it() {
    let adds = Some("Calc > #add > adds");
    for (old, new, expected) in [
        ("eq 3", "eq 4", &[(adds, ChangeKind::Changed)][..]),
        ("it \"adds\" do", "xit \"adds\" do", &[(adds, ChangeKind::Removed), (None, ChangeKind::Changed)]),
        ("{ 2 }", "{ 3 }", &[(None, ChangeKind::Removed), (None, ChangeKind::Changed)]),
        ("describe \"#add\" do", "describe \"#add\", skip: true do", &[(None, ChangeKind::Skipped)]),
        ("    # Sums.", "    before { Calc.cheat }", &[(None, ChangeKind::Changed)]),
        ("    # Sums.", "    let(:subject) { 3 }", &[(None, ChangeKind::Changed)]),
        ("    # Sums.", "    Calc.cheat", &[(None, ChangeKind::Changed)]),
    ] {
        check(PATH, OLD, &OLD.replace(old, new), expected);
    }
    for hidden in [
        "  it \"new\" do\n  end; Calc.cheat\n",
        "  it \"new\" do\n  end\n  Calc.cheat\n",
        "  it(\"new\") { }\n  Calc.cheat\n",
    ] {
        let changes = test_changes(PATH, Some(OLD.as_bytes()), Some(with(hidden).as_bytes()));
        assert!(!changes.is_empty(), "{hidden}");
    }
    let unreadable = OLD.replace("eq 3", "eq <<~TEXT\n  it \"x\" do\n  TEXT");
    check(PATH, OLD, &unreadable, &[(None, ChangeKind::Changed)]);
}

const GREEN: &[u8] =
    b"...\n\nFinished in 0.01 seconds (files took 0.1 seconds to load)\n3 examples, 0 failures\n";

#[test]
fn a_new_example_that_fails_without_the_change_is_proof() {
    let new = with(NEW);
    let files = [(PATH, Some(OLD), Some(&*new))];
    let base = b"..F\n\n3 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/calc_spec.rb:20 # Calc#multiply multiplies\n";
    let by = vec![Proof::Test(TestId::new("Calc#multiply multiplies"))];
    assert_eq!(judge(&files, base, GREEN), ProbeVerdict::Red { by });
    let why = Unclear::NotPassedOnCandidate;
    assert_eq!(judge(&files, base, base), ProbeVerdict::Inconclusive { why });
    let old_fails = String::from_utf8(base.to_vec()).unwrap().replace("#multiply multiplies", "#add adds");
    let not_seen = ProbeVerdict::Inconclusive { why: Unclear::NotSeen };
    assert_eq!(judge(&files, old_fails.as_bytes(), GREEN), not_seen);
    let pending = b"..*\n\n3 examples, 0 failures, 1 pending\n";
    assert!(!matches!(judge(&files, base, pending), ProbeVerdict::Red { .. }), "it may be the new one");
}

#[test]
fn a_spec_that_cannot_be_loaded_for_its_new_group_is_red() {
    let files =
        [("spec/missing_spec.rb", None, Some("RSpec.describe Missing do\n  it \"adds\" do\n  end\nend\n"))];
    let said = |place: &str| {
        format!(
            "\nAn error occurred while loading ./spec/missing_spec.rb.\nFailure/Error:\n  RSpec.describe Missing do\n  end\n\n\
             NameError:\n  uninitialized constant Missing\n# ./{place}:1:in `<top (required)>'\n\n\n\
             Finished in 0.00008 seconds (files took 0.31429 seconds to load)\n\
             0 examples, 0 failures, 1 error occurred outside of examples\n"
        )
    };
    assert!(matches!(
        judge(&files, said("spec/missing_spec.rb").as_bytes(), GREEN),
        ProbeVerdict::Red { .. }
    ));
    assert!(!matches!(judge(&files, said("lib/calc.rb").as_bytes(), GREEN), ProbeVerdict::Red { .. }));
}

const TEST: &str = r#"require "test_helper"

module Shop
  class CalcTest < Minitest::Test
    def setup
      @calc = Calc.new
    end

    def test_adds
      assert_equal 3, @calc.add(1, 2)
    end

    test "is there" do
      assert @calc
    end
  end
end
"#;

#[test]
fn a_class_of_minitest_is_told_apart_by_its_methods() {
    let path = "test/calc_test.rb";
    let new =
        "    def test_multiplies\n      assert_equal 6, @calc.multiply(2, 3)\n    end\n\n    test \"is there";
    let new = TEST.replace("    test \"is there", new);
    check(path, TEST, &new, &[]);
    check_new(path, TEST, &new, &[("Shop::CalcTest#test_multiplies", 13, 15)]);
    let adds = Some("Shop::CalcTest#test_adds");
    let is_there = Some("Shop::CalcTest#test_is_there");
    for (old, new, expected) in [
        ("equal 3", "equal 4", &[(adds, ChangeKind::Changed)][..]),
        ("def test_adds", "def adds", &[(adds, ChangeKind::Removed), (None, ChangeKind::Changed)]),
        ("test \"is there\"", "it \"is there\"", &[(is_there, ChangeKind::Removed)]),
        ("Calc.new", "Calc.fake", &[(None, ChangeKind::Changed), (None, ChangeKind::Changed)]),
        (
            "    def test_adds",
            "    def assert_equal(*)\n    end\n\n    def test_adds",
            &[(None, ChangeKind::Changed)],
        ),
    ] {
        check(path, TEST, &TEST.replace(old, new), expected);
    }
    let files = [(path, Some(TEST), Some(&*new))];
    let base = b"Shop::CalcTest#test_multiplies [test/calc_test.rb:14]:\nno\n\n3 runs, 3 assertions, 1 failures, 0 errors, 0 skips\n";
    let green = b"3 runs, 3 assertions, 0 failures, 0 errors, 0 skips\n";
    let by = vec![Proof::Test(TestId::new("Shop::CalcTest#test_multiplies"))];
    assert_eq!(judge(&files, base, green), ProbeVerdict::Red { by });
    assert!(!flips(path, TEST.as_bytes()).is_empty());
    let with_brackets = OLD.replace("eq 3", "eq(3)");
    for text in [OLD, &with_brackets] {
        assert_eq!(flips(PATH, text.as_bytes()).len(), 1, "{text}");
    }
    assert!(flips(PATH, OLD.replace(".to eq", ".not_to eq").as_bytes()).is_empty());
}

#[test]
fn an_example_of_minitest_has_a_number() {
    let spec = "describe Calc do\n  describe \"add\" do\n    it \"adds two\" do\n      _(1).must_equal 1\n    end\n  end\nend\n";
    let tests = new_tests("spec/calc_spec.rb", None, spec.as_bytes());
    assert!(tests[0].has_result(&TestId::new("Calc::add#test_0001_adds two")));
    assert!(!tests[0].has_result(&TestId::new("Calc::add#test_0001_adds")));
}

#[test]
fn a_method_that_takes_an_old_tests_name_changes_it() {
    let path = "test/calc_test.rb";
    let again = "    def test_adds\n    end\n\n    test \"is there";
    let within = TEST.replace("    test \"is there", again);
    let reopened = format!("{TEST}\nmodule Shop\n  class CalcTest\n    def test_adds\n    end\n  end\nend\n");
    for text in [within, reopened] {
        let changes = test_changes(path, Some(TEST.as_bytes()), Some(text.as_bytes()));
        assert!(!changes.is_empty(), "{text}");
    }
}
