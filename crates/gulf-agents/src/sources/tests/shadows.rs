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
    ] {
        assert_eq!(shadow(path), Some(Shadow::Outside(hidden.to_owned())), "{path}");
    }
    assert_eq!(shadow("pkg/calc/__init__.py"), Some(Shadow::File("pkg/calc.py".to_owned())));
}

#[test]
fn a_module_of_the_projects_own_hides_nothing() {
    for path in
        ["calc.py", "pkg/json.py", "src/pkg/types.py", "src/index.js", "tests/test_json.py", "__init__.py"]
    {
        assert_eq!(shadow(path), None, "{path}");
    }
}
