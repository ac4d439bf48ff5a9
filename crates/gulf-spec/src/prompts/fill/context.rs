//! The project's own texts as they stand in a prompt (SPEC K4).
//!
//! Apart because others' texts are put between fences here, and what is left out is named.

use serde_json::{Value as Json, json};

use super::{fence, fill};
use crate::layers::ShownText;
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
    let tasks = tasks.as_ref();
    let values = json!({
        "plan": tasks.map(|tasks| tasks.path.as_str()),
        "missing": tasks.map(|tasks| tasks.missing.as_slice()).unwrap_or_default(),
        "problem": tasks.and_then(|tasks| tasks.problem.as_deref()),
        "tokens": layers.tokens,
        "tokens_max": print_tokens(layers.tokens_max),
        "shown": layers.shown.iter().map(shown).collect::<Vec<_>>(),
        "left_out": layers.left_out.iter().take(LEFT_OUT_MAX).collect::<Vec<_>>(),
        "left_out_more": layers.left_out.len().saturating_sub(LEFT_OUT_MAX),
    });
    let text = fill(&Source::new("context.md", CONTEXT), &values)?;
    Ok(Some(text.trim_end().to_owned()))
}

fn shown(one: &ShownText) -> Json {
    let text = one.text.trim_end();
    json!({ "path": one.path, "why": one.why, "fence": fence(text), "text": text })
}
