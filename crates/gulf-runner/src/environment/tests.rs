//! Which variables agents and checks get, and where their paths lead.

use camino::Utf8Path;
use gulf_engine::LoopId;

use super::{Environment, Ports, Variables, WorkerVariables};
use crate::agreement::PortTerms;

const PERSON: &str = "/home/ana/app";
const WORKTREE: &str = "/home/ana/app-gulf-1";
const ROOM: &str = "/state/rooms/candidate";

fn of_person() -> Environment {
    let variables = [
        ("PATH", "/home/ana/app/.venv/bin:/usr/bin:/home/ana/app-2/bin"),
        ("VIRTUAL_ENV", "/home/ana/app/.venv"),
        ("CARGO_TARGET_DIR", "/home/ana/target"),
        ("GULF_LOOP", "another"),
        ("PWD", "/home/ana/app/web"),
    ];
    let owned = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Environment::from_variables(owned.into_iter())
}

fn in_worktree() -> Environment {
    of_person().taken_from(Utf8Path::new(PERSON), Utf8Path::new(WORKTREE))
}

fn value<'all>(variables: &'all Variables, name: &str) -> Option<&'all str> {
    variables.get(name).map(String::as_str)
}

fn for_worker(environment: &Environment, own: &[(&str, &str)]) -> Variables {
    let turn = WorkerVariables {
        programs: Utf8Path::new("/state/bin"),
        home: Utf8Path::new("/state"),
        loop_id: &LoopId::new("one"),
        iteration: 2,
        attempt: 1,
    };
    let own = own.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    environment.for_worker(&turn, own.collect())
}

#[test]
fn a_worker_in_the_persons_checkout_has_the_persons_variables() {
    let variables = for_worker(&of_person(), &[]);
    assert_eq!(
        value(&variables, "PATH"),
        Some("/state/bin:/home/ana/app/.venv/bin:/usr/bin:/home/ana/app-2/bin")
    );
    assert_eq!(value(&variables, "CARGO_TARGET_DIR"), Some("/home/ana/target"));
    assert_eq!(
        (value(&variables, "GULF_LOOP"), value(&variables, "GULF_ITERATION")),
        (Some("one"), Some("2"))
    );
}

#[test]
fn a_worker_in_a_worktree_is_led_into_the_worktree() {
    let variables = for_worker(&in_worktree(), &[("PORT", "20001"), ("GULF_LOOP", "forged")]);
    assert_eq!(
        value(&variables, "PATH"),
        Some("/state/bin:/home/ana/app-gulf-1/.venv/bin:/usr/bin:/home/ana/app-2/bin")
    );
    assert_eq!(value(&variables, "VIRTUAL_ENV"), Some("/home/ana/app-gulf-1/.venv"));
    assert_eq!((value(&variables, "PWD"), value(&variables, "CARGO_TARGET_DIR")), (Some(WORKTREE), None));
    assert_eq!((value(&variables, "PORT"), value(&variables, "GULF_LOOP")), (Some("20001"), Some("one")));
}

#[test]
fn a_check_is_led_into_its_room_from_the_person_and_from_the_worktree() {
    for (environment, project) in [(of_person(), PERSON), (in_worktree(), WORKTREE)] {
        let own = [("CI".to_owned(), "1".to_owned())];
        let variables = environment.for_check(Utf8Path::new(project), Utf8Path::new(ROOM), own);
        assert_eq!(value(&variables, "VIRTUAL_ENV"), Some("/state/rooms/candidate/.venv"), "{project}");
        assert_eq!((value(&variables, "CI"), value(&variables, "CARGO_TARGET_DIR")), (Some("1"), None));
    }
}

#[test]
fn a_worktree_within_the_checkout_is_not_moved_into_itself() {
    let inside = "/home/ana/app/.trees/1";
    let variables = [("PATH".to_owned(), format!("{inside}/bin:{PERSON}/bin"))];
    let environment = Environment::from_variables(variables.into_iter());
    let variables = for_worker(&environment.taken_from(Utf8Path::new(PERSON), Utf8Path::new(inside)), &[]);
    assert_eq!(value(&variables, "PATH").unwrap(), format!("/state/bin:{inside}/bin:{inside}/bin"));
}

#[test]
fn which_checkout_it_is_says_nothing_about_a_check() {
    assert_eq!(of_person().digest(), in_worktree().digest());
}

#[test]
fn a_checkout_keeps_its_ports_and_another_gets_others() {
    let home = tempfile::tempdir().unwrap();
    let home = Utf8Path::from_path(home.path()).unwrap();
    let variables = vec!["PORT".to_owned(), "DB_PORT".to_owned()];
    let terms = PortTerms { variables, first: 25_850, last: 25_899 };
    let ports = Ports::default();
    let of = |checkout: &str| ports.variables(&terms, home, Utf8Path::new(checkout)).unwrap();
    let (one, two) = (of("/one"), of("/two"));
    assert_eq!(of("/one"), one);
    assert!(one.iter().all(|(_, port)| two.iter().all(|(_, other)| port != other)), "{one:?} {two:?}");
    assert_eq!((one[0].0.as_str(), one[1].0.as_str()), ("PORT", "DB_PORT"));
}
