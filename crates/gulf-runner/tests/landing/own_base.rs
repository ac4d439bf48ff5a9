//! A worker that moves the base branch itself: what stands there by now is its own work, and stays to be proven.

use crate::support::Ground;

const PRODUCT: &str = "def add(a, b):\n    return a - b\n";
const TESTS: &str = "\
import unittest
from calc import add


class Adding(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)

    def test_zero(self):
        self.assertEqual(add(0, 2), 2)
";
const CHECK: &str = "python3 -B -m unittest";
/// The worker loses a test and commits that.
const LOSES: &str = "sed -i '/def test_zero/,$d' test_calc.py; git commit -qam tidy";
const MENDS: &str = "sed -i 's/a - b/a + b/' calc.py";

fn ground() -> Ground {
    Ground::with(&[("calc.py", PRODUCT), ("test_calc.py", TESTS)])
}

// proves: B2, B3
#[test]
fn a_test_that_the_worker_took_from_the_base_branch_itself_is_missed_all_the_same() {
    let ground = ground();
    let moves = "git -C ../project merge -q --ff-only \"$(git rev-parse HEAD)\"";
    ground.worker("one", CHECK, &[&format!("{LOSES}; {moves}; {MENDS}"), "true"]);
    let before = ground.git(&["rev-parse", "main"]);
    let said = ground.run(1, &["one"]);
    assert!(!said.contains("Verified") && said.contains("Attested"), "{said}");
    let find = ["-c", "cat home/repositories/*/loops/*/journal.jsonl"];
    let journal = std::process::Command::new("sh").current_dir(&ground.root).args(find).output().unwrap();
    let journal = String::from_utf8(journal.stdout).unwrap();
    let moved = format!("main (the work holds {} of it", &ground.git(&["rev-parse", "main^1"])[..7]);
    assert!(
        journal.contains(&moved) && journal.contains(&format!("compared with {}", &before[..7])),
        "{journal}"
    );
    assert!(journal.contains("test_zero was removed"), "{journal}");
}

#[test]
fn a_test_that_a_person_took_from_the_base_branch_needs_their_word_where_the_worker_merged_that() {
    let ground = ground();
    let person = "sed -i '/def test_zero/,$d' ../project/test_calc.py; git -C ../project commit -qam tidy";
    ground.worker("one", CHECK, &[&format!("{person}; git merge -q main; {MENDS}")]);
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Attested { causes: [Findings"), "{said}");
}
