//! Several repositories on one page: the same goal, begun in the same minute in two of them, is two loops.

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Invocation, Key, Sample, Sandbox, Size, Step};

use super::Site;
use crate::{exit, mend, run_right};

/// Runs the same goal here and beside it until both began in one minute.
fn two_repositories() -> (Sandbox, Utf8PathBuf) {
    let sandbox = Sandbox::with(&Sample::shell());
    let beside = sandbox.path("beside");
    sandbox.program("cp", ["-R", sandbox.repository().as_str(), beside.as_str()]).run().expect_exit(0);
    let here = FakeAgent::named(&sandbox, "here").otherwise(mend());
    let there = [Step::write("there.txt", "only beside\n")].into_iter().chain(mend());
    let there = FakeAgent::named(&sandbox, "there").otherwise(there);
    loop {
        let both = [run_right(&sandbox, &here, &[]), run_right(&sandbox, &there, &[]).directory(&beside)];
        let [one, other] = both.map(Invocation::start);
        one.finish().expect_exit(exit::VERIFIED);
        other.finish().expect_exit(exit::VERIFIED);
        let ids = [sandbox.repository(), beside.clone()].map(|project| {
            let listed = sandbox.gulf(["list", "--json"]).directory(project).run().expect_exit(0);
            listed.json_lines()[0]["loops"][0]["loop"].clone()
        });
        if ids[0] == ids[1] {
            return (sandbox, beside);
        }
        // A minute began in between.
        for project in [&sandbox.repository(), &beside] {
            sandbox.gulf(["discard", "--yes"]).directory(project).run().expect_exit(0);
        }
        std::fs::remove_dir_all(sandbox.state().join("repositories")).unwrap();
    }
}

/// The addresses of the loops that the first page lists, with what their cards say.
fn cards(site: &Site) -> Vec<(String, String)> {
    let page = site.page("/");
    let cards = page.split("<li class=\"card\">").skip(1);
    cards.map(|card| (card.split('"').nth(1).unwrap().to_owned(), card.to_owned())).collect()
}

#[test]
fn loops_of_one_name_in_two_repositories_are_shown_and_acted_on_apart() {
    let (sandbox, beside) = two_repositories();
    let site = Site::start(&sandbox, &["--all"]);
    let cards = cards(&site);
    assert_eq!(cards.len(), 2, "{cards:?}");
    assert_ne!(cards[0].0, cards[1].0);
    let of =
        |project: &str| &cards.iter().find(|(_, card)| card.contains(&format!(">{project} · "))).unwrap().0;
    let (here, there) = (of("repository"), of("beside"));
    let diff = |page: &str| site.page(&format!("{page}/diff"));
    assert!(diff(here).contains("value.txt") && !diff(here).contains("there.txt"), "{}", diff(here));
    assert!(diff(there).contains("there.txt"), "git looks in the loop's own repository: {}", diff(there));
    assert!(site.page(&format!("{there}/report")).contains("there.txt"));
    let csrf = site.csrf(there);
    let discarded = site.post(&format!("{there}/act"), &format!("csrf={csrf}&act=discard&confirmed=yes"));
    assert_eq!(discarded.code, 303, "{}", discarded.body);
    assert!(discarded.head.contains(&format!("location: {there}\r\n")), "{}", discarded.head);
    assert!(site.page(there).contains("discard") && !site.page(here).contains("discard k"));
    assert!(!beside.join("there.txt").exists(), "{}", site.page(there));
    assert_eq!(sandbox.read("value.txt"), "right\n", "the other one's work stays");
}

#[test]
fn on_the_screen_each_of_two_loops_of_one_name_opens_as_itself() {
    let (sandbox, _) = two_repositories();
    let terminal = sandbox.gulf(["ui", "--all"]).on_terminal(Size { rows: 24, columns: 120 });
    terminal.wait_for("loops: 2");
    for _ in 0..2 {
        terminal.press(Key::Enter);
        let shown = terminal.wait_for("not proven: ");
        let is_there = shown.lines().next().unwrap().contains("beside · ");
        terminal.press(Key::Character('3'));
        let shown = terminal.wait_for("+right");
        assert_eq!(shown.contains("there.txt"), is_there, "{shown}");
        terminal.press(Key::Escape);
        terminal.wait_for("loops: 2");
        terminal.press(Key::Character('j'));
    }
    terminal.press(Key::Character('q'));
    assert_eq!(terminal.finish(), 0);
}
