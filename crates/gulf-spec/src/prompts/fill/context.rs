//! The project's own texts as they stand in a prompt (SPEC K4).
//!
//! Apart because others' texts are put between fences here, and what is left out is named.

use std::collections::BTreeMap;

use minijinja::value::Value;

use super::{fence, fill, list};
use crate::layers::{Layers, LeftOut, ShownText};
use crate::prompts::{ContextBlock, TemplateError};
use crate::quantity::print_tokens;
use crate::text::Source;

const CONTEXT: &str = include_str!("../../../templates/context.md");
/// Texts that are left out and named one by one; all of them stand in the iteration's folder.
const LEFT_OUT_MAX: usize = 20;

/// None where there is nothing to show.
pub(super) fn block(block: &ContextBlock) -> Result<Option<String>, TemplateError> {
    let ContextBlock { layers, list: tasks } = block;
    if layers.is_empty() && tasks.is_none() {
        return Ok(None);
    }
    let missing = tasks.iter().flat_map(|tasks| tasks.missing.iter().cloned());
    let values = BTreeMap::from([
        ("plan", Value::from(tasks.as_ref().map(|tasks| tasks.path.as_str()))),
        ("missing", list(missing)),
        ("tokens", Value::from(layers.tokens)),
        ("tokens_max", Value::from(print_tokens(layers.tokens_max))),
        ("shown", Value::from(layers.shown.iter().map(shown).collect::<Vec<_>>())),
        ("left_out", left_out(layers)),
        ("left_out_more", Value::from(layers.left_out.len().saturating_sub(LEFT_OUT_MAX))),
    ]);
    let text = fill(&Source::new("context.md", CONTEXT), values)?;
    Ok(Some(text.trim_end().to_owned()))
}

fn shown(one: &ShownText) -> Value {
    let text = one.text.trim_end();
    Value::from(BTreeMap::from([
        ("path", Value::from(one.path.as_str())),
        ("why", Value::from(one.why.as_str())),
        ("fence", Value::from(fence(text))),
        ("text", Value::from(text)),
    ]))
}

fn left_out(layers: &Layers) -> Value {
    let one = |LeftOut { path, tokens, why }: &LeftOut| {
        Value::from(BTreeMap::from([
            ("path", Value::from(path.as_str())),
            ("tokens", Value::from(*tokens)),
            ("why", Value::from(why.as_str())),
        ]))
    };
    Value::from(layers.left_out.iter().take(LEFT_OUT_MAX).map(one).collect::<Vec<_>>())
}
