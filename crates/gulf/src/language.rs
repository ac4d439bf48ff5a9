//! The language in which the person here reads: `[ui] language`, else what the locale says.

use std::sync::OnceLock;

use gulf_spec::config::{Key, UiLanguage};
use gulf_views::ScreenLanguage;

use crate::settings;
use crate::whereabouts::Whereabouts;

/// Of this process. A mistake in the settings is told by the commands that follow them.
pub fn language() -> ScreenLanguage {
    static LANGUAGE: OnceLock<ScreenLanguage> = OnceLock::new();
    *LANGUAGE.get_or_init(|| {
        let config = settings::readable(&Whereabouts::from_cwd(None).project);
        match config.map_or(UiLanguage::Auto, |config| config.choice(Key::UiLanguage)) {
            UiLanguage::Auto => ScreenLanguage::of_locale(&locale()),
            UiLanguage::English => ScreenLanguage::English,
            UiLanguage::Korean => ScreenLanguage::Korean,
        }
    })
}

/// The text in that language.
pub fn translated(text: impl Into<String>) -> String {
    let text = text.into();
    language().tell(&text).into_owned()
}

/// The first of these that is set and not empty decides (POSIX, "Environment Variables", 8.2).
fn locale() -> String {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
    let mut set = variables.filter_map(|name| std::env::var(name).ok());
    set.find(|locale| !locale.is_empty()).unwrap_or_default()
}
