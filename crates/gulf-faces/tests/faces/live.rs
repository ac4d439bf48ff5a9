//! The live screen on terminals of three sizes, with and without colours, and what its keys ask for.

use gulf_engine::{End, PauseReason};
use gulf_faces::{Action, LiveScreen, Mouse, Wish};
use gulf_views::{
    ActKind, BoardGate, BoardLoop, BoardQuestion, BoardRow, BoardTexts, LoopAddress, LoopStatus, NextStep,
    Palette, ScreenLanguage, StoryOutcome, StoryPoint, StoryStrip, Tone, Trend, TrendDirection,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Size;
use ratatui::style::Color;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 10)];

fn row(handle: &str, standing: LoopStatus, now: &str) -> BoardRow {
    BoardRow {
        address: LoopAddress::new(None, &format!("2026-02-13T1430_{handle}")),
        handle: handle.into(),
        title: format!("{handle} 로그인 기능을 추가하고 테스트한다"),
        standing,
        now: now.into(),
        iteration: 3,
        iterations_max: 20,
        trend: None,
        cost: Some("$1.24".into()),
        questions: Vec::new(),
        worker: None,
        updated_at_ms: 0,
    }
}

pub(crate) fn rows() -> Vec<BoardRow> {
    let asking = LoopStatus::Paused(PauseReason::Question);
    let questions = vec![BoardQuestion {
        number: 2,
        text: "Which port?".into(),
        options: vec!["8080".into(), "a free one".into()],
    }];
    vec![
        BoardRow { questions, ..row("k3v9", asking, "the worker asks something") },
        BoardRow {
            trend: Some(Trend {
                direction: TrendDirection::Nearer,
                word: "nearer: failing tests 8 → 4".into(),
            }),
            ..row("m2x1", LoopStatus::Running, "It is at the turn in iteration 3, for 12s so far.")
        },
        row("p7q4", LoopStatus::Ended(End::Verified { proofs: Vec::new() }), "every gate passed"),
    ]
}

fn point(number: u32, failed: u64) -> StoryPoint {
    StoryPoint {
        unit: 1,
        number,
        outcome: StoryOutcome::Checks,
        tone: Tone::Failed,
        what: "refused by the checks".into(),
        message: String::new(),
        duration_ms: 1000,
        microdollars: 0,
        cost: None,
        spent: None,
        tests_failed: Some(failed),
        checks_failed: 1,
        lint_errors: Some(failed),
        coverage_bp: None,
        lines_changed: Some(12),
    }
}

pub(crate) fn in_full(row: BoardRow) -> BoardLoop {
    let lines = |name: &str| (1..=100).map(|number| format!("{name} line {number}")).collect();
    BoardLoop {
        row,
        proven: "1 of 2 checks passed".into(),
        not_proven: "that the goal is reached".into(),
        spent: "iteration 3 of 20, 2m 1s".into(),
        story: vec![point(1, 8), point(2, 4), point(3, 0)],
        strips: vec![StoryStrip { name: "failing", bars: "█▄·".into(), word: "8 → 0".into() }],
        gates: vec![BoardGate { name: "test".into(), tone: Tone::Failed, word: "FAILED exit 1".into() }],
        acts: vec![ActKind::Steer, ActKind::Pause, ActKind::Cancel],
        next: vec![NextStep { command: "gulf land".into(), purpose: "commits it".into() }],
        texts: BoardTexts {
            turn: lines("turn"),
            diff: vec!["@@ -1 +1 @@".into(), "-old".into(), "+new".into()],
            verdict: Vec::new(),
            journal: lines("journal"),
            prompt: lines("prompt"),
        },
    }
}

fn screen() -> LiveScreen {
    let mut screen = LiveScreen::new(Palette::Colour);
    screen.show(rows(), 0);
    screen
}

pub(crate) fn press(screen: &mut LiveScreen, keys: &str) -> Action {
    let press = |screen: &mut LiveScreen, code| screen.press(KeyEvent::new(code, KeyModifiers::NONE));
    keys.chars()
        .map(|key| match key {
            '\n' => press(screen, KeyCode::Enter),
            '\t' => press(screen, KeyCode::Tab),
            '\u{8}' => press(screen, KeyCode::Backspace),
            '<' => press(screen, KeyCode::Esc),
            key => press(screen, KeyCode::Char(key)),
        })
        .last()
        .unwrap_or(Action::Nothing)
}

pub(crate) fn drawn(screen: &LiveScreen, (columns, rows): (u16, u16)) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    terminal
}

/// Wide characters take two cells, of which the second is empty.
pub(crate) fn text(screen: &LiveScreen, size: (u16, u16)) -> String {
    let terminal = drawn(screen, size);
    let buffer = terminal.backend().buffer();
    let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    buffer.content.chunks(usize::from(size.0)).map(|cells| line(cells) + "\n").collect()
}

#[test]
fn every_loop_is_listed_at_every_size_with_what_it_asks() {
    for size in SIZES {
        let shown = text(&screen(), size);
        for told in [
            "k3v9", "m2x1", "p7q4", "paused", "running", "verified", "3/20", "asks: Which port?", "asking: 1",
        ] {
            assert!(shown.contains(told), "{size:?} lacks {told}:\n{shown}");
        }
        assert!(shown.contains("로"), "{size:?}\n{shown}");
    }
}

#[test]
fn a_loop_is_shown_in_full_part_by_part() {
    for size in SIZES {
        let mut screen = screen();
        assert_eq!(press(&mut screen, "j\n"), Action::Draw);
        assert_eq!(screen.opened(), Some(&rows()[1].address));
        screen.show_loop(in_full(rows().remove(1)));
        let shown = text(&screen, size);
        for told in [
            "m2x1",
            "running",
            "It is at the turn",
            "failing █▄· 8 → 0",
            "3/20 ↗",
            "nearer: failing tests 8 → 4",
        ] {
            assert!(shown.contains(told), "{size:?} lacks {told}:\n{shown}");
        }
        press(&mut screen, "2");
        assert!(text(&screen, size).contains("turn line 100"), "the newest stands at the bottom");
        press(&mut screen, "3");
        assert!(text(&screen, size).contains("+new"));
        press(&mut screen, "4");
        assert!(text(&screen, size).contains("No judge has spoken yet."));
        press(&mut screen, "\t");
        assert!(text(&screen, size).contains("journal line 100"));
        press(&mut screen, "k");
        assert!(text(&screen, size).contains("journal line 100"), "a log's end stays in sight at first");
        press(&mut screen, "<");
        assert_eq!(screen.opened(), None);
    }
}

#[test]
fn colours_have_a_meaning_and_can_be_left_out() {
    let colours = |screen: &LiveScreen| {
        let terminal = drawn(screen, (80, 24));
        terminal
            .backend()
            .buffer()
            .content
            .iter()
            .map(|cell| cell.fg)
            .filter(|one| *one != Color::Reset)
            .count()
    };
    assert!(colours(&screen()) > 0);
    let mut plain = LiveScreen::new(Palette::Plain);
    plain.show(rows(), 0);
    assert_eq!(colours(&plain), 0);
    assert!(text(&plain, (80, 24)).contains("▸ k3v9"), "what is selected is told without a colour");
}

#[test]
fn gulfs_words_are_in_the_persons_language_and_nobody_elses() {
    let mut korean = screen();
    korean.language = ScreenLanguage::Korean;
    // A wide character leaves a blank behind it.
    let seen = |screen: &LiveScreen| text(screen, (120, 30)).replace(' ', "");
    let list = seen(&korean);
    assert!(
        list.contains("루프3개") && list.contains("?키안내") && list.contains("질문:Whichport?"),
        "{list}"
    );
    assert!(list.contains(&rows()[0].title.replace(' ', "")), "{list}");
    press(&mut korean, "\n");
    korean.show_loop(in_full(rows().remove(0)));
    let open = seen(&korean);
    for told in ["▸1한눈에", "질문2:Whichport?", "증명된것:", "증명되지않은것:", "a답하기"]
    {
        assert!(open.contains(told), "{told}: {open}");
    }
    assert!(!open.contains("overview") && open.contains("afreeone"), "{open}");
}

fn act(wish: Action) -> (String, ActKind, String, Option<u32>) {
    match wish {
        Action::Act(Wish { act, handle, question, text, .. }) => (handle, act, text, question),
        other @ (Action::Nothing | Action::Draw | Action::Leave) => {
            panic!("{other:?} is no act")
        }
    }
}

#[test]
fn words_are_typed_and_sent_with_enter() {
    let mut screen = screen();
    assert_eq!(press(&mut screen, "a포트 90\u{8}"), Action::Draw);
    assert!(text(&screen, (40, 10)).contains("answer: 포"), "{}", text(&screen, (40, 10)));
    let sent = press(&mut screen, "80\n");
    assert_eq!(act(sent), ("k3v9".into(), ActKind::Answer, "포트 980".into(), Some(2)));
    let noted = press(&mut screen, "jsshort\n");
    assert_eq!(act(noted), ("m2x1".into(), ActKind::Steer, "short".into(), None));
    assert_eq!(press(&mut screen, "sq<"), Action::Draw, "a typed q leaves nothing, and Esc drops the words");
    assert_eq!(press(&mut screen, "q"), Action::Leave);
}

#[test]
fn nobody_answers_a_loop_that_asks_nothing() {
    let mut screen = screen();
    press(&mut screen, "ja");
    assert!(text(&screen, (80, 24)).contains("m2x1 asks nothing"));
}

#[test]
fn what_cannot_be_taken_back_is_asked_about_once_more() {
    for (key, kind) in
        [('C', ActKind::Cancel), ('D', ActKind::Discard), ('l', ActKind::Land), ('S', ActKind::Skip)]
    {
        let mut screen = screen();
        assert_eq!(press(&mut screen, &key.to_string()), Action::Draw);
        let asked = format!("{} k3v9? y: yes", kind.word());
        assert!(text(&screen, (40, 10)).contains(&asked), "{}", text(&screen, (40, 10)));
        assert_eq!(press(&mut screen, "n"), Action::Draw);
        assert!(text(&screen, (80, 24)).contains("not done"));
        assert_eq!(act(press(&mut screen, &format!("{key}y"))).1, kind);
    }
    let mut screen = screen();
    assert_eq!(press(&mut screen, "Alooks right\n"), Action::Draw, "an approval, too");
    assert_eq!(
        act(press(&mut screen, "y")),
        ("k3v9".into(), ActKind::Approve, "looks right".into(), Some(2))
    );
    assert_eq!(act(press(&mut screen, "p")).1, ActKind::Pause);
    assert_eq!(act(press(&mut screen, "r")).1, ActKind::Resume);
}

#[test]
fn the_help_names_every_key_at_every_size() {
    for size in SIZES {
        let mut screen = screen();
        press(&mut screen, "?");
        let mut shown = text(&screen, size);
        for _ in 0..3 {
            press(&mut screen, "j");
            shown.push_str(&text(&screen, size));
        }
        assert!(shown.contains("Mouse:") && shown.contains("once more."), "{size:?}\n{shown}");
        let shown = shown.replace('\n', "").replace("  ", " ");
        for kind in ActKind::ALL.iter().copied() {
            assert!(shown.contains(kind.word()), "{size:?} lacks {}:\n{shown}", kind.word());
        }
        assert_eq!(press(&mut screen, "q"), Action::Draw, "any key takes the help away");
    }
}

#[test]
fn who_was_selected_stays_so_when_the_list_changes() {
    let mut screen = screen();
    press(&mut screen, "jj");
    let mut changed = rows();
    changed.rotate_right(1);
    screen.show(changed, 0);
    assert!(text(&screen, (80, 24)).contains("▸ p7q4"));
    screen.show(Vec::new(), 0);
    assert!(text(&screen, (40, 10)).contains("No loop here yet."));
    assert_eq!(press(&mut screen, "C"), Action::Draw, "there is nobody to ask");
}

#[test]
fn an_act_is_for_whom_it_began_with_whatever_the_list_shows_when_it_is_sent() {
    let mut screen = screen();
    press(&mut screen, "D");
    screen.show(rows().split_off(1), 0);
    assert!(text(&screen, (80, 24)).contains("discard k3v9? y: yes"));
    assert_eq!(act(press(&mut screen, "y")), ("k3v9".into(), ActKind::Discard, String::new(), Some(2)));
    let mut screen = self::screen();
    press(&mut screen, "a8080");
    let mut changed = rows();
    changed[0].questions[0].number = 3;
    screen.show(changed, 0);
    assert_eq!(act(press(&mut screen, "\n")).3, Some(2), "the question that was read");
}

#[test]
fn of_two_loops_with_one_name_the_chosen_one_is_meant() {
    let mut screen = LiveScreen::new(Palette::Plain);
    let at = |key: &str| BoardRow {
        address: LoopAddress::new(Some(key), "2026-02-13T1430_same"),
        ..row("k3v9", LoopStatus::Running, "works")
    };
    screen.show(vec![at("a1"), at("b2")], 0);
    press(&mut screen, "j\n");
    assert_eq!(screen.opened(), Some(&at("b2").address));
    screen.show_loop(in_full(at("a1")));
    assert!(!text(&screen, (80, 24)).contains("not proven"), "that is the other one's");
    screen.show_loop(in_full(at("b2")));
    assert!(text(&screen, (80, 24)).contains("not proven"));
}

#[test]
fn the_list_comes_back_at_the_loop_that_was_looked_at() {
    const SIZE: (u16, u16) = (80, 24);
    const LEFT: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
    let by_key = |screen: &mut LiveScreen| press(screen, "<");
    let by_click = |screen: &mut LiveScreen| mouse(screen, LEFT, 0, 0, SIZE);
    for leave in [by_key as fn(&mut LiveScreen) -> Action, by_click] {
        let mut screen = screen();
        screen.look_at(rows()[1].address.clone());
        assert_eq!(leave(&mut screen), Action::Draw);
        assert_eq!(screen.opened(), None);
        assert!(text(&screen, SIZE).contains("▸ m2x1"), "{}", text(&screen, SIZE));
        press(&mut screen, "C");
        assert!(text(&screen, SIZE).contains("cancel m2x1?"), "an act means what was just seen");
    }
}

#[test]
fn what_is_pasted_goes_where_words_are_typed_and_nowhere_else() {
    let mut screen = screen();
    assert_eq!(screen.paste("q"), Action::Nothing);
    press(&mut screen, "s");
    assert_eq!(screen.paste("two\nlines"), Action::Draw);
    assert_eq!(act(press(&mut screen, "\n")).2, "two lines");
}

#[test]
fn more_loops_than_lines_keep_the_selected_one_in_sight() {
    let mut screen = LiveScreen::new(Palette::Plain);
    let many = (100..150).map(|number| row(&format!("a{number}"), LoopStatus::Running, "works")).collect();
    screen.show(many, 0);
    (0..30).for_each(|_| {
        press(&mut screen, "j");
    });
    for size in SIZES {
        assert!(text(&screen, size).contains("▸ a130"), "{}", text(&screen, size));
    }
}

fn mouse(screen: &mut LiveScreen, kind: MouseEventKind, column: u16, row: u16, size: (u16, u16)) -> Action {
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    screen.point(event, Size::from(size))
}

#[test]
fn a_click_selects_what_it_points_to_and_another_one_opens_it() {
    let left = MouseEventKind::Down(MouseButton::Left);
    // Narrow, a loop has two lines.
    for (size, line) in [((80, 24), 2), ((40, 10), 4)] {
        let mut screen = screen();
        assert_eq!(mouse(&mut screen, left, 5, line, size), Action::Draw);
        assert!(text(&screen, size).contains("▸ m2x1"), "{}", text(&screen, size));
        mouse(&mut screen, left, 5, line, size);
        assert_eq!(screen.opened(), Some(&rows()[1].address));
        screen.show_loop(in_full(rows().remove(1)));
        let tabs = text(&screen, size).lines().nth(1).unwrap().to_owned();
        let column = u16::try_from(tabs.find('3').unwrap() - "▸".len() + 1).unwrap();
        mouse(&mut screen, left, column, 1, size);
        assert!(text(&screen, size).contains("+new"), "{}", text(&screen, size));
        assert_eq!(mouse(&mut screen, left, 5, 5, size), Action::Nothing, "a text is no button");
        mouse(&mut screen, left, 0, 0, size);
        assert_eq!(screen.opened(), None);
        assert_eq!(mouse(&mut screen, left, 5, size.1 - 1, size), Action::Nothing, "nor is the last line");
        assert_eq!(mouse(&mut screen, left, 5, size.1 - 2, size), Action::Nothing, "nor where no loop is");
    }
}

#[test]
fn the_wheel_moves_the_list_and_a_text_and_does_not_answer_a_question() {
    let (up, down) = (MouseEventKind::ScrollUp, MouseEventKind::ScrollDown);
    let size = (80, 24);
    let mut screen = screen();
    mouse(&mut screen, down, 0, 9, size);
    assert!(text(&screen, size).contains("▸ m2x1"));
    press(&mut screen, "\n");
    screen.show_loop(in_full(rows().remove(1)));
    press(&mut screen, "2");
    mouse(&mut screen, up, 0, 9, size);
    assert!(text(&screen, size).contains("turn line 97\n") || !text(&screen, size).contains("turn line 98"));
    mouse(&mut screen, down, 0, 9, size);
    assert!(text(&screen, size).contains("turn line 100"), "down leads back to the end");
    press(&mut screen, "C");
    assert_eq!(mouse(&mut screen, MouseEventKind::Down(MouseButton::Left), 0, 0, size), Action::Nothing);
    assert!(text(&screen, size).contains("cancel m2x1? y: yes"), "a click is no yes");
}

#[test]
fn the_mouse_can_be_left_to_the_terminal_which_selects_text_with_it() {
    let mut screen = screen();
    assert_eq!(screen.mouse, Mouse::Screen);
    press(&mut screen, "m");
    assert_eq!(screen.mouse, Mouse::Terminal);
    assert!(text(&screen, (80, 24)).contains("m gives it back"));
    press(&mut screen, "m");
    assert_eq!(screen.mouse, Mouse::Screen);
}

#[test]
fn the_screen_looks_as_it_was_looked_at_on_terminals_of_three_sizes() {
    for size in SIZES {
        let mut screen = LiveScreen::new(Palette::Plain);
        screen.show(rows(), 0);
        let mut shown = format!("{}\n", text(&screen, size));
        let mut known = in_full(rows().remove(0));
        known.texts.turn.truncate(3);
        known.texts.journal.truncate(3);
        known.texts.prompt.truncate(3);
        press(&mut screen, "\n");
        screen.show_loop(known);
        for keys in ["1", "2", "3", "4", "5", "6", "?", "xs더 짧게", "<C"] {
            press(&mut screen, keys);
            shown.push_str(&format!("--- {keys}\n{}\n", text(&screen, size)));
        }
        let ends = |line: &str| line.trim_end().to_owned() + "\n";
        let shown: String = shown.lines().map(ends).collect();
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("golden");
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| insta::assert_snapshot!(format!("screen_{}x{}", size.0, size.1), shown));
    }
}
