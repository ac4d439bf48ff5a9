//! Pages made of the program itself: the reference that `cargo xtask gen` writes.

mod pages;

use crate::cli::{ReferenceArguments, ReferencePage};
use crate::failure::Failure;
use crate::glossary;
use crate::screen::say;

pub fn reference(arguments: &ReferenceArguments) -> Result<u8, Failure> {
    let page = match arguments.page {
        ReferencePage::Cli => pages::cli(),
        ReferencePage::Config => pages::config(),
        ReferencePage::Glossary => glossary::page(),
        ReferencePage::Schema => gulf_spec::config::schema(),
    };
    say(&page)?;
    Ok(0)
}
