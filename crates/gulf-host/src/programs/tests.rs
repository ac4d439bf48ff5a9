//! What is there and what is not, by real files.

use super::*;

fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    (folder, path)
}

#[test]
fn a_plain_name_that_is_nowhere_on_the_path_is_missing() {
    let (_folder, path) = folder();
    assert_eq!(
        missing_program("no-such-program-at-all --flag", &path).as_deref(),
        Some("no-such-program-at-all")
    );
    assert_eq!(missing_program("sh -c true", &path), None);
}

#[test]
fn a_relative_path_is_looked_for_in_the_directory() {
    let (_folder, path) = folder();
    assert_eq!(missing_program("./agent.sh", &path).as_deref(), Some("./agent.sh"));
    fs::write(path.join("agent.sh"), "").unwrap();
    assert_eq!(missing_program("./agent.sh", &path).as_deref(), Some("./agent.sh"), "it is not executable");
    assert!(is_plain_file("./agent.sh", &path), "it lies there");
    assert!(!is_plain_file("./other.sh", &path) && !is_plain_file("agent.sh", &path));
}

#[test]
fn what_only_a_shell_can_tell_is_believed() {
    let (_folder, path) = folder();
    for command in ["FOO=1 no-such", "$AGENT run", "cd x && no-such", "\"my agent\" go", ""] {
        assert_eq!(missing_program(command, &path), None, "{command}");
    }
}

#[test]
fn a_listing_is_sorted_bounded_and_leaves_git_out() {
    let (_folder, path) = folder();
    for file in ["b.txt", "a/c.txt", ".git/config", "node_modules/x.js", "a/b/c/deep.txt"] {
        let file = path.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    assert_eq!(list(&path, 2, 10), ["a/c.txt", "b.txt"]);
    assert_eq!(list(&path, 2, 1), ["a/c.txt"]);
}

#[test]
fn a_linked_program_is_there_while_another_takes_its_place() {
    let (_folder, path) = folder();
    let (original, link_path) = (path.join("gulf"), path.join("worker/gulf"));
    fs::create_dir(path.join("worker")).unwrap();
    fs::write(&original, "old").unwrap();
    link(&original, &link_path).unwrap();
    fs::remove_file(&original).unwrap();
    assert_eq!(fs::read_to_string(&link_path).unwrap(), "old");
    link(&original, &link_path).unwrap();
    assert_eq!(fs::read_to_string(&link_path).unwrap(), "old", "there is nothing to put in its place");
    fs::write(&original, "new").unwrap();
    assert_eq!(fs::read_to_string(&link_path).unwrap(), "old");
    link(&original, &link_path).unwrap();
    assert_eq!(fs::read_to_string(&link_path).unwrap(), "new");
    assert_eq!(list(&path, 2, 10), ["gulf", "worker/gulf"], "nothing else is left");
}

#[test]
fn a_folder_is_linked_by_its_name() {
    let (_folder, path) = folder();
    for name in ["one", "two"] {
        fs::create_dir(path.join(name)).unwrap();
        link(&path.join(name), &path.join("logs")).unwrap();
        assert_eq!(fs::read_link(path.join("logs")).unwrap(), path.join(name).as_std_path());
    }
}
