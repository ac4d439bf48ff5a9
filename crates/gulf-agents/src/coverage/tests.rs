//! Files as the tools wrote them, cut ones, and hostile ones.

use proptest::prelude::*;

use super::*;

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/coverage/", $name))
    };
}

const FILES: [(&str, Coverage); 5] = [
    (fixture!("pytest_cov.lcov"), Coverage { covered: 6, total: 7 }),
    (fixture!("pytest_cov.xml"), Coverage { covered: 6, total: 7 }),
    (fixture!("node.lcov"), Coverage { covered: 3, total: 3 }),
    (fixture!("c8.lcov"), Coverage { covered: 3, total: 3 }),
    (fixture!("c8.xml"), Coverage { covered: 3, total: 3 }),
];

fn counted(file: &str) -> Option<Coverage> {
    read(file.as_bytes()).map(|report| report.coverage)
}

#[test]
fn the_files_of_the_tools_say_what_the_tools_say() {
    for (file, expected) in FILES {
        assert_eq!(counted(file), Some(expected), "{file}");
    }
}

#[test]
fn a_source_that_two_tests_ran_counts_once() {
    let file = "TN:a\nSF:m.rs\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\nTN:b\nSF:m.rs\nDA:1,0\nDA:2,3\nend_of_record\nSF:n.rs\nLF:4\nLH:1\nend_of_record\n";
    assert_eq!(counted(file), Some(Coverage { covered: 3, total: 6 }));
}

// proves: L3
#[test]
fn statements_of_a_go_profile_count_once_however_many_packages_ran_them() {
    let file = "mode: set\nx/a.go:2.28,2.44 3 1\nx/a.go:3.28,3.44 1 0\nmode: set\nx/a.go:2.28,2.44 3 0\n";
    assert_eq!(counted(file), Some(Coverage { covered: 3, total: 4 }));
    for wrong in ["mode: set\nx/a.go:2.28,2.44 3 1", "mode: set\nx/a.go:2.28,2.44 3\n", "mode: set\nx 3 1\n"]
    {
        assert_eq!(read(wrong.as_bytes()), None, "{wrong}");
    }
}

#[test]
fn lines_are_counted_where_the_root_says_nothing() {
    let file = "<coverage line-rate=\"0.5\"><packages><package><classes><class filename=\"a\"><methods><method><lines><line number=\"9\" hits=\"1\"/></lines></method></methods>\
                <lines><line number=\"1\" hits=\"2\"/><line number=\"2\" hits=\"0\"/></lines></class><class filename=\"a\"><lines><line number=\"2\" hits=\"1\"/></lines></class></classes></package></packages></coverage>";
    assert_eq!(counted(file), Some(Coverage { covered: 2, total: 2 }));
}

#[test]
fn a_file_that_was_cut_says_nothing() {
    for (file, expected) in FILES {
        for end in 0..file.trim_end().len() {
            let cut = read(&file.as_bytes()[..end]);
            // Between two records of LCOV nobody can tell that more should follow.
            let is_between = file[..end].trim_end().ends_with("end_of_record");
            assert!(cut.is_none() || is_between, "cut at {end}: {cut:?} of {expected:?}");
        }
    }
}

#[test]
fn other_files_say_nothing() {
    for file in [
        "", "<html></html>", "<coverage", "{}", "SF:a\nDA:x,1\nend_of_record", "DA:1,1\nend_of_record",
        "end_of_record x",
    ] {
        assert_eq!(read(file.as_bytes()), None, "{file}");
    }
    let deep = format!("<coverage>{}", "<a>".repeat(100_000));
    assert_eq!(read(deep.as_bytes()), None);
    assert_eq!(read(b"\xff\xfe"), None);
    assert_eq!(read(b"SF:a\nLF:1\nLH:2\nend_of_record"), None, "more was run than is there");
}

/// What `file` says was not run, of each source.
fn unrun(file: &str) -> Vec<(String, Vec<UnrunLines>)> {
    read(file.as_bytes()).expect("a whole file").unrun.into_iter().collect()
}

#[test]
fn lines_that_no_test_ran_are_named_in_every_form() {
    let named = |name: &str, ranges: &[UnrunLines]| (name.to_owned(), ranges.to_vec());
    let lcov = "SF:b.rs\nDA:1,1\nDA:2,0\nDA:3,0\nDA:5,0\nend_of_record\nSF:a.rs\nDA:1,1\nend_of_record\nSF:b.rs\nDA:3,2\nend_of_record\n";
    assert_eq!(unrun(lcov), [named("a.rs", &[]), named("b.rs", &[(2, 2), (5, 5)])]);
    let go = "mode: set\nx.org/m/b.go:3.20,5.12 2 1\nx.org/m/b.go:5.12,8.3 1 0\nx.org/m/b.go:9.2,9.9 1 1\nx.org/m/a.go:1.1,2.2 1 1\n";
    assert_eq!(unrun(go), [named("x.org/m/a.go", &[]), named("x.org/m/b.go", &[(6, 8)])]);
    let report = read(fixture!("pytest_cov.xml").as_bytes()).expect("a whole file");
    assert_eq!(report.roots, ["/work/sample"]);
    assert_eq!(report.unrun["m.py"], [(4, 4)]);
    assert_eq!(unrun(fixture!("pytest_cov.lcov"))[0], named("m.py", &[(4, 4)]));
}

#[test]
fn a_block_of_go_that_is_none_names_no_line_and_costs_nothing() {
    for place in ["1.1,4000000000.2", "a.1,2.2", "9.1,2.2"] {
        let file = format!("mode: set\nx/a.go:{place} 1 0\n");
        assert_eq!(counted(&file), Some(Coverage { covered: 0, total: 1 }), "{place}");
        assert!(unrun(&file).iter().all(|(_, ranges)| ranges.is_empty()), "{place}");
    }
}

#[test]
fn a_file_that_names_more_than_anybody_wrote_costs_no_more_than_its_size() {
    let block = |number: u64| format!("x/a.go:{}.1,{}.2 1 0\n", number * 20_000 + 1, (number + 1) * 20_000);
    let profile = format!("mode: set\n{}", (0..10_000).map(block).collect::<String>());
    let peak = allocation_counter::measure(|| assert_eq!(unrun(&profile), [])).bytes_max;
    assert!(peak < 32 << 20, "{peak} bytes");
    assert_eq!(counted(&profile), Some(Coverage { covered: 0, total: 10_000 }));
    let sources = "<source>a</source>".repeat(10_000);
    let report = read(format!("<coverage><sources>{sources}</sources></coverage>").as_bytes());
    assert!(report.is_some_and(|report| report.roots.len() <= 16));
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
    }
}
