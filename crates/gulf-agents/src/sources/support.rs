//! Files that only tests use, although no path says so: a helper module of its own that only tests import, a file with
//! expected output that only a test names (SPEC B3).
//!
//! A library under test is imported by tests alone, too, and what a repository is made of may be data: so a source counts only in
//! a module that the manifest of another product sets apart, where it asserts, or where it is a list that lost rows, and data only
//! where its path calls it expected, or where tests that name it ask a product.

mod helpers;
mod loaded;

use std::collections::BTreeSet;

use super::aware::is_product;
use super::{Language, fields, is_runner_configuration, is_test_path, is_test_support_path};

pub use loaded::extended;

/// Files of the base by path, with their text.
pub type SourceTexts = Vec<(String, String)>;

/// Of these changed files of the base, those that only tests use; `read` gives the files of the base that are wanted. Of data that
/// lost something, and is called nothing in particular, it counts as well who names it.
pub fn only_for_tests<Error>(
    changed: &[&str],
    lost: &BTreeSet<&str>,
    mut read: impl FnMut(&dyn Fn(&str) -> bool) -> Result<SourceTexts, Error>,
) -> Result<BTreeSet<String>, Error> {
    let counts = |path: &&&str| is_product(path) && !is_document(path);
    let changed: Vec<&str> = changed.iter().filter(counts).copied().collect();
    if changed.is_empty() {
        return Ok(BTreeSet::new());
    }
    let manifests =
        read(&|path| ["go.mod", "modules.txt", "Cargo.toml", "package.json"].contains(&file_of(path)))?;
    let mut modules: Vec<HelperModule> =
        manifests.iter().flat_map(|(path, text)| declared(path, text)).collect();
    modules.retain(|module| !module.folder.is_empty() && changed.iter().any(|path| module.holds(path)));
    let is_read =
        |path: &str| Language::from_path(path).is_some() || path.ends_with(".h") || path.ends_with(".hpp");
    let own = read(&|path| changed.contains(&path) && is_read(path))?;
    let of_own = |is_one: &dyn Fn(&str, &str) -> bool| -> Vec<&str> {
        own.iter().filter(|(path, text)| is_one(path, text)).map(|(path, _)| path.as_str()).collect()
    };
    let asserting = of_own(&helpers::asserts);
    let is_none = modules.is_empty() && asserting.is_empty();
    let lists = of_own(&|path, text| lost.contains(path) && helpers::is_list(path, text));
    let is_data = |path: &str| Language::from_path(path).is_none();
    let settings = read(&|path| is_runner_configuration(path) && !own.is_empty())?;
    let loaded = of_own(&|path, _| loaded::is_loaded(path, &settings));
    if is_none && loaded.is_empty() && lists.is_empty() && !changed.iter().any(|path| is_data(path)) {
        return Ok(BTreeSet::new());
    }
    let has_header = asserting.iter().any(|path| helpers::is_of_c(path));
    let sources =
        read(&|path| Language::from_path(path).is_some() || (has_header && helpers::is_of_c(path)))?;
    // Where they are too many to be read, nobody knows who imports what.
    if sources.is_empty() {
        return Ok(BTreeSet::new());
    }
    modules.retain(|module| !module.is_tested(&sources) && module.is_apart(&manifests, &sources));
    let is_helper = |path: &str| {
        modules.iter().any(|module| module.holds(path))
            || (asserting.contains(&path) || lists.contains(&path))
                && helpers::are_used_by_tests_alone(path, &sources)
            || (loaded.contains(&path) && !helpers::are_used_by_products(path, &sources))
    };
    let is_only_named = |path: &str| {
        let naming = || tests_that_name_it_alone(path, &sources);
        let is_theirs = is_expected_output(path) || lost.contains(path);
        is_data(path)
            && (is_theirs && !naming().is_empty()
                || naming().iter().any(|(test, text)| helpers::asks_product(test, text, &sources)))
    };
    Ok(changed.into_iter().filter(|path| is_helper(path) || is_only_named(path)).map(str::to_owned).collect())
}

/// A module in a folder of its own, by the manifest of another.
struct HelperModule {
    /// The folder of that manifest.
    owner: String,
    folder: String,
    /// Where a source says one of these, it uses the module.
    uses: Vec<String>,
    /// Only where its own manifest says that it is for nobody else.
    is_private: bool,
}

impl HelperModule {
    fn holds(&self, path: &str) -> bool {
        is_below(path, &self.folder)
    }

    /// With tests of its own it is somebody's product.
    fn is_tested(&self, sources: &SourceTexts) -> bool {
        let has_tests = |(path, text): &(String, String)| is_test_path(path) || text.contains("#[cfg(test)]");
        sources.iter().any(|source| self.holds(&source.0) && has_tests(source))
    }

    /// Does another product have tests that use it, and does no product? What is nothing but tests has it under test.
    fn is_apart(&self, manifests: &SourceTexts, sources: &SourceTexts) -> bool {
        let is_for_nobody_else = |(path, text): &(String, String)| {
            parent_of(path) == self.folder
                && (text.contains("publish = false") || text.contains("\"private\": true"))
        };
        let is_product = |path: &str| !(self.holds(path) || is_test_path(path) || is_test_support_path(path));
        let mut product = sources.iter().filter(|(path, _)| is_product(path));
        // A library says seldom what is equal.
        let asserts = |(path, text): &(String, String)| self.holds(path) && text.contains("assert_eq!");
        (!self.is_private || manifests.iter().any(is_for_nobody_else) || sources.iter().any(asserts))
            && product.clone().any(|(path, _)| is_below(path, &self.owner))
            && !product.any(|(_, text)| self.uses.iter().any(|one| text.contains(one)))
    }
}

/// The local modules that a manifest takes for tests; of Go's, all that take the place of a library.
fn declared(path: &str, text: &str) -> Vec<HelperModule> {
    let owner = parent_of(path);
    let helper = |folder: &str, uses, is_private| {
        let (owner, folder) = (owner.to_owned(), joined(owner, folder));
        HelperModule { owner, folder, uses, is_private }
    };
    let named = |name: &str| vec![format!("\"{name}\""), format!("\"{name}/")];
    let of_go = |(field, value): (String, String)| {
        let folder = value.split_once("=>")?.1.trim();
        let name = field.strip_prefix("replace.").filter(|_| folder.starts_with('.'))?;
        Some(helper(folder, named(name), false))
    };
    let of_cargo = |(field, folder): (String, String)| {
        let name = field.strip_prefix("dev-dependencies.")?.strip_suffix(".path")?.replace('-', "_");
        Some(helper(&folder, vec![format!("{name}::"), format!("use {name};")], true))
    };
    let of_npm = |(field, version): (String, String)| {
        let name = field.strip_prefix("devDependencies.")?;
        let (kind, folder) = version.split_once(':')?;
        let uses = ["\"", "'"].iter().flat_map(|quote| ["/", quote].map(|end| format!("{quote}{name}{end}")));
        ["file", "link", "portal"].contains(&kind).then(|| helper(folder, uses.collect(), true))
    };
    let source = text.as_bytes();
    match file_of(path) {
        "go.mod" => fields::go_mod(source).unwrap_or_default().into_iter().filter_map(of_go).collect(),
        // Go's libraries, as a project keeps them.
        "modules.txt" => {
            let names = text.lines().filter_map(|line| line.strip_prefix("# ")?.split(' ').next());
            let owner = parent_of(owner).to_owned();
            let module = |name| HelperModule { owner: owner.clone(), ..helper(name, named(name), false) };
            names.map(module).collect()
        }
        "Cargo.toml" => fields::toml(source).unwrap_or_default().into_iter().filter_map(of_cargo).collect(),
        _ => fields::json(source).unwrap_or_default().into_iter().filter_map(of_npm).collect(),
    }
}

/// Does its path call it what a test expects? Other data may be what the repository is made of.
fn is_expected_output(path: &str) -> bool {
    const WORDS: [&str; 7] =
        ["golden", "goldens", "expected", "expectation", "expectations", "approved", "baseline"];
    let mut words = path.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

/// The tests that name it, or read all that lies in its folder; none where anything else does.
fn tests_that_name_it_alone<'text>(path: &str, sources: &'text SourceTexts) -> Vec<&'text (String, String)> {
    const LISTING: [&str; 7] = ["glob", "listdir", "iterdir", "scandir", "readdir", "ReadDir", "read_dir"];
    let folder = file_of(parent_of(path));
    let quoted = ["\"", "'", "/"].map(|begin| format!("{begin}{folder}"));
    let opens = |text: &str| !folder.is_empty() && quoted.iter().any(|name| text.contains(name.as_str()));
    let lists = |text: &str| LISTING.iter().any(|word| text.contains(word));
    let (tests, product): (Vec<_>, Vec<_>) = sources.iter().partition(|(path, _)| is_test_path(path));
    if product.iter().any(|(_, text)| names_file(text, path) || opens(text)) {
        return Vec::new();
    }
    let names = |(_, text): &&(String, String)| names_file(text, path) || (opens(text) && lists(text));
    tests.into_iter().filter(names).collect()
}

/// Does this text name the file, by the last part of its path?
pub fn names_file(text: &str, path: &str) -> bool {
    let file = file_of(path);
    // In Korean a particle follows the name.
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    text.match_indices(file).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + file.len()..]);
        // A sentence may end with the name.
        let goes_on = after.strip_prefix('.').unwrap_or(after).starts_with(is_part);
        !before.ends_with(|letter| is_part(letter) || letter == '.') && !goes_on
    })
}

/// `README.md`, `LICENSE`, a page of a manual.
fn is_document(path: &str) -> bool {
    let file = file_of(path);
    let stem = file.split('.').next().unwrap_or(file);
    let is_loud = stem.chars().any(char::is_alphabetic) && !stem.chars().any(char::is_lowercase);
    let endings = [".md", ".rst", ".adoc"];
    endings.iter().any(|ending| file.ends_with(ending))
        || is_loud
        || path.split('/').any(|part| part == "docs")
}

pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The last part of a path.
pub fn file_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(super) fn parent_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `a/b` and `../c` are `a/c`.
pub(super) fn joined(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[track_caller]
    fn check(base: &[(&str, &str)], changed: &[&str], wanted: &[&str]) {
        let read = |is_wanted: &dyn Fn(&str) -> bool| -> Result<SourceTexts, Infallible> {
            let files = base.iter().filter(|(path, _)| is_wanted(path));
            Ok(files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
        };
        let Ok(found) = only_for_tests(changed, &BTreeSet::from(["data/lost.json", "data/lost.py"]), read);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn a_module_of_go_that_takes_a_librarys_place_is_the_tests_own_where_no_product_imports_it() {
        let test = ("a_test.go", "package a\n\nimport \"example.com/same\"\n");
        for manifest in [
            "module example.com/a\n\nreplace example.com/same => ./same\n",
            "module example.com/a\n\nreplace (\n\texample.com/same v1.0.0 => ./same/\n)\n",
        ] {
            let base =
                [("go.mod", manifest), test, ("a.go", "package a\n"), ("same/same.go", "package same\n")];
            check(&base, &["same/same.go", "a.go"], &["same/same.go"]);
        }
        let manifest = ("go.mod", "module example.com/a\n\nreplace example.com/same => ./same\n");
        let product = ("a.go", "package a\n\nimport \"example.com/same/deep\"\n");
        check(&[manifest, test, product], &["same/same.go"], &[]);
        let tested = ("same/same_test.go", "package same\n");
        check(&[manifest, test, tested], &["same/same.go"], &[]);
    }

    #[test]
    fn a_vendored_library_is_the_tests_own_where_no_product_imports_it() {
        let listed = ("vendor/modules.txt", "# example.com/same v1.0.0\n## explicit\nexample.com/same\n");
        let library = ("vendor/example.com/same/same.go", "package same\n");
        let test = ("a_test.go", "package a\n\nimport \"example.com/same\"\n");
        let changed = ["vendor/example.com/same/same.go"];
        check(&[listed, library, test, ("a.go", "package a\n")], &changed, &changed);
        let product = ("a.go", "package a\n\nimport \"example.com/same\"\n");
        check(&[listed, library, test, product], &changed, &[]);
    }

    #[test]
    fn a_macro_or_a_header_that_asserts_is_the_tests_own_where_only_they_use_it() {
        let code = "#[macro_use]\nmod same;\n\npub fn a() {}\n";
        let inline = format!("{code}#[cfg(test)]\nmod tests {{ fn b() {{ same!(1, 1) }} }}\n");
        let own = ("src/same.rs", "macro_rules! same { ($a:expr, $b:expr) => { assert_eq!($a, $b) } }\n");
        check(&[("src/lib.rs", &inline), own], &["src/same.rs"], &["src/same.rs"]);
        let used = inline.replace("a() {}", "a() { same!(1, 1) }");
        check(&[("src/lib.rs", &used), own], &["src/same.rs"], &[]);

        let header = ("include/unit.h", "#define SAME(a, b) if ((a) != (b)) failed = 1\n");
        let test = ("tests/trim.c", "#include \"unit.h\"\n");
        let changed = ["include/unit.h"];
        check(&[header, test, ("src/trim.c", "#include <string.h>\n")], &changed, &changed);
        check(&[header, test, ("src/trim.c", "#include \"unit.h\"\n")], &changed, &[]);
        check(&[header, test], &changed, &[]);
    }

    #[test]
    fn data_that_lost_something_is_the_tests_own_where_only_they_name_it() {
        let test = ("tests/test_a.py", "open('data/lost.json')\nopen('data/kept.json')\n");
        let changed = ["data/lost.json", "data/kept.json"];
        check(&[test], &changed, &changed[..1]);
        check(&[test, ("a.py", "open('data/lost.json')\n")], &changed, &[]);
    }

    #[test]
    fn data_beside_the_product_are_what_is_expected_where_its_tests_alone_read_them() {
        let product = ("a.py", "def human(): pass\n");
        let named = ("tests/test_a.py", "from a import human\nopen('cases.json')\n");
        check(&[named, product], &["cases.json", "a.py"], &["cases.json"]);
        let listed = ("tests/test_a.py", "import a\nfor one in Path('cases').glob('*.txt'): pass\n");
        check(&[listed, product], &["cases/one.txt", "other/one.txt"], &["cases/one.txt"]);
        check(&[listed, ("a.py", "Loader('cases')\n")], &["cases/one.txt"], &[]);
        // The data are what is tested.
        let alone = ("tests/test_a.py", "import json\njson.load(open('cases.json'))\n");
        check(&[alone, product], &["cases.json"], &[]);
        let test = ("a_test.go", "package a\n\nvar cases = read(\"cases.json\")\n");
        check(&[test, ("a.go", "package a\n")], &["cases.json"], &["cases.json"]);
    }

    #[test]
    fn a_list_that_lost_rows_is_the_tests_own_where_they_alone_import_it() {
        let test = ("tests/test_a.py", "from data.lost import CASES\nfrom a import human\n");
        let base = |list| [test, ("a.py", "def human(): pass\n"), ("data/lost.py", list)];
        check(&base("CASES = [(61, '1m')]\n"), &["data/lost.py"], &["data/lost.py"]);
        check(&base("def cases(): pass\n"), &["data/lost.py"], &[]);
    }

    #[test]
    fn a_source_that_asserts_is_the_tests_own_where_no_product_imports_it() {
        let product = ("a/wrap.go", "package a\n");
        let helper = ("internal/assert/assert.go", "package assert\n\nimport \"testing\"\n");
        let test = ("a/wrap_test.go", "package a\n\nimport \"example.com/a/internal/assert\"\n");
        let changed = ["internal/assert/assert.go", "a/wrap.go"];
        check(&[product, helper, test], &changed, &changed[..1]);
        let uses = ("b/b.go", "package b\n\nimport \"example.com/a/internal/assert\"\n");
        check(&[product, helper, test, uses], &changed, &[]);
        check(&[helper, test], &changed, &[]);

        let python = [
            ("shop/cart.py", "TOTAL = 1\n"),
            ("shop/checks.py", "def same(a, b):\n    raise AssertionError\n"),
            ("tests/test_cart.py", "from shop.checks import same\n"),
        ];
        check(&python, &["shop/cart.py", "shop/checks.py"], &["shop/checks.py"]);
        let script = [
            ("src/title.js", "export const a = 1;\n"),
            ("src/testing/expect.js", "export function same() {}\n"),
            ("test/title.test.js", "import { same } from '../src/testing/expect.js';\n"),
        ];
        check(&script, &["src/title.js", "src/testing/expect.js"], &["src/testing/expect.js"]);
        let inline =
            "pub mod test_support;\n\n#[cfg(test)]\nmod tests {\n    use crate::test_support::same;\n}\n";
        let rust = [("src/lib.rs", inline), ("src/test_support.rs", "pub fn same() {}\n")];
        check(&rust, &["src/lib.rs", "src/test_support.rs"], &["src/test_support.rs"]);
    }

    #[test]
    fn a_private_crate_or_package_that_only_tests_use_is_theirs() {
        let helper = ("same/Cargo.toml", "[package]\nname = \"same\"\npublish = false\n");
        let depends = ("a/Cargo.toml", "[dev-dependencies]\nsame = { path = \"../same\" }\n");
        let (code, product) =
            (("same/src/lib.rs", "pub fn same() {}\n"), ("a/src/lib.rs", "pub fn a() {}\n"));
        let changed = ["same/src/lib.rs", "a/src/lib.rs"];
        check(&[depends, helper, code, product], &changed, &["same/src/lib.rs"]);
        // A product of another one's, by whatever manifest.
        let other = ("b/src/lib.rs", "pub fn b() { same::same() }\n");
        check(&[depends, helper, code, product, other], &changed, &[]);
        check(&[depends, ("same/Cargo.toml", "[package]\nname = \"same\"\n"), code, product], &changed, &[]);
        let asserting = ("same/src/lib.rs", "pub fn same() { assert_eq!(1, 1) }\n");
        let public = ("same/Cargo.toml", "[package]\nname = \"same\"\n");
        check(&[depends, public, asserting, product], &changed, &["same/src/lib.rs"]);
        // A package of nothing but tests has it under test.
        check(&[depends, helper, code, ("a/tests/all.rs", "use same::same;\n")], &changed, &[]);
        let tested = ("same/src/lib.rs", "pub fn same() {}\n\n#[cfg(test)]\nmod tests {}\n");
        check(&[depends, helper, tested, product], &changed, &[]);
        let depends = ("package.json", "{\"devDependencies\": {\"same\": \"file:./helpers/same\"}}");
        let helper = ("helpers/same/package.json", "{\"name\": \"same\", \"private\": true}");
        let changed = ["helpers/same/index.js"];
        check(&[depends, helper, ("a.js", "export const a = 1;\n")], &changed, &changed);
        check(&[depends, helper, ("a.js", "import same from 'same';\n")], &changed, &[]);
    }

    #[test]
    fn expected_output_that_only_a_test_names_is_the_tests_own() {
        let test = (
            "tests/test_a.py",
            "WANTED = open('golden/out.txt').read()\nRUN = ['sh', 'greet.sh', 'value.txt']\n",
        );
        let changed = ["golden/out.txt", "greet.sh", "value.txt", "docs/expected.txt"];
        check(&[test, ("a.py", "print(1)\n")], &changed, &["golden/out.txt"]);
        check(&[test, ("a.py", "open('out.txt')\n")], &changed, &[]);
        check(&[test, ("a.py", "open('layout.txt.in')\n")], &changed, &["golden/out.txt"]);
    }

    #[test]
    fn where_no_source_can_be_read_nothing_is_said() {
        let manifest = ("go.mod", "module example.com/a\n\nreplace example.com/same => ./same\n");
        check(&[manifest], &["same/same.go", "golden/out.txt"], &[]);
    }
}
