//! Files that only tests use, although no path says so: a helper module of its own that only tests import, a file with
//! expected output that only a test names (SPEC B3).
//!
//! A library under test is imported by tests alone, too: so a source file counts only in a module whose manifest sets it apart.

use std::collections::BTreeSet;

use super::{Language, is_runner_configuration, is_test_path, is_test_support_path};

/// Files of the base by path, with their text.
pub type SourceTexts = Vec<(String, String)>;

/// Of these changed files of the base, those that only tests use; `read` gives the files of the base that are wanted.
pub fn only_for_tests<Error>(
    changed: &[&str],
    mut read: impl FnMut(&dyn Fn(&str) -> bool) -> Result<SourceTexts, Error>,
) -> Result<BTreeSet<String>, Error> {
    let counts = |path: &&&str| {
        !(is_test_path(path)
            || is_test_support_path(path)
            || is_runner_configuration(path)
            || is_document(path))
    };
    let changed: Vec<&str> = changed.iter().filter(counts).copied().collect();
    if changed.is_empty() {
        return Ok(BTreeSet::new());
    }
    let manifests = read(&|path| ["go.mod", "Cargo.toml", "package.json"].contains(&file_of(path)))?;
    let mut modules: Vec<HelperModule> =
        manifests.iter().flat_map(|(path, text)| declared(path, text)).collect();
    modules.retain(|module| !module.folder.is_empty() && changed.iter().any(|path| module.holds(path)));
    let is_data = |path: &&&str| Language::of(path).is_none();
    if modules.is_empty() && !changed.iter().any(|path| is_data(&path)) {
        return Ok(BTreeSet::new());
    }
    let sources = read(&|path| Language::of(path).is_some())?;
    modules.retain(|module| !module.is_tested(&sources) && module.is_apart(&manifests, &sources));
    let is_helper = |path: &str| modules.iter().any(|module| module.holds(path));
    let is_only_named = |path: &str| Language::of(path).is_none() && is_named_by_tests_alone(path, &sources);
    Ok(changed.into_iter().filter(|path| is_helper(path) || is_only_named(path)).map(str::to_owned).collect())
}

/// A module in a folder of its own, by the manifest of another.
struct HelperModule {
    folder: String,
    /// What Go imports it by.
    import: Option<String>,
}

impl HelperModule {
    fn holds(&self, path: &str) -> bool {
        path.strip_prefix(&self.folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// With tests of its own it is somebody's product.
    fn is_tested(&self, sources: &SourceTexts) -> bool {
        sources.iter().any(|(path, _)| self.holds(path) && is_test_path(path))
    }

    /// Does no product use it?
    fn is_apart(&self, manifests: &SourceTexts, sources: &SourceTexts) -> bool {
        let Some(import) = &self.import else {
            let own = |(path, text): &&(String, String)| {
                parent_of(path) == self.folder
                    && (text.contains("publish = false") || text.contains("\"private\": true"))
            };
            return manifests.iter().any(|manifest| own(&manifest));
        };
        let imports = |text: &str| {
            [format!("\"{import}\""), format!("\"{import}/")].iter().any(|one| text.contains(one))
        };
        let is_product = |path: &str| path.ends_with(".go") && !is_test_path(path) && !self.holds(path);
        !sources.iter().any(|(path, text)| is_product(path) && imports(text))
    }
}

/// The local modules that a manifest takes for tests; of Go's, all that take the place of a library.
fn declared(path: &str, text: &str) -> Vec<HelperModule> {
    let helper = |folder: &str, import| HelperModule { folder: joined(parent_of(path), folder), import };
    let texts = |key: &'static str, table: &toml::Table| -> Vec<String> {
        let entries = table.get(key).and_then(toml::Value::as_table).into_iter().flatten();
        entries.filter_map(|(_, entry)| Some(entry.get("path")?.as_str()?.to_owned())).collect()
    };
    match file_of(path) {
        "go.mod" => {
            let sides = text.lines().filter_map(|line| line.split_once("=>"));
            let folders = sides.filter(|(_, to)| to.trim().starts_with('.'));
            let import = |from: &str| {
                from.trim().trim_start_matches("replace ").split_whitespace().next().map(str::to_owned)
            };
            folders.map(|(from, to)| helper(to.trim(), import(from))).collect()
        }
        "Cargo.toml" => {
            let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
            let product = texts("dependencies", &table);
            let mut folders = texts("dev-dependencies", &table);
            folders.retain(|folder| !product.contains(folder));
            folders.iter().map(|folder| helper(folder, None)).collect()
        }
        _ => {
            let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
            let entries =
                value.get("devDependencies").and_then(|entries| entries.as_object()).into_iter().flatten();
            let links = entries.filter_map(|(_, version)| {
                let (kind, folder) = version.as_str()?.split_once(':')?;
                ["file", "link", "portal"].contains(&kind).then(|| helper(folder, None))
            });
            links.collect()
        }
    }
}

/// Does a test name it, and nothing else?
fn is_named_by_tests_alone(path: &str, sources: &SourceTexts) -> bool {
    let file = file_of(path);
    let is_part = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || "_-.".contains(letter))
    };
    let names = |text: &str| {
        text.match_indices(file).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + file.len()..].chars().next());
            !is_part(before) && !is_part(after)
        })
    };
    let (tests, product): (Vec<_>, Vec<_>) = sources.iter().partition(|(path, _)| is_test_path(path));
    tests.iter().any(|(_, text)| names(text)) && !product.iter().any(|(_, text)| names(text))
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

fn file_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn parent_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `a/b` and `../c` are `a/c`.
fn joined(folder: &str, relative: &str) -> String {
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
        let Ok(found) = only_for_tests(changed, read);
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
    fn a_private_crate_or_package_that_only_tests_depend_on_is_theirs() {
        let helper = "[package]\nname = \"same\"\npublish = false\n";
        let depends = "[dev-dependencies]\nsame = { path = \"../same\" }\n";
        check(
            &[("a/Cargo.toml", depends), ("same/Cargo.toml", helper)],
            &["same/src/lib.rs"],
            &["same/src/lib.rs"],
        );
        let both = format!("[dependencies]\nsame = {{ path = \"../same\" }}\n\n{depends}");
        check(&[("a/Cargo.toml", &both), ("same/Cargo.toml", helper)], &["same/src/lib.rs"], &[]);
        let public = "[package]\nname = \"same\"\n";
        check(&[("a/Cargo.toml", depends), ("same/Cargo.toml", public)], &["same/src/lib.rs"], &[]);
        let depends = "{\"devDependencies\": {\"same\": \"file:./helpers/same\"}}";
        let helper = "{\"name\": \"same\", \"private\": true}";
        let base = [("package.json", depends), ("helpers/same/package.json", helper)];
        check(&base, &["helpers/same/index.js"], &["helpers/same/index.js"]);
    }

    #[test]
    fn expected_output_that_only_a_test_names_is_the_tests_own() {
        let test = ("tests/test_a.py", "WANTED = open('golden/out.txt').read()\n");
        let changed = ["golden/out.txt", "other.txt", "README.md", "docs/out.txt"];
        check(&[test, ("a.py", "print(1)\n")], &changed, &["golden/out.txt"]);
        check(&[test, ("a.py", "open('out.txt')\n")], &changed, &[]);
        check(&[test, ("a.py", "open('layout.txt.in')\n")], &changed, &["golden/out.txt"]);
    }
}
