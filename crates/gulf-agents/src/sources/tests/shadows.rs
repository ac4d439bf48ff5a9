//! Files that take another's place.

use super::*;

// proves: B3, G24
#[test]
fn a_file_that_a_name_leads_to_hides_what_it_led_to_before() {
    for (path, hidden) in [
        ("json.py", "Python's module json"),
        ("src/json/__init__.py", "Python's module json"),
        ("_pytest/__init__.py", "Python's module _pytest"),
        ("sitecustomize.py", "what Python reads by itself"),
        ("calc-1.0.dist-info/METADATA", "what Python reads by itself"),
        ("pkg/__pycache__/calc.cpython-313.pyc", "what Python reads in place of sources"),
        ("node_modules/assert/index.js", "what node finds by its name"),
        ("tools/difflib.py", "Python's module difflib"),
        ("pytest.abi3.so", "Python's module pytest"),
        ("lib/Test/More.pm", "Perl's module Test::More"),
    ] {
        assert_eq!(shadow(path, &["tools"]), Some(Shadow::Outside(hidden.to_owned())), "{path}");
    }
    for (path, hidden) in [
        ("pkg/calc/__init__.py", "pkg/calc.py"),
        ("tests/same.cpython-313-x86_64-linux-gnu.so", "tests/same.py"),
        ("src/same.js", "src/same/index.js"),
        ("src/same.js", "src/same.ts"),
    ] {
        let Some(Shadow::Files(files)) = shadow(path, &[]) else { panic!("{path} hides nothing") };
        assert!(files.iter().any(|file| file == hidden), "{path}: {files:?}");
    }
    assert_eq!(shadow("calc.pyi", &[]), Some(Shadow::Types("calc.py".to_owned())));
}

#[test]
fn a_module_of_the_projects_own_hides_nothing() {
    for path in
        ["calc.py", "pkg/json.py", "src/pkg/types.py", "lib/Add.pm", "tests/test_json.py", "__init__.py"]
    {
        assert_eq!(shadow(path, &["tools"]), None, "{path}");
    }
}
