//! What provisioning promises, on real folders.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::{How, Provided, ProvisionRequest, dependency_folders, provision};
use crate::git::{Repository, SnapshotRequest, TreePath};

struct Folders {
    _folder: TempDir,
    work_tree: Utf8PathBuf,
    checkout: Utf8PathBuf,
    staging: Utf8PathBuf,
}

impl Folders {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let [work_tree, checkout, staging] =
            ["내 project", "gulf/checkout 1", "gulf/staging"].map(|name| root.join(name));
        fs::create_dir_all(&work_tree).unwrap();
        fs::create_dir_all(&checkout).unwrap();
        Self { _folder: folder, work_tree, checkout, staging }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.work_tree.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn provide(&self, folder: &str, bytes_max: u64) -> How {
        let folders = [TreePath::try_from(folder).unwrap()];
        let (work_tree, checkout, staging) = (&*self.work_tree, &*self.checkout, &*self.staging);
        let request = ProvisionRequest { work_tree, checkout, staging, folders: &folders, bytes_max };
        let mut provided = provision(&request).unwrap();
        assert!(!self.staging.exists(), "nothing is left in the staging folder");
        provided.remove(0).how
    }

    fn provided(&self, path: &str) -> String {
        fs::read_to_string(self.checkout.join(path)).unwrap()
    }

    fn link(&self, path: &str) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(fs::read_link(self.checkout.join(path)).unwrap()).unwrap()
    }
}

#[test]
fn a_folder_arrives_with_its_bits_times_and_links() {
    let folders = Folders::new();
    folders.write("node_modules/pkg/run.js", "run\n");
    let long_ago = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_000_000);
    let file = folders.work_tree.join("node_modules/pkg/run.js");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    fs::File::open(&file).unwrap().set_modified(long_ago).unwrap();
    symlink("../pkg/run.js", folders.work_tree.join("node_modules/pkg/link")).unwrap();
    fs::set_permissions(folders.work_tree.join("node_modules/pkg"), fs::Permissions::from_mode(0o555))
        .unwrap();
    assert_eq!(folders.provide("node_modules", u64::MAX), How::Provided);
    let metadata = fs::metadata(folders.checkout.join("node_modules/pkg/run.js")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o755);
    assert_eq!(metadata.modified().unwrap(), long_ago);
    assert_eq!(folders.link("node_modules/pkg/link"), "../pkg/run.js");
    let directory = fs::metadata(folders.checkout.join("node_modules/pkg")).unwrap();
    assert_eq!(directory.permissions().mode() & 0o777, 0o555);
    folders.write("node_modules/pkg/run.js", "changed\n");
    assert_eq!(folders.provide("node_modules", u64::MAX), How::Provided);
    assert_eq!(folders.provided("node_modules/pkg/run.js"), "run\n", "what is there stays");
}

#[test]
fn links_into_the_worktree_point_into_the_checkout() {
    let folders = Folders::new();
    let modules = folders.work_tree.join("node_modules");
    fs::create_dir_all(&modules).unwrap();
    let links = [
        ("inside", folders.work_tree.join("packages/a"), folders.checkout.join("packages/a")),
        ("whole", folders.work_tree.clone(), folders.checkout.clone()),
        ("relative", "../packages/a".into(), "../packages/a".into()),
        ("outside", "/usr/bin/env".into(), "/usr/bin/env".into()),
        (
            "neighbour",
            format!("{}-2/x", folders.work_tree).into(),
            format!("{}-2/x", folders.work_tree).into(),
        ),
    ];
    for (name, target, _) in &links {
        symlink(target, modules.join(name)).unwrap();
    }
    symlink("../../shared/lib", modules.join("climbs")).unwrap();
    assert_eq!(folders.provide("node_modules", u64::MAX), How::Provided);
    for (name, _, expected) in &links {
        assert_eq!(folders.link(&format!("node_modules/{name}")), *expected, "{name}");
    }
    let climbs = folders.link("node_modules/climbs");
    assert!(
        climbs.starts_with(&folders.work_tree),
        "a link out of the worktree still means the same: {climbs}"
    );
}

#[test]
fn an_editable_install_names_the_checkout_and_not_the_worktree() {
    let folders = Folders::new();
    let (old, new) = (folders.work_tree.clone(), folders.checkout.clone());
    let site = ".venv/lib/python3.13/site-packages";
    let encoded = old.as_str().replace(' ', "%20").replace('내', "%EB%82%B4");
    let texts = [
        (".venv/pyvenv.cfg".to_owned(), format!("command = python -m venv {old}/.venv\n")),
        (".venv/bin/tool".to_owned(), format!("#!{old}/.venv/bin/python\nimport tool\n")),
        (format!("{site}/__editable__.pkg.pth"), format!("{old}/src\n")),
        (format!("{site}/__editable___pkg_finder.py"), format!("MAPPING = {{'pkg': '{old}/src/pkg'}}\n")),
        (format!("{site}/pkg.dist-info/direct_url.json"), format!("{{\"url\": \"file://{encoded}\"}}")),
        (format!("{site}/other.pth"), format!("{old}-2/src\n")),
        (format!("{site}/data.txt"), format!("{old}\n")),
    ];
    for (path, text) in &texts {
        folders.write(path, text);
    }
    fs::write(old.join(".venv/bin/program"), format!("\0{old}")).unwrap();
    assert_eq!(folders.provide(".venv", u64::MAX), How::Provided);
    for (path, text) in &texts[..4] {
        assert_eq!(folders.provided(path), text.replace(old.as_str(), new.as_str()), "{path}");
    }
    let url = folders.provided(&texts[4].0);
    assert!(url.contains("checkout%201") && !url.contains("%EB%82%B4"), "{url}");
    for (path, text) in &texts[5..] {
        assert_eq!(folders.provided(path), *text, "{path}");
    }
    assert_eq!(folders.provided(".venv/bin/program"), format!("\0{old}"), "a program keeps its bytes");
}

#[test]
fn a_folder_over_the_limit_is_left_to_the_set_up_command() {
    let folders = Folders::new();
    folders.write("target/debug/big", &"x".repeat(5000));
    let how = folders.provide("target", 1000);
    // Only a reflink, which costs no room, may be larger than the limit.
    assert!(how == How::Provided || how == How::NeedsSetUp, "{how:?}");
    assert_eq!(folders.checkout.join("target").exists(), how == How::Provided);
}

#[test]
fn what_a_crash_left_half_done_is_done_again() {
    let folders = Folders::new();
    folders.write("node_modules/a.js", "a\n");
    fs::create_dir_all(folders.staging.join("0/half")).unwrap();
    fs::write(folders.staging.join("0/half/b.js"), "b\n").unwrap();
    fs::set_permissions(folders.staging.join("0/half"), fs::Permissions::from_mode(0o500)).unwrap();
    assert_eq!(folders.provide("node_modules", u64::MAX), How::Provided);
    assert_eq!(folders.provided("node_modules/a.js"), "a\n");
    assert!(!folders.checkout.join("node_modules/half").exists());
}

#[test]
fn a_linked_folder_is_copied_so_that_checks_cannot_write_into_it() {
    let folders = Folders::new();
    let shared = folders.work_tree.with_file_name("shared");
    fs::create_dir_all(&shared).unwrap();
    fs::write(shared.join("a.js"), "a\n").unwrap();
    symlink(&shared, folders.work_tree.join("node_modules")).unwrap();
    assert_eq!(folders.provide("node_modules", u64::MAX), How::Provided);
    assert!(fs::symlink_metadata(folders.checkout.join("node_modules")).unwrap().is_dir());
    fs::write(folders.checkout.join("node_modules/a.js"), "changed\n").unwrap();
    assert_eq!(fs::read_to_string(shared.join("a.js")).unwrap(), "a\n");
}

#[test]
fn a_folder_that_is_gone_or_a_file_is_skipped() {
    let folders = Folders::new();
    folders.write("venv", "a file\n");
    for name in ["node_modules", "venv"] {
        assert_eq!(folders.provide(name, u64::MAX), How::Skipped, "{name}");
    }
}

#[test]
fn a_generated_file_is_provided_as_it_is_and_stands_for_no_dependencies() {
    let folders = Folders::new();
    folders.write("src/pkg/_version.py", "__version__ = '4'\n");
    assert_eq!(folders.provide("src/pkg/_version.py", u64::MAX), How::Provided);
    assert_eq!(folders.provided("src/pkg/_version.py"), "__version__ = '4'\n");
    let provided = |path: &str| Provided { path: TreePath::try_from(path).unwrap(), how: How::Provided };
    assert!(!provided("src/pkg/_version.py").is_dependencies());
    assert!(provided(".venv").is_dependencies());
}

#[test]
fn dependency_folders_are_those_that_git_ignores() {
    let folders = Folders::new();
    let git = |arguments: &[&str]| {
        let status =
            std::process::Command::new("git").args(arguments).current_dir(&folders.work_tree).status();
        assert!(status.unwrap().success());
    };
    git(&["init", "-q"]);
    folders.write(".gitignore", "node_modules/\n/target/\n.venv/\n_version.py\nweb/cache\n");
    for path in [
        "node_modules/x/node_modules/y.js",
        "target/out",
        "web/app/node_modules/z.js",
        "a/b/c/node_modules/w",
        "src/pkg/_version.py",
        "web/cache/x",
        "venv/bin/python",
    ] {
        folders.write(path, "x\n");
    }
    // As Python's venv and uv do it: git names what is in it, and not the folder.
    folders.write("venv/.gitignore", "# all of it\n*\n");
    folders.write("vendor/tracked.go", "tracked\n");
    folders.write("src/version.py", "not ignored\n");
    folders.write("src/target/code.rs", "not ignored\n");
    let private = folders.staging.with_file_name("private");
    let index = folders.staging.with_file_name("index");
    let layout = Repository::discover(&folders.work_tree).unwrap().unwrap();
    let repository = Repository::open(layout, &private).unwrap();
    let request = SnapshotRequest { index: &index, base: None, loop_texts: &[], file_bytes_max: 1000 };
    repository.snapshot(&request).unwrap();
    let found: Vec<String> = dependency_folders(
        &repository,
        &index,
        &["web/cache/".to_owned(), "gone".to_owned(), "node_modules/.cache".to_owned()],
    )
    .unwrap()
    .iter()
    .map(ToString::to_string)
    .collect();
    assert_eq!(
        found,
        ["node_modules", "src/pkg/_version.py", "target", "venv", "web/app/node_modules", "web/cache"]
    );
    assert!(Utf8Path::new(&found[0]).is_relative());
}

#[test]
fn a_folder_of_many_files_arrives_whole_and_stays_apart_from_the_worktrees() {
    let folders = Folders::new();
    for number in 0..500 {
        folders.write(&format!("node_modules/p{}/f{number}.js", number % 7), &format!("{number}"));
    }
    assert_eq!(folders.provide("node_modules", u64::MAX), How::Provided);
    for number in 0..500 {
        assert_eq!(
            folders.provided(&format!("node_modules/p{}/f{number}.js", number % 7)),
            format!("{number}")
        );
    }
    folders.write("node_modules/p0/f0.js", "changed by a worker");
    assert_eq!(folders.provided("node_modules/p0/f0.js"), "0");
}

#[test]
fn byte_code_of_a_checkouts_own_sources_goes_and_that_of_its_dependencies_stays() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    for path in ["__pycache__", "한 글/__pycache__/deep", ".venv/lib/__pycache__", ".git/__pycache__", "src"]
    {
        fs::create_dir_all(root.join(path)).unwrap();
        fs::write(root.join(path).join("calc.cpython-311.pyc"), "").unwrap();
    }
    std::os::unix::fs::symlink(root.join("src"), root.join("src/__pycache__")).unwrap();
    fs::set_permissions(root.join("한 글"), std::os::unix::fs::PermissionsExt::from_mode(0o500)).unwrap();
    super::remove_byte_code(root, &[".venv".to_owned()]).unwrap();
    let is_there = |path: &str| root.join(path).exists();
    assert!(!is_there("__pycache__") && !is_there("한 글/__pycache__"));
    assert!(is_there(".venv/lib/__pycache__/calc.cpython-311.pyc") && is_there(".git/__pycache__"));
    assert!(is_there("src/calc.cpython-311.pyc"), "a link was followed");
}
