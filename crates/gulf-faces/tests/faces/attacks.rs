//! What a worker can write is text on every face: no markup, no mark that reorders a line, no escape sequence, no secret.

use std::borrow::Cow;

use gulf_faces::{LiveScreen, PageTerms, Tab, WebFrame};
use gulf_views::{
    ActKind, BoardLoop, BoardQuestion, BoardTexts, NextStep, Palette, ScreenLanguage, Trend, TrendDirection,
};

use crate::live::{in_full, press, rows, text};
use crate::pages::{ATTACK, page, plain};

/// With signs that markup spells out.
const SECRET: &str = "s3/cr'e&t<>\"1";

fn masking() -> PageTerms {
    PageTerms { mask, language: ScreenLanguage::English }
}

fn mask(text: &str) -> Cow<'_, str> {
    Cow::Owned(text.replace(SECRET, "[masked]"))
}

/// Every field that a worker can write holds this.
fn of(words: &str) -> BoardLoop {
    let mut known = in_full(rows().remove(0));
    known.row.title = format!("{words} title");
    known.row.now = format!("{words} now");
    known.row.trend = Some(Trend { direction: TrendDirection::Same, word: format!("{words} trend") });
    known.row.cost = Some(format!("{words} cost"));
    known.row.questions = vec![BoardQuestion {
        number: 1,
        text: format!("{words} asks"),
        options: vec![format!("{words} option")],
    }];
    for text in [&mut known.proven, &mut known.not_proven, &mut known.spent] {
        text.insert_str(0, words);
    }
    for point in &mut known.story {
        point.what = format!("{words} what");
        point.message = format!("{words} message");
    }
    for strip in &mut known.strips {
        strip.word.insert_str(0, words);
    }
    for gate in &mut known.gates {
        gate.name = format!("{words} gate");
        gate.word = format!("{words} word");
    }
    known.next = vec![NextStep { command: words.into(), purpose: words.into() }];
    let lines = |name: &str| vec![format!("{words} {name}")];
    let head = ["diff --git a/a.rs b/a.rs".to_owned(), "@@ -1 +1,2 @@".to_owned()];
    let diff = [&head[..], &[format!("+{words} added"), format!("-\"{words}")]].concat();
    known.texts = BoardTexts {
        turn: lines("turn"),
        prompt: lines("prompt"),
        diff,
        verdict: lines("verdict"),
        journal: lines("journal"),
    };
    known
}

fn web_pages(words: &str) -> Vec<String> {
    let frame = WebFrame { csrf: "csrf", is_read_only: false, said: Some(words), terms: masking() };
    let known = of(words);
    let mut pages: Vec<String> = Tab::ALL.iter().map(|tab| frame.one_loop(&known, *tab)).collect();
    let rows = [known.row.clone()];
    pages.extend([frame.loops(&rows), frame.inbox(&rows), frame.text(words, "/", words)]);
    pages.push(WebFrame { is_read_only: true, ..frame }.inbox(&rows));
    pages.push(frame.confirm(&known.row, ActKind::Reject, words, Some(1)));
    pages.extend([frame.report(&page(words)), gulf_faces::report(&page(words), masking())]);
    pages
}

#[test]
fn on_no_page_a_worker_writes_markup_or_reorders_a_line() {
    for page in web_pages(ATTACK) {
        assert!(page.contains("&lt;script&gt;alert(1)&lt;"), "it is shown: {page}");
        assert!(!page.contains("<script>") && !page.contains("\" onload"), "{page}");
        assert!(page.contains("&lt;U+202E&gt;") && !page.contains('\u{202e}'), "{page}");
        assert!(!page.contains('\u{1b}'), "{page}");
    }
}

#[test]
fn a_secret_is_masked_before_markup_spells_its_signs_out() {
    let spelt = "s3&#x2f;cr&#x27;e&amp;t&lt;&gt;&quot;1";
    assert!(gulf_faces::report(&page(SECRET), plain()).contains(spelt), "unmasked it would be there");
    for page in web_pages(SECRET) {
        assert!(page.contains("[masked]"), "{page}");
        assert!(!page.contains(spelt) && !page.contains("s3&#x2f;"), "{page}");
    }
}

#[test]
fn on_the_screen_nothing_reorders_a_line_or_moves_the_cursor() {
    let known = of(ATTACK);
    for size in [(200, 40), (80, 24), (40, 10)] {
        let mut screen = LiveScreen::new(Palette::Colour);
        screen.show(vec![known.row.clone()], 0);
        screen.say(ATTACK);
        let mut shown = text(&screen, size);
        press(&mut screen, "\n");
        screen.show_loop(known.clone());
        for key in ["1", "2", "3", "4", "5", "6"] {
            press(&mut screen, key);
            shown.push_str(&text(&screen, size));
        }
        assert!(shown.contains("<script>"), "it is shown: {shown}");
        let is_tame =
            |one: char| one == '\n' || !(one.is_control() || ('\u{202a}'..='\u{202e}').contains(&one));
        assert!(shown.chars().all(is_tame), "{size:?} {shown}");
    }
}
