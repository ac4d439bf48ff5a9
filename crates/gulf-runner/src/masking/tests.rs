//! Where secrets are looked for besides this process's variables.

use std::fs;

use camino::Utf8Path;

use super::variables_of;

#[test]
fn files_of_variables_are_read_as_shells_read_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap().join(".env");
    fs::write(&path, "# API_KEY=no\nexport API_KEY=\"one two\"\n\nTOKEN='a=b'\nnonsense\nPLAIN=x\n").unwrap();
    let found = variables_of(&path);
    let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(found, [("API_KEY", "one two"), ("TOKEN", "a=b"), ("PLAIN", "x")]);
    assert_eq!(variables_of(&path.with_file_name("missing")), []);
}
