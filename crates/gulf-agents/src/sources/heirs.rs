//! Which classes of a Python file run a test that stands in another one: pytest names the result after the heir.
//!
//! Who inherits a method is Python's order of classes, and a block knows its own text only. What stands in another
//! file is not known, so nothing is said of whoever may take a method from there first.

use super::blocks::{Block, BlockKind};
use super::scan::lines_within;

/// More classes above one than this are a circle, or nobody's tests.
const ANCESTORS_MAX: usize = 64;

/// A class and the names between its brackets.
type Class<'blocks> = (&'blocks str, Vec<&'blocks str>);

/// `Heir::test_x` for each class that has `test_x` from the class of this test.
pub(super) fn inherited(test: &str, blocks: &[Block]) -> Vec<String> {
    let Some((owner, method)) = test.rsplit_once("::") else { return Vec::new() };
    let classes: Vec<Class<'_>> = blocks.iter().filter_map(class).collect();
    let names = classes.iter().map(|(name, _)| *name).filter(|name| *name != owner);
    let heirs = names.filter(|name| definer(name, method, &classes, blocks) == Some(owner));
    heirs.map(|name| format!("{name}::{method}")).collect()
}

/// The class whose method this one calls by that name, where this file tells it.
fn definer<'blocks>(
    class: &'blocks str,
    method: &str,
    classes: &[Class<'blocks>],
    blocks: &[Block],
) -> Option<&'blocks str> {
    let ancestors = ancestors(class, classes);
    let mut known = ancestors.into_iter().take_while(|name| {
        // unittest's own have no tests.
        classes.iter().any(|(class, _)| class == name) || name.ends_with("TestCase")
    });
    known.find(|name| blocks.iter().any(|block| has(block, name, method)))
}

/// The class and all above it, each before those that it inherits from; of one that is reached in two ways the last.
fn ancestors<'blocks>(class: &'blocks str, classes: &[Class<'blocks>]) -> Vec<&'blocks str> {
    let mut order = vec![class];
    let mut next = 0;
    while next < order.len() && order.len() < ANCESTORS_MAX {
        let above = classes.iter().find(|(name, _)| *name == order[next]).map(|(_, bases)| bases.clone());
        next += 1;
        order.splice(next..next, above.unwrap_or_default());
    }
    let is_last = |at: usize| !order[at + 1..].contains(&order[at]);
    (0..order.len()).filter(|at| is_last(*at)).map(|at| order[at]).collect()
}

/// Does this block give the class something of that name? A class without tests is one block.
fn has(block: &Block, class: &str, method: &str) -> bool {
    match &block.kind {
        BlockKind::Definition(name) if name == class => block.text.contains(method),
        BlockKind::Test(name) | BlockKind::Definition(name) => {
            name.strip_prefix(class).and_then(|rest| rest.strip_prefix("::")) == Some(method)
        }
        BlockKind::Import | BlockKind::Statement => false,
    }
}

/// `class Heir(Mixin, unittest.TestCase):`, whatever decorates it.
fn class(block: &Block) -> Option<Class<'_>> {
    let BlockKind::Definition(name) = &block.kind else { return None };
    let name = name.strip_prefix("class ").unwrap_or(name);
    let own = name.rsplit("::").next().unwrap_or(name);
    let mut lines = lines_within(&block.text, 0..block.text.len());
    let head = lines.find_map(|(at, _)| {
        block.text[at..].trim_start().strip_prefix("class ")?.trim_start().strip_prefix(own)
    })?;
    let bases = head.trim_start().strip_prefix('(').and_then(|rest| rest.split(')').next()).unwrap_or("");
    Some((name, bases.split(',').map(str::trim).filter(|base| !base.is_empty()).collect()))
}
