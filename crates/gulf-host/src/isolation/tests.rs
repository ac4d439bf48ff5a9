//! How a program is put behind walls, and what they keep from it.

use super::*;
use crate::hint::Hint as _;

fn walls(places: Vec<Mount>) -> Walls {
    Walls { places, directory: "/".into(), network: Network::Loopback, inhabitant: Inhabitant::Check }
}

/// What the system's own says of a script behind these walls; none where it cannot make any.
fn said(script: &str, walls: &Walls) -> Option<String> {
    let bubblewrap = Bubblewrap::find().ok()?;
    let Program::Exec { program, arguments } = bubblewrap.around(Program::Shell(script.to_owned()), walls)
    else {
        panic!("walls are a program of their own")
    };
    let output = Command::new(program).args(arguments).env_clear().output().unwrap();
    Some(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)))
}

fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
    let folder = tempfile::Builder::new().prefix("방 하나 ").tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    std::fs::write(path.join("text"), "here").unwrap();
    (folder, path)
}

#[test]
fn a_place_is_empty_read_written_or_another() {
    let ((_one, one), (_two, two)) = (folder(), folder());
    let script = format!("cd '{one}' 2>&1; cat text; echo more >> text; ls | wc -l");
    let of = |place: Mount| said(&script, &walls(vec![Mount::Empty("/tmp".into()), place]));
    let Some(empty) = of(Mount::Empty(one.clone())) else { return };
    assert!(
        empty.contains("text: No such file") && empty.contains("\n1\n") || empty.starts_with("1\n"),
        "{empty}"
    );
    let read = of(Mount::Read(one.clone())).unwrap();
    assert!(read.starts_with("here") && read.contains("Read-only file system"), "{read}");
    assert_eq!(
        of(Mount::Instead { at: one.clone(), from: two.clone(), access: MountAccess::Write }).unwrap(),
        "here1\n"
    );
    assert_eq!(std::fs::read_to_string(two.join("text")).unwrap(), "heremore\n");
    assert_eq!(of(Mount::Write(one.clone())).unwrap(), "here1\n");
    let blank = Mount::Instead { at: one.join("text"), from: two.join("blank"), access: MountAccess::Read };
    std::fs::write(two.join("blank"), "").unwrap();
    assert_eq!(said(&format!("cat '{one}/text'"), &walls(vec![blank])).unwrap(), "");
}

#[test]
fn a_shell_has_the_name_that_it_has_without_walls() {
    let script = "there-is-no-such-program";
    let Some(within) = said(script, &walls(Vec::new())) else { return };
    let Ok(without) = Command::new("bash").args(["-c", script]).env_clear().output() else { return };
    assert_eq!(within, String::from_utf8_lossy(&without.stderr));
}

#[test]
fn the_network_is_its_own_unless_it_is_the_machines() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let script = format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo reached || echo alone");
    let Some(alone) = said(&script, &walls(Vec::new())) else { return };
    assert_eq!(alone, "alone\n");
    let open = Walls { network: Network::Machine, ..walls(Vec::new()) };
    assert_eq!(said(&script, &open).unwrap(), "reached\n");
}

#[test]
fn what_bwrap_says_itself_is_no_word_of_a_program() {
    let gone = Utf8PathBuf::from("/there/is/nothing");
    // What was there a moment ago is no reason to run nothing.
    let was_there = [Mount::Read(gone.clone()), Mount::Write(gone.clone())];
    let Some(ran) = said("echo ran", &walls(was_there.into())) else { return };
    assert_eq!(ran, "ran\n");
    let from_nothing = Mount::Instead { at: "/tmp".into(), from: gone, access: MountAccess::Read };
    let said = said("exit 0", &walls(vec![from_nothing])).unwrap();
    assert!(instead_of_running(said.as_bytes()).is_some(), "{said}");
    for of_a_program in ["", "1 failed\n", "bwrap: what a test prints\n1 failed\n"] {
        assert_eq!(instead_of_running(of_a_program.as_bytes()), None);
    }
}

#[test]
fn what_others_listen_on_is_found_and_nothing_else() {
    let (_folder, path) = folder();
    std::fs::create_dir_all(path.join("ssh-1/agents/old")).unwrap();
    let listens = ["ssh-1/agents/agent.1", "ssh-1/agents/old/agent.1"].map(|name| {
        let socket = path.join(name);
        (std::os::unix::net::UnixListener::bind(&socket).unwrap(), socket)
    });
    // The other one lies deeper than anybody puts them.
    assert_eq!(sockets(&path), [listens[0].1.clone()]);
}

#[test]
fn every_way_in_which_there_are_no_walls_says_what_helps() {
    let program = Utf8PathBuf::from("/usr/bin/bwrap");
    let refused =
        Unavailable::Refused { program, said: "No permissions to create a new namespace".to_owned() };
    for (error, said, hint) in [
        (Unavailable::Missing, "is not installed", "apt install bubblewrap"),
        (refused, "cannot make namespaces here: No permissions", "unprivileged user namespaces"),
    ] {
        let helps = error.hint().unwrap();
        assert!(error.to_string().contains(said) && helps.contains(hint), "{error}: {helps}");
    }
}
