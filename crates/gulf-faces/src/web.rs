//! Pages of `gulf web`: what the live screen shows, for a browser. Nothing runs but one script, and it only looks again.

use gulf_views::{ActKind, BoardLoop, BoardRow, ReportPage, by_group};
use minijinja::context;
use minijinja::value::{Serde, Value};

use crate::Tab;
use crate::change::{ChangeReader, drawn};
use crate::markup::{PageTerms, render};
use crate::page::report_body;

/// The style sheet, served as a file.
pub const WEB_STYLE: &str =
    concat!(include_str!("../templates/style.css"), include_str!("../templates/web.css"));
/// The script, served as a file.
pub const WEB_SCRIPT: &str = include_str!("../templates/web.js");

const SHELL: &str = include_str!("../templates/web/shell.html");
const LOOPS: &str = include_str!("../templates/web/loops.html");
const LOOP: &str = include_str!("../templates/web/loop.html");
const INBOX: &str = include_str!("../templates/web/inbox.html");
const TEXT: &str = include_str!("../templates/web/text.html");
const CONFIRM: &str = include_str!("../templates/web/confirm.html");

/// So many loops stand on the first page.
const ROWS_MAX: usize = 200;

/// What all pages of one server have in common.
#[derive(Clone, Copy, Debug)]
pub struct WebFrame<'server> {
    /// Stands in every form, so that no other page can send it.
    pub csrf: &'server str,
    pub is_read_only: bool,
    /// What came of the last act.
    pub said: Option<&'server str>,
    pub terms: PageTerms,
}

impl WebFrame<'_> {
    /// The first of them: a page of more has no reader, and is sent again whenever one of them changes.
    pub fn loops(&self, rows: &[BoardRow]) -> String {
        let more = rows.len().saturating_sub(ROWS_MAX);
        let groups = by_group(&rows[..rows.len() - more]).map(|rows| rows.iter().map(row_value).collect());
        let groups: Vec<Vec<Value>> = groups.collect();
        self.whole(&self.tell("loops"), "/events", LOOPS, context! { groups => groups, more => more })
    }

    /// What nobody has answered, with a form for each.
    pub fn inbox(&self, rows: &[BoardRow]) -> String {
        let asking = rows.iter().filter(|row| !row.questions.is_empty());
        let rows: Vec<Value> = asking.map(row_value).collect();
        self.whole(&self.tell("questions"), "/events", INBOX, context! { rows => rows })
    }

    pub fn one_loop(&self, known: &BoardLoop, tab: Tab) -> String {
        let tabs = Tab::ALL.map(|one| context! { title => one.title(), is_here => one == tab });
        let (lines, none) = tab.lines(&known.texts);
        let is_change = tab == Tab::Diff && !lines.is_empty();
        let change = is_change.then(|| drawn(ChangeReader::default(), lines, self.terms));
        let values = context! {
            one => Serde(known),
            row => row_value(&known.row),
            lines => Serde(lines),
            nothing => none,
            change => change,
            tab => tab.title(),
            tabs => tabs.to_vec(),
            spoken => acts(known, ActKind::takes_words),
            silent => acts(known, |act| !act.takes_words()),
        };
        self.whole(&known.row.handle, &format!("/events?loop={}", known.row.address), LOOP, values)
    }

    /// A text of gulf's, such as what `gulf show` prints.
    pub fn text(&self, title: &str, back: &str, text: &str) -> String {
        let title = &self.tell(title);
        self.whole(title, "", TEXT, context! { title => title, back => back, text => text })
    }

    pub fn report(&self, page: &ReportPage) -> String {
        let title = self.tell(&format!("report of {}", page.handle));
        self.framed(&title, "", &report_body(page, self.terms))
    }

    /// Asks once more before what cannot be taken back.
    pub fn confirm(&self, row: &BoardRow, act: ActKind, text: &str, question: Option<u32>) -> String {
        let values =
            context! { row => row_value(row), act => act.word(), text => text, question => question };
        self.whole(&format!("{} {}?", self.tell(act.word()), row.handle), "", CONFIRM, values)
    }

    /// What gulf says, in the language of whoever looks.
    fn tell(&self, text: &str) -> String {
        self.terms.language.tell(text).into_owned()
    }

    fn whole(&self, title: &str, events: &str, template: &str, values: Value) -> String {
        let common = context! { csrf => self.csrf, is_read_only => self.is_read_only };
        self.framed(title, events, &render(template, context! { ..values, ..common }, self.terms))
    }

    fn framed(&self, title: &str, events: &str, body: &str) -> String {
        let body = Value::from_safe_string(body.to_owned());
        let said = self.said.unwrap_or_default();
        let values = context! { title => title, events => events, body => body, said => said };
        render(SHELL, context! { is_read_only => self.is_read_only, ..values }, self.terms)
    }
}

fn row_value(row: &BoardRow) -> Value {
    context! { tone => Serde(&row.standing.tone()), ..Value::from(Serde(row)) }
}

fn acts(known: &BoardLoop, is_meant: impl Fn(ActKind) -> bool) -> Vec<Value> {
    let meant = known.acts.iter().filter(|act| is_meant(**act));
    meant.map(|act| context! { word => act.word(), is_final => act.is_final() }).collect()
}
