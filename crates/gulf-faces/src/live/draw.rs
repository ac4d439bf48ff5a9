//! How the live screen looks: on forty columns as on four hundred, with colours or without.

use gulf_views::{
    ActKind, BoardLoop, BoardQuestion, BoardRow, Palette, ScreenLanguage, Tone, columns, cut_columns,
    one_line, padded, tame_text,
};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Size};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Wrap};

use crate::change::{ChangeLine, ChangeReader};
use crate::syntax::{SyntaxClass, SyntaxPiece};

use super::{Layer, LiveScreen, OpenLoop, Tab, Wish};

/// Of what was spent and what may be, more is cut.
const SPENT_COLUMNS_MAX: usize = 18;
/// A narrower list shows a loop's state below its name.
const WIDE_COLUMNS_MIN: u16 = 72;

/// Which rows of the list are in sight.
pub(super) struct ListWindow {
    first: usize,
    fitting: usize,
    row_lines: usize,
    rows: usize,
}

impl ListWindow {
    /// With the selected one in sight.
    pub(super) fn around_selection(screen: &LiveScreen, body: Size) -> ListWindow {
        let row_lines = if body.width >= WIDE_COLUMNS_MIN { 1 } else { 2 };
        let fitting = (usize::from(body.height) / row_lines).max(1);
        let first = (screen.selected + 1).saturating_sub(fitting);
        ListWindow { first, fitting, row_lines, rows: screen.rows.len() }
    }

    /// The row on this line of the list.
    pub(super) fn row_at(&self, line: u16) -> Option<usize> {
        let place = usize::from(line) / self.row_lines;
        Some(self.first + place).filter(|row| place < self.fitting && *row < self.rows)
    }
}

impl LiveScreen {
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let [head, body, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(1), Constraint::Length(1)])
                .areas(frame.area());
        match &self.open {
            Some(open) => self.draw_loop(frame, open, head, body),
            None => self.draw_list(frame, head, body),
        }
        self.draw_foot(frame, foot);
        if let Layer::Help { first } = self.layer {
            frame.render_widget(Clear, body);
            let help = Paragraph::new(help(self.language)).wrap(Wrap { trim: false });
            frame.render_widget(help.scroll((first, 0)), body);
        }
    }

    fn draw_foot(&self, frame: &mut Frame<'_>, foot: Rect) {
        let line = match &self.layer {
            Layer::Typing(Wish { act, text, .. }) => {
                // The end of what is typed is where a person looks.
                let shown = ending(text, usize::from(foot.width).saturating_sub(act.word().len() + 3));
                Line::from(format!("{}: {shown}▏", act.word()))
            }
            Layer::Confirming(Wish { act, handle, .. }) => {
                let asked = format!("{} {handle}? y: yes, any other key: no", act.word());
                self.toned(Tone::Attention, &self.language.tell(&asked))
            }
            Layer::Help { .. } => {
                self.toned(Tone::Secondary, &self.language.tell("↓ more  any other key: back"))
            }
            Layer::Nothing if !self.message.is_empty() => {
                self.toned(Tone::Attention, &one_line(&self.message))
            }
            Layer::Nothing => {
                let keys = self.language.tell("? keys  q leave  ↑↓ move  Enter open  Esc back");
                let open = self.open.as_ref().and_then(|open| open.known.as_ref());
                let acts = open.map(|known| acts(known, self.language));
                self.toned(Tone::Secondary, acts.as_deref().unwrap_or(&keys))
            }
        };
        frame.render_widget(Paragraph::new(line), foot);
    }

    fn draw_list(&self, frame: &mut Frame<'_>, head: Rect, body: Rect) {
        let asking = self.rows.iter().filter(|row| !row.questions.is_empty()).count();
        let title = format!("gulf · loops: {} · asking: {asking}", self.rows.len() + self.unread);
        frame.render_widget(Paragraph::new(self.toned(Tone::Plain, &self.language.tell(&title))), head);
        if self.rows.is_empty() {
            let none = "No loop here yet. Start one with `gulf run \"…\"`, or watch `gulf demo`.";
            let none = self.language.tell(none);
            frame.render_widget(Paragraph::new(none).wrap(Wrap { trim: true }), body);
            return;
        }
        let window = ListWindow::around_selection(self, body.as_size());
        // No wider than a title needs: what a loop asks stands behind it.
        let longest = self.rows.iter().map(|row| columns(&row.title)).max().unwrap_or(0).max(10);
        let spent_columns = self.rows.iter().filter_map(|row| row.cost.as_deref()).map(columns).max();
        let spent_columns = spent_columns.unwrap_or(0).min(SPENT_COLUMNS_MAX);
        let beside = 50 + spent_columns;
        let title_columns = usize::from(body.width).saturating_sub(beside).clamp(10, 60).min(longest);
        let shown = self.rows.iter().enumerate().skip(window.first).take(window.fitting);
        let lines = shown.flat_map(|(place, row)| {
            let is_selected = place == self.selected;
            if window.row_lines > 1 {
                return self.stacked(row, is_selected);
            }
            let spent = row.cost.as_deref().unwrap_or_default();
            let spans = vec![
                Span::raw(marker(is_selected)),
                Span::raw(padded(&row.handle, 5)),
                self.span(row.standing.tone(), &padded(row.standing.word(), 15)),
                Span::raw(padded(&progress(row), 8)),
                Span::raw(padded(&cut(spent, spent_columns), spent_columns + 1)),
                Span::raw(padded(&cut(&row.title, title_columns), title_columns + 1)),
                self.span(Tone::Secondary, &now(row, self.language)),
            ];
            vec![selected(Line::from(spans), is_selected)]
        });
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), body);
    }

    fn stacked(&self, row: &BoardRow, is_selected: bool) -> Vec<Line<'static>> {
        let head = vec![
            Span::raw(format!("{}{} ", marker(is_selected), row.handle)),
            self.span(row.standing.tone(), row.standing.word()),
            Span::raw(format!(" {} {}", progress(row), one_line(&row.title))),
        ];
        vec![
            selected(Line::from(head), is_selected),
            Line::from(self.span(Tone::Secondary, &format!("  {}", now(row, self.language)))),
        ]
    }

    fn draw_loop(&self, frame: &mut Frame<'_>, open: &OpenLoop, head: Rect, body: Rect) {
        let [tabs, content] = Layout::vertical([Constraint::Length(1), Constraint::Min(1)]).areas(body);
        if let Some(row) = self.row() {
            let line = vec![
                Span::raw(format!("{} ", row.handle)),
                self.span(row.standing.tone(), row.standing.word()),
                Span::raw(format!(" {} · {}", progress(row), one_line(&row.title))),
            ];
            frame.render_widget(Paragraph::new(Line::from(line)), head);
        }
        frame.render_widget(Paragraph::new(Line::from(titles(open.tab, tabs.width, self.language))), tabs);
        let Some(known) = &open.known else {
            return frame.render_widget(Paragraph::new("…"), content);
        };
        let height = usize::from(content.height);
        // What happens last stands at the bottom; a person who scrolls up looks at what was before.
        let is_log = open.tab.is_log();
        let shown: Vec<Line<'_>> = if open.tab == Tab::Diff && !known.texts.diff.is_empty() {
            let mut reader = ChangeReader::default();
            let lines = known.texts.diff.iter().take(open.scrolled + height).map(|line| reader.read(line));
            lines.skip(open.scrolled).map(|line| self.of_change(line)).collect()
        } else if open.tab == Tab::Overview {
            let lines = overview(known, self.language).into_iter().skip(open.scrolled).take(height);
            lines.map(|(tone, text)| self.toned(tone, &text)).collect()
        } else {
            let (lines, none) = open.tab.lines(&known.texts);
            let first = match is_log {
                true => lines.len().saturating_sub(height).saturating_sub(open.scrolled),
                false => open.scrolled,
            };
            let none = lines.is_empty().then(|| self.toned(Tone::Secondary, &self.language.tell(none)));
            let shown = lines.iter().skip(first).take(height);
            shown.map(|line| self.toned(Tone::Plain, line)).chain(none).collect()
        };
        let paragraph = Paragraph::new(shown);
        let paragraph =
            if is_log || open.tab == Tab::Diff { paragraph } else { paragraph.wrap(Wrap { trim: false }) };
        frame.render_widget(paragraph, content);
    }

    /// What is gone has one colour; what is there now has its words', too.
    fn of_change<'line>(&self, line: ChangeLine<'line>) -> Line<'line> {
        let plain = if self.inks == Palette::Plain { Style::new() } else { style(line.tone) };
        let pieces = line.pieces.into_iter().map(|SyntaxPiece { class, text }| {
            let is_plain = self.inks == Palette::Plain || line.tone == Tone::Failed;
            Span::styled(tame_text(text), if is_plain { plain } else { of_word(class, plain) })
        });
        Line::from_iter([Span::styled(line.sign, plain)].into_iter().chain(pieces))
    }

    fn toned(&self, tone: Tone, text: &str) -> Line<'static> {
        Line::from(self.span(tone, text))
    }

    fn span(&self, tone: Tone, text: &str) -> Span<'static> {
        let text = tame_text(text);
        match self.inks {
            Palette::Plain => Span::raw(text),
            Palette::Colour => Span::styled(text, style(tone)),
        }
    }
}

/// Colour only has meaning, and the same one as in every other view.
fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Verified => Style::new().fg(Color::Green),
        Tone::Failed => Style::new().fg(Color::Red),
        Tone::Attention => Style::new().fg(Color::Yellow),
        Tone::Literal => Style::new().fg(Color::Cyan),
        Tone::Secondary => Style::new().add_modifier(Modifier::DIM),
    }
}

fn of_word(class: SyntaxClass, plain: Style) -> Style {
    match class {
        SyntaxClass::Plain => plain,
        SyntaxClass::Keyword => plain.add_modifier(Modifier::BOLD),
        SyntaxClass::Text | SyntaxClass::Number => style(Tone::Literal),
        SyntaxClass::Comment => style(Tone::Secondary),
    }
}

/// The iteration, and whether it is getting nearer.
fn progress(row: &BoardRow) -> String {
    let sign = row.trend.as_ref().map(|trend| format!(" {}", trend.direction.sign())).unwrap_or_default();
    format!("{}/{}{sign}", row.iteration, row.iterations_max)
}

fn marker(is_selected: bool) -> &'static str {
    if is_selected { "▸ " } else { "  " }
}

fn selected(line: Line<'static>, is_selected: bool) -> Line<'static> {
    if is_selected { line.patch_style(Style::new().add_modifier(Modifier::REVERSED)) } else { line }
}

/// What a loop asks stands before all else.
fn now(row: &BoardRow, language: ScreenLanguage) -> String {
    row.questions.first().map_or_else(
        || language.tell(&row.now).into_owned(),
        |question| format!("{} {}", language.tell("asks:"), question.text),
    )
}

/// On one line, at most so many columns wide.
fn cut(text: &str, columns_max: usize) -> String {
    cut_columns(&one_line(text), columns_max).into_owned()
}

/// As much of the end as there is room for.
fn ending(text: &str, columns_max: usize) -> &str {
    let mut room = columns_max;
    let fitting = text.char_indices().rev().take_while(|(start, one)| {
        let wide = columns(&text[*start..start + one.len_utf8()]);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    });
    &text[fitting.last().map_or(text.len(), |(start, _)| start)..]
}

/// The tab whose title stands at this column.
pub(super) fn tab_at(shown: Tab, column: u16, width: u16, language: ScreenLanguage) -> Option<Tab> {
    let mut end = 0;
    let mut titles = Tab::ALL.into_iter().zip(titles(shown, width, language));
    titles.find_map(|(tab, title)| {
        end += title.width();
        (usize::from(column) < end).then_some(tab)
    })
}

/// Where all do not fit, only the one that is shown has its name.
fn titles(shown: Tab, width: u16, language: ScreenLanguage) -> Vec<Span<'static>> {
    let title = |tab: &Tab| language.tell(tab.title());
    let whole: usize = Tab::ALL.iter().map(|tab| columns(&title(tab)) + 3).sum();
    let is_wide = whole <= usize::from(width);
    let titles = Tab::ALL.iter().zip(1..).map(|(tab, number)| match (*tab == shown, is_wide) {
        (true, _) => {
            let title = format!("▸{number} {}", title(tab));
            Span::styled(title, Style::new().add_modifier(Modifier::REVERSED))
        }
        (false, true) => Span::raw(format!(" {number} {}", title(tab))),
        (false, false) => Span::raw(format!(" {number}")),
    });
    titles.collect()
}

/// How many lines a tab holds.
pub(super) fn line_count(known: &BoardLoop, tab: Tab) -> usize {
    if tab == Tab::Overview {
        overview(known, ScreenLanguage::English).len()
    } else {
        tab.lines(&known.texts).0.len()
    }
}

/// In the order of the questions that a person has: what needs me, what runs, is it nearer, what may I trust.
fn overview(known: &BoardLoop, language: ScreenLanguage) -> Vec<(Tone, String)> {
    let tell = |text: &str| language.tell(text).into_owned();
    let mut lines = Vec::new();
    for BoardQuestion { number, text, options } in &known.row.questions {
        lines.push((
            Tone::Attention,
            format!("{}: {text}  ({})", tell(&format!("question {number}")), tell("a answers")),
        ));
        let options = (1..).zip(options);
        lines.extend(
            options.map(|(number, option)| (Tone::Plain, format!("  {number}. {}", one_line(option)))),
        );
    }
    lines.push((Tone::Plain, tell(&known.row.now)));
    let labelled = |label: &str, text: &str| (Tone::Plain, format!("{}: {}", tell(label), tell(text)));
    lines.extend(known.row.trend.iter().map(|trend| {
        let (word, numbers) = trend.word.split_once(": ").unwrap_or((&trend.word, ""));
        let (_, line) = labelled("trend", word);
        (Tone::Plain, if numbers.is_empty() { line } else { format!("{line}: {numbers}") })
    }));
    lines.push((Tone::Secondary, tell(&known.spent)));
    let strips = known.strips.iter();
    lines.extend(strips.map(|one| (Tone::Plain, format!("{:<8}{} {}", one.name, one.bars, one.word))));
    lines.extend(known.gates.iter().map(|gate| (gate.tone, format!("{}: {}", gate.name, tell(&gate.word)))));
    lines.push(labelled("proven", &known.proven));
    lines.push(labelled("not proven", &known.not_proven));
    let story = known.story.iter().rev();
    let number = |number: u32| tell(&format!("iteration {number}"));
    lines.extend(story.map(|one| (one.tone, format!("{}: {}", number(one.number), tell(&one.what)))));
    let steps = known.next.iter();
    lines.extend(steps.map(|step| (Tone::Literal, format!("{}  {}", step.command, tell(&step.purpose)))));
    lines
}

/// What makes sense as it stands, with its key.
fn acts(known: &BoardLoop, language: ScreenLanguage) -> String {
    let acts = known.acts.iter().map(|act| format!("  {} {}", act.key(), act.word()));
    language.tell("? keys  Esc back").into_owned() + &acts.collect::<String>()
}

fn help(language: ScreenLanguage) -> Vec<Line<'static>> {
    let tell = |text: &str| Line::from(language.tell(text).into_owned());
    let acts = ActKind::ALL.iter().map(|act| format!("{} {}", act.key(), act.word()));
    let tabs =
        Tab::ALL.iter().zip(1..).map(|(tab, number)| format!("{number} {}", language.tell(tab.title())));
    vec![
        tell("↑↓ jk PgUp PgDn move · Enter open · Esc back · Tab next part · q leave, loops go on"),
        Line::from(tabs.collect::<Vec<_>>().join(" · ")),
        Line::from(acts.collect::<Vec<_>>().join(" · ")),
        tell(
            "Mouse: click selects, again opens; wheel scrolls. Select text with Shift and drag, or after m.",
        ),
        tell("Words end with Enter; Esc drops them. What cannot be taken back is asked about once more."),
    ]
}
