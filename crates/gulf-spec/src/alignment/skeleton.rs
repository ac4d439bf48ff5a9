//! The gulf-align.md that `gulf align --init` writes.
//!
//! Apart because it is to be filled in: as it stands it says nothing, and the parser beside it must say so.

/// Four sections; all that explains them stands in comments.
pub fn skeleton() -> String {
    "\
# Alignment

<!-- What you and the worker mean by this work, agreed on before the loop. Nothing in a comment counts.
     `gulf align` checks whether it is complete; an open blocking question stops a start. -->

## Specification alignment

<!-- What is to be there at the end. -->
- **Goal**:
- **Deliverables**:
- **Out of scope**:

## Process alignment

<!-- How it is to be done. -->
- **Approach**:
- **Sequence**:
- **Stack assumptions**:

## Evaluation alignment

<!-- How anybody can tell that it is right. Machine checks: each command in backticks, one a line. -->
- **Machine checks**:
- **Behavioral checks**:
- **Edge cases**:

## Gap check

<!-- What the worker may not be able to do · what can be understood in two ways · what could look very different. -->
- **Capability gaps**:
- **Instruction gaps**:
- **Intentionality gaps**:

<!-- One question a line. Settled: `- [x] question`, or `Answer: …` below it. Nothing to ask: `none`. -->
- **Blocking questions**:
"
    .to_owned()
}
