//! Which spec is found under which id.

use super::{PlanError, find};
use camino::Utf8Path;

fn write(project: &Utf8Path, path: &str, text: &str) {
    let path = project.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

// proves: L1, REQ-LOOP-001
#[test]
fn a_spec_is_found_by_its_id_with_and_without_its_prefix() {
    let folder = tempfile::tempdir().unwrap();
    let project = Utf8Path::from_path(folder.path()).unwrap();
    let of = |id| find(project, id).map(|(terms, text)| (terms.id, terms.path.to_string(), text));
    assert!(matches!(of("LOOP-001"), Err(PlanError::NoSpec { .. })));
    write(project, "specs/LOOP-001.md", "# 로그인\n");
    let plain = ("LOOP-001".to_owned(), "specs/LOOP-001.md".to_owned(), "# 로그인\n".to_owned());
    assert_eq!(of("LOOP-001").unwrap(), plain);
    write(project, ".moai/specs/SPEC-LOOP-001/spec.md", "moai\n");
    let moai = ("LOOP-001".to_owned(), ".moai/specs/SPEC-LOOP-001/spec.md".to_owned(), "moai\n".to_owned());
    assert_eq!((of("SPEC-LOOP-001").unwrap(), of("LOOP-001").unwrap()), (moai.clone(), moai));
    write(project, "specs/로그인-1.2.md", "# 로그인\n");
    assert_eq!(of("로그인-1.2").unwrap().0, "로그인-1.2");
}

#[test]
fn what_is_no_id_leads_nowhere_and_a_blank_spec_is_no_goal() {
    let folder = tempfile::tempdir().unwrap();
    let project = Utf8Path::from_path(folder.path()).unwrap();
    for id in ["", "SPEC-", "../secret", "a/b", ".", "..", "a b", &"x".repeat(101)] {
        assert!(matches!(find(project, id), Err(PlanError::NoSpecId { .. })), "{id}");
    }
    write(project, "specs/A.md", " \n");
    assert!(matches!(find(project, "A"), Err(PlanError::BlankSpec { .. })));
}
