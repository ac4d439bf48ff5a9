//! Lines that a check's own run did not reach, by their paths in the checkout that it ran in.

use std::collections::BTreeMap;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use gulf_agents::coverage::{CoverageReport, UnrunLines};
use gulf_host::files;

/// Of a larger project no lines are kept: every reader of a record would read them.
const RANGES_MAX: usize = 1 << 16;
/// A larger `go.mod` is none.
const MODULE_BYTES_MAX: u64 = 1 << 20;

/// Of each source that a report names and that lies in `checkout`, the lines that were not run. Of a source that several
/// reports name, those that none of them saw run.
pub(crate) fn unrun<'reports>(
    reports: impl IntoIterator<Item = &'reports CoverageReport>,
    checkout: &Utf8Path,
    folder: &Utf8Path,
) -> BTreeMap<String, Vec<UnrunLines>> {
    let mut all: BTreeMap<String, Vec<UnrunLines>> = BTreeMap::new();
    let module = [folder, checkout].into_iter().find_map(module);
    let places = SourceNames { checkout, folder, module: module.as_ref() };
    for report in reports {
        for (name, ranges) in &report.unrun {
            let Some(path) = places.find(name, &report.roots) else { continue };
            match all.get_mut(&path) {
                Some(before) => *before = common(before, ranges),
                None => drop(all.insert(path, ranges.clone())),
            }
        }
    }
    if all.values().map(Vec::len).sum::<usize>() > RANGES_MAX { BTreeMap::new() } else { all }
}

/// The lines of both.
pub fn common(one: &[UnrunLines], other: &[UnrunLines]) -> Vec<UnrunLines> {
    let mut common = Vec::new();
    let (mut ones, mut others) = (one.iter().peekable(), other.iter().peekable());
    while let (Some((from, to)), Some((begin, end))) = (ones.peek(), others.peek()) {
        let overlap = (*from.max(begin), *to.min(end));
        if overlap.0 <= overlap.1 {
            common.push(overlap);
        }
        if to < end {
            ones.next()
        } else {
            others.next()
        };
    }
    common
}

struct SourceNames<'run> {
    checkout: &'run Utf8Path,
    folder: &'run Utf8Path,
    /// The name of a Go module, and where it lies.
    module: Option<&'run (String, Utf8PathBuf)>,
}

impl SourceNames<'_> {
    /// Tools name a source from the root of the file system, from where they ran, from a folder that the report names,
    /// or behind the name of a module, as Go does.
    fn find(&self, name: &str, roots: &[String]) -> Option<String> {
        let rooted = roots.iter().map(|root| self.folder.join(root).join(name));
        let of_module = self.module.and_then(|(module, place)| {
            Some(place.join(name.strip_prefix(module.as_str())?.strip_prefix('/')?))
        });
        rooted.chain([self.folder.join(name), self.checkout.join(name)]).chain(of_module).find_map(|path| {
            let inner = path.strip_prefix(self.checkout).ok()?;
            let is_plain = inner.components().all(|part| matches!(part, Utf8Component::Normal(_)));
            (is_plain && path.is_file()).then(|| inner.components().collect::<Utf8PathBuf>().into_string())
        })
    }
}

fn module(folder: &Utf8Path) -> Option<(String, Utf8PathBuf)> {
    let text = files::read_text(&folder.join("go.mod"), MODULE_BYTES_MAX).ok()?.content;
    let name = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    Some((name.split_whitespace().next()?.trim_matches('"').to_owned(), folder.to_owned()))
}

#[cfg(test)]
mod tests {
    //! Names as the tools write them.

    use super::{common, unrun};
    use camino::Utf8PathBuf;
    use gulf_agents::coverage::{CoverageReport, UnrunLines, read};

    fn checkout() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8PathBuf::try_from(folder.path().join("한글 room")).expect("a path in UTF-8");
        for file in ["src/calc.py", "calc.py", "sub/m.js", "go/pkg/m.go"] {
            std::fs::create_dir_all(path.join(file).parent().expect("a parent")).expect("a folder");
            std::fs::write(path.join(file), "x\n").expect("a file");
        }
        std::fs::write(path.join("go/go.mod"), "module example.com/m // it\n").expect("a file");
        (folder, path)
    }

    fn report(file: &str) -> CoverageReport {
        read(file.as_bytes()).expect("a whole report")
    }

    #[track_caller]
    fn is_found(report: &CoverageReport, folder: &str, expected: &[(&str, &[UnrunLines])]) {
        let (_kept, checkout) = checkout();
        let found = unrun([report], &checkout, &checkout.join(folder));
        let found: Vec<_> = found.iter().map(|(path, ranges)| (path.as_str(), ranges.as_slice())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_source_is_found_as_each_tool_names_it() {
        let (_kept, place) = checkout();
        let lcov = |name: &str| report(&format!("SF:{name}\nDA:1,0\nend_of_record\n"));
        is_found(&lcov("m.js"), "sub", &[("sub/m.js", &[(1, 1)])]);
        is_found(&lcov("sub/m.js"), "sub", &[("sub/m.js", &[(1, 1)])]);
        let absolute = unrun([&lcov(place.join("sub/m.js").as_str())], &place, &place);
        assert_eq!(absolute.keys().collect::<Vec<_>>(), ["sub/m.js"]);
        for foreign in ["/usr/lib/m.js", "../calc.py", "sub/../calc.py", "none.js", ""] {
            is_found(&lcov(foreign), "sub", &[]);
        }
        let go = |name: &str| report(&format!("mode: set\n{name}:1.1,2.2 1 0\n"));
        is_found(&go("example.com/m/pkg/m.go"), "go", &[("go/pkg/m.go", &[(1, 2)])]);
        is_found(&go("example.com/other/pkg/m.go"), "go", &[]);
        let xml = |root: &str| {
            report(&format!(
                "<coverage><sources><source>{root}</source></sources><class filename=\"calc.py\"><line number=\"3\" hits=\"0\"/></class></coverage>"
            ))
        };
        is_found(&xml("src"), "", &[("src/calc.py", &[(3, 3)])]);
        is_found(&xml("/elsewhere"), "", &[("calc.py", &[(3, 3)])]);
    }

    #[test]
    fn what_several_reports_name_is_unrun_where_none_of_them_ran_it() {
        let (_kept, checkout) = checkout();
        let one = report("SF:calc.py\nDA:1,0\nDA:2,0\nDA:3,1\nend_of_record\n");
        let other = report("SF:calc.py\nDA:1,1\nDA:2,0\nDA:3,0\nend_of_record\n");
        assert_eq!(unrun([&one, &other], &checkout, &checkout)["calc.py"], [(2, 2)]);
        assert_eq!(common(&[(1, 5), (8, 9)], &[(2, 3), (5, 8)]), [(2, 3), (5, 5), (8, 8)]);
        assert_eq!(common(&[(1, 5)], &[]), []);
    }
}
