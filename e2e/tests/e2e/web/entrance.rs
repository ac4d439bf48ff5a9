//! Coming in without typing the address: by a phone's camera, and in the browser that is opened.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use camino::Utf8PathBuf;
use gulf_testkit::{Invocation, Meeting, Sample, Sandbox, Size};

use super::Site;

const SIZE: Size = Size { rows: 40, columns: 120 };

/// The first word that a terminal shows: the printed address.
fn address(screen: &str) -> &str {
    screen.split_whitespace().next().unwrap()
}

/// What a camera reads, of a code whose light squares are blocks.
fn read(screen: &str) -> String {
    let lines: Vec<Vec<char>> =
        screen.lines().filter(|line| line.contains('█')).map(|line| line.chars().collect()).collect();
    let is_dark = |x: usize, y: usize| {
        let light = if y.is_multiple_of(2) { ['█', '▀'] } else { ['█', '▄'] };
        lines.get(y / 2).is_some_and(|line| line.get(x).is_none_or(|one| !light.contains(one)))
    };
    let width = lines[0].len();
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width * 4, width * 4, |x, y| {
        if is_dark(x / 4, y / 4) { 0 } else { 255 }
    });
    let found = picture.detect_grids();
    assert_eq!(found.len(), 1, "{screen}");
    found[0].decode().unwrap().1
}

/// A folder of scripts, and a PATH that begins with it.
fn with_programs(sandbox: &Sandbox, programs: &[(&str, &str)], others: &str) -> (Utf8PathBuf, String) {
    let folder = sandbox.path("programs");
    fs::create_dir(&folder).unwrap();
    for (name, script) in programs {
        fs::write(folder.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{folder}{others}");
    (folder, path)
}

fn opening(sandbox: &Sandbox, path: &str) -> Invocation {
    sandbox.gulf(["web", "--open"]).variable("PATH", path)
}

/// The lower edge. How wide it is depends on the token: some of them need a smaller code.
fn is_last_of_code(line: &str) -> bool {
    let line = line.trim();
    line.chars().count() > 20 && line.chars().all(|each| each == '▀')
}

#[test]
fn a_camera_reads_the_address_from_the_screen() {
    let sandbox = Sandbox::with(&Sample::shell());
    let terminal = sandbox.gulf(["web", "--qr"]).on_terminal(SIZE);
    let shown = terminal.wait_for("a phone comes to this machine by an ssh tunnel");
    assert!(address(&shown).starts_with("http://127.0.0.1:"), "{shown}");
    assert_eq!(read(&shown), address(&shown));
    let proxy = ["web", "--qr", "--behind-proxy", "https://box.example"];
    let terminal = sandbox.gulf(proxy).variable("NO_COLOR", "1").on_terminal(SIZE);
    let shown = terminal.wait_until("a code's last line", |screen| screen.lines().any(is_last_of_code));
    assert!(address(&shown).starts_with("https://box.example/?token="), "{shown}");
    assert_eq!(read(&shown), address(&shown));
    assert!(!shown.contains("a phone comes"), "{shown}");
}

#[test]
fn the_browser_that_is_opened_comes_in_once_and_by_no_address_that_is_printed() {
    let sandbox = Sandbox::with(&Sample::shell());
    let opened = Meeting::new(&sandbox, "opened");
    let script = format!("echo \"$1\" > '{}'", opened.path());
    let (_, path) = with_programs(&sandbox, &[("xdg-open", &script)], ":/usr/bin:/bin");
    let site = Site::start_by(sandbox.command(gulf_testkit::gulf().as_str()).env("PATH", path), &["--open"]);
    let address = opened.wait();
    let (origin, token) = address.trim().split_once("/?token=").unwrap();
    assert_eq!(origin, format!("http://{}", site.host));
    assert_ne!(token, site.token);
    let comes = || site.ask("GET", &format!("/?token={token}"), &[("Cookie", "")], "");
    let first = comes();
    assert_eq!(first.code, 303, "{}", first.head);
    assert!(first.head.contains(&site.cookie), "{}", first.head);
    assert_eq!(comes().code, 401, "whoever read it in a list of processes comes too late");
}

#[test]
fn without_a_program_that_opens_it_the_server_says_so_and_runs() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (folder, path) = with_programs(&sandbox, &[], "");
    symlink("/usr/bin/git", folder.join("git")).unwrap();
    let terminal = opening(&sandbox, &path).on_terminal(SIZE);
    let shown = terminal.wait_for("open the address yourself");
    assert!(shown.contains("note: there is no `xdg-open` here"), "{shown}");
    let host = address(&shown).strip_prefix("http://").unwrap().split('/').next().unwrap();
    assert!(std::net::TcpStream::connect(host).is_ok(), "{host}");
}

#[test]
fn a_browser_that_could_not_be_opened_is_told_with_its_exit_code() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (_, path) = with_programs(&sandbox, &[("xdg-open", "exit 3")], ":/usr/bin:/bin");
    let terminal = opening(&sandbox, &path).on_terminal(SIZE);
    let shown = terminal.wait_for("open the address yourself");
    assert!(shown.contains("`xdg-open` ended with exit code 3"), "{shown}");
}
