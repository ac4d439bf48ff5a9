//! From a template and a model to markup: every word is masked, tamed and escaped, in this order. Masked behind the escaping, a
//! secret with a sign that markup spells out would be missed.

use std::borrow::Cow;

use gulf_views::{ScreenLanguage, duration, tame_text};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, escape_formatter};

/// Takes away what is secret: what that is, a face cannot know.
pub type TextMask = fn(&str) -> Cow<'_, str>;

/// For whom a page is drawn.
#[derive(Clone, Copy, Debug)]
pub struct PageTerms {
    pub mask: TextMask,
    pub language: ScreenLanguage,
}

pub(crate) fn render(template: &str, values: Value, terms: PageTerms) -> String {
    let PageTerms { mask, language } = terms;
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(move |out, state, value| match value.as_str() {
        // What would reorder a line or hide in it is spelt out.
        Some(text) if !value.is_safe() => escape_formatter(out, state, &Value::from(tame_text(&mask(text)))),
        Some(_) | None => escape_formatter(out, state, value),
    });
    // A line that holds only a tag leaves no line behind, so templates can be laid out for reading.
    let layout = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(layout.unwrap_or_default());
    let tell = move |text: &str| language.tell(text).into_owned();
    environment.add_filter("took", move |ms: u64| tell(&duration(ms)));
    environment.add_filter("tell", tell);
    environment.add_global("language", if language == ScreenLanguage::Korean { "ko" } else { "en" });
    let rendered = environment.render_str(template, values);
    rendered.expect("the templates are a part of gulf, and a test draws each with every field")
}
