//! Words of a change have colours of their own on every face, and a long one keeps nobody waiting.

use std::time::{Duration, Instant};

use gulf_faces::{LiveScreen, Tab, WebFrame};
use gulf_views::{BoardLoop, Palette};
use ratatui::style::{Color, Modifier, Style};

use crate::live::{drawn, in_full, press, rows, text};
use crate::pages::plain;

fn of(diff: &[&str]) -> BoardLoop {
    let mut known = in_full(rows().remove(0));
    known.texts.diff = diff.iter().map(|line| (*line).to_owned()).collect();
    known
}

fn page(diff: &[&str]) -> String {
    let frame = WebFrame { csrf: "word", is_read_only: false, said: None, terms: plain() };
    let page = frame.one_loop(&of(diff), Tab::Diff);
    let (_, change) = page.split_once("<pre class=\"change\">").expect("a change is drawn");
    change.split_once("</pre>").expect("it has an end").0.to_owned()
}

/// A file with these lines added, and what stands on the page for them.
#[track_caller]
fn check(path: &str, added: &[&str], drawn: &[&str]) {
    let head = [format!("diff --git a/{path} b/{path}"), format!("@@ -0,0 +1,{} @@", added.len())];
    let added = added.iter().map(|line| format!("+{line}"));
    let lines: Vec<String> = head.into_iter().chain(added).collect();
    let page = page(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let expected: Vec<String> =
        drawn.iter().map(|line| format!("<span class=\"verified\">+{line}\n</span>")).collect();
    assert!(page.ends_with(&expected.concat()), "{page}");
}

#[test]
fn each_language_has_its_keywords_texts_numbers_and_comments() {
    check(
        "src/a.rs",
        &["let x: &'a str = \"it's\"; // 1", "match 'y' { _ => 1.5e3 }"],
        &[
            "<i class=\"keyword\">let</i> x: &amp;&#x27;a str = <i class=\"text\">&quot;it&#x27;s&quot;</i>; <i class=\"comment\">&#x2f;&#x2f; 1</i>",
            "<i class=\"keyword\">match</i> <i class=\"text\">&#x27;y&#x27;</i> { _ =&gt; <i class=\"number\">1.5e3</i> }",
        ],
    );
    check(
        "a.py",
        &["def f():  # say", "    \"\"\"Two", "    lines\"\"\"", "    return x1 + 0x1f"],
        &[
            "<i class=\"keyword\">def</i> f():  <i class=\"comment\"># say</i>",
            "    <i class=\"text\">&quot;&quot;&quot;Two</i>",
            "<i class=\"text\">    lines&quot;&quot;&quot;</i>",
            "    <i class=\"keyword\">return</i> x1 + <i class=\"number\">0x1f</i>",
        ],
    );
    for (path, line, drawn) in [
        (
            "a.ts",
            "type A = 'b' /* c */",
            "<i class=\"keyword\">type</i> A = <i class=\"text\">&#x27;b&#x27;</i> <i class=\"comment\">&#x2f;* c *&#x2f;</i>",
        ),
        ("a.go", "func f() `raw`", "<i class=\"keyword\">func</i> f() <i class=\"text\">`raw`</i>"),
        (
            "A.java",
            "new A('\\'')",
            "<i class=\"keyword\">new</i> A(<i class=\"text\">&#x27;\\&#x27;&#x27;</i>)",
        ),
        ("a.yml", "a: don't # b", "a: don&#x27;t <i class=\"comment\"># b</i>"),
        ("README.md", "let there be 1", "let there be 1"),
        ("Makefile", "all: 1 # x", "all: 1 # x"),
        ("한국.rb", "말 = nil", "말 = <i class=\"keyword\">nil</i>"),
    ] {
        check(path, &[line], &[drawn]);
    }
}

#[test]
fn what_was_there_and_what_is_there_are_read_apart_and_no_changed_line_is_a_head() {
    let page = page(&[
        "diff --git a/a.rs b/a.rs", "@@ -1,3 +1,3 @@", "-/* gone", "+fn now() {}", " shared", "---- a/x",
        "++@@ -1 +1 @@", "\\ No newline at end of file", "@@ -9 +9 @@ fn other", "-a", "+/* open",
    ]);
    for line in [
        "<span class=\"failed\">-<i class=\"comment\">&#x2f;* gone</i>\n",
        "<span class=\"verified\">+<i class=\"keyword\">fn</i> now() {}\n",
        "<span class=\"plain\"> shared\n",
        "<span class=\"failed\">-<i class=\"comment\">--- a&#x2f;x</i>\n",
        "<span class=\"verified\">++@@ -<i class=\"number\">1</i> +<i class=\"number\">1</i> @@\n",
        "<span class=\"secondary\">\\ No newline",
        "<span class=\"literal\">@@ -9 +9 @@ fn other\n",
        "<span class=\"failed\">-a\n",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
}

#[test]
fn the_screen_has_the_same_words_in_the_colours_of_a_terminal_or_none() {
    let diff = ["diff --git a/a.rs b/a.rs", "@@ -1 +1 @@", "-let a = 1;", "+let a = 2; // 둘"];
    let styles = |inks: Palette| -> Vec<Style> {
        let mut screen = LiveScreen::new(inks);
        screen.show(rows(), 0);
        press(&mut screen, "\n");
        screen.show_loop(of(&diff));
        press(&mut screen, "3");
        assert!(text(&screen, (40, 10)).contains("+let a = 2; // 둘"));
        let terminal = drawn(&screen, (80, 24));
        let buffer = terminal.backend().buffer();
        // Below the head and the tabs, the removed line and the added one.
        [(0, 4), (1, 4), (9, 4), (0, 5), (1, 5), (9, 5), (12, 5)].map(|place| buffer[place].style()).to_vec()
    };
    let coloured = styles(Palette::Colour);
    let foregrounds: Vec<Option<Color>> = coloured.iter().map(|style| style.fg).collect();
    let (red, green, cyan) = (Some(Color::Red), Some(Color::Green), Some(Color::Cyan));
    assert_eq!(foregrounds, [red, red, red, green, green, cyan, Some(Color::Reset)]);
    assert!(
        coloured[4].add_modifier.contains(Modifier::BOLD) && coloured[6].add_modifier.contains(Modifier::DIM)
    );
    for style in styles(Palette::Plain) {
        assert_eq!((style.fg, style.add_modifier), (Some(Color::Reset), Modifier::empty()));
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how long a face takes, it cannot tell itself")]
fn twenty_thousand_lines_are_drawn_without_a_wait() {
    let head = ["diff --git a/a.rs b/a.rs", "@@ -0,0 +1,20000 @@"];
    let lines = (0..20_000).map(|_| "+    let value = call(\"some text\", 17); // and a word on it");
    let known = of(&head.into_iter().chain(lines).collect::<Vec<_>>());
    let mut screen = LiveScreen::new(Palette::Colour);
    screen.show(rows(), 0);
    press(&mut screen, "\n");
    screen.show_loop(known.clone());
    press(&mut screen, "3");
    (0..2_000).for_each(|_| drop(screen.press(ratatui::crossterm::event::KeyCode::PageDown.into())));
    let began = Instant::now();
    drawn(&screen, (80, 24));
    let frame = WebFrame { csrf: "word", is_read_only: false, said: None, terms: plain() };
    let page = frame.one_loop(&known, Tab::Diff);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(page.len() < 8 << 20, "{} bytes", page.len());
}
