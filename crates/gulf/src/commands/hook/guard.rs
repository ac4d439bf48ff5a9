//! The hook before a tool: what is sealed for a loop, and what gulf keeps, is not written by its session.
//!
//! It stands apart because it answers for each tool call: without a loop it does nothing at all, and the journal is
//! only opened when something is to be denied.

use gulf_agents::guard::{Protected, ToolUse, offence};
use gulf_agents::sessions::Answer;
use gulf_engine::{Fact, Stage, Worker};
use gulf_host::home::Name;
use gulf_runner::book::{self, Book};
use gulf_runner::project_folder::{LOOPS, NOTEPAD};
use gulf_runner::session::Armed;
use gulf_spec::own_texts::{OWN_TEXTS, Writer};
use serde_json::Value;

use super::{Call, variable};
use crate::failure::Failure;
use crate::in_session::Said;

/// What gulf writes in a project itself.
const STATE: [&str; 6] = [
    ".claude/gulf-loop.local.md",
    ".claude/gulf-loop.local.md.tmp",
    ".gulf/",
    "JUDGE_FEEDBACK.md",
    "JUDGE_EVOLUTION.md",
    "decisions.md",
];

pub fn guard(call: &Call, name: &str, input: &Value) -> Result<Said, Failure> {
    let Some(home) = &call.place.home else { return Ok(Said::nothing()) };
    let Some(armed) = Armed::read(home, &call.place.project)? else { return Ok(Said::nothing()) };
    if armed.session != call.event.session {
        return Ok(Said::nothing());
    }
    let cwd = call.place.cwd.as_str();
    let tool = ToolUse { name, input, cwd };
    let protected = protected(call, &armed.loop_id);
    let Some(offence) = offence(&protected, &tool) else { return Ok(Said::nothing()) };
    let Ok(loop_name) = Name::parse(&armed.loop_id) else { return Ok(Said::nothing()) };
    let loop_home = armed.place(home)?.loop_home(&loop_name);
    let fold = book::fold(&book::read(loop_home.root())?);
    // While it rests, its person may want these texts changed.
    let rests = matches!(fold.state.stage(), Stage::Paused(..) | Stage::Ended(_) | Stage::Unsealed);
    if rests || !matches!(fold.state.worker(), Worker::Session { .. }) {
        return Ok(Said::nothing());
    }
    let reason = offence.to_string();
    if let Ok((mut book, _)) = Book::open(loop_home.root()) {
        let fact = Fact::Refused { request: format!("tool {name}"), reason: reason.clone() };
        book.add(vec![fact], call.clock.wall_ms())?;
    }
    Ok(Said { answer: Answer::DenyTool { reason: reason.clone() }, talk: reason })
}

fn protected(call: &Call, loop_id: &str) -> Protected {
    let notepad = format!("{LOOPS}/{loop_id}/{NOTEPAD}");
    let sealed = OWN_TEXTS.iter().filter(|text| text.writer == Writer::Person);
    Protected {
        project: call.place.project.to_string(),
        sealed: sealed.map(|text| text.path.to_owned()).collect(),
        state: STATE.iter().map(|path| (*path).to_owned()).collect(),
        free: [".gulf/notepad.md", &notepad, ".gulf/claims/"].map(str::to_owned).to_vec(),
        outside: call.place.home.iter().map(|home| home.root().to_string()).collect(),
        home: variable("HOME"),
    }
}
