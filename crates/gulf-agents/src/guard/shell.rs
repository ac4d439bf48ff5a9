//! Follows a shell command as far as it can be followed: folders, variables, redirections, and what feeds what.
//!
//! It stands apart because only here is there a state; what a program does with its arguments is for `programs`. Every
//! work has a limit, and beyond it nothing is looked at any more.

use std::rc::Rc;

use super::ground::{Entry, Folder, Ground};
use super::programs::{self, Call};
use super::value::Value;
use super::{Verdict, inline};
use expand::Variables;
use said::Said;
use tree::{Body, Command, Direction, Part, Redirection, Step, Word};

mod arguments;
mod expand;
pub(super) mod said;
mod scan;
mod tree;

/// Bytes that are scanned for one tool use, scripts within scripts counted again.
const SCANNED_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Commands, words and parts of words in these scripts.
const PARTS_MAX: usize = 100_000;

/// Bytes of code in other languages that are searched.
const CODE_BYTES_MAX: usize = 256 * 1024;

/// Bytes that variables may put into words.
const REPLACED_BYTES_MAX: usize = 256 * 1024;

/// Simple commands that are judged.
const COMMANDS_MAX: usize = 5_000;

/// Paths that are looked up.
const LOOKUPS_MAX: usize = 10_000;

/// Scripts within scripts: `$(…)`, `sh -c`, `eval`, here-documents.
const DEPTH_MAX: u8 = 24;

/// Folders that `pushd` remembers.
const FOLDERS_MAX: usize = 32;

/// A shell on its way through a command.
#[derive(Debug)]
pub(super) struct Shell<'ground> {
    ground: &'ground Ground,
    /// Nothing where it went somewhere unknown.
    folder: Option<Folder>,
    /// Where it was before.
    previous: Option<Folder>,
    pushed: Vec<Option<Folder>>,
    variables: Variables,
    /// What each open subshell returns to.
    outer: Vec<(usize, Option<Folder>)>,
    /// What the command before says to this one.
    feed: Option<Rc<Said>>,
    depth: u8,
    scanned_left: usize,
    parts_left: usize,
    code_left: usize,
    replaced_left: usize,
    commands_left: usize,
    lookups_left: usize,
}

impl<'ground> Shell<'ground> {
    pub(super) fn new(ground: &'ground Ground, folder: Option<Folder>) -> Self {
        Self {
            ground,
            folder,
            previous: None,
            pushed: Vec::new(),
            variables: Variables::default(),
            outer: Vec::new(),
            feed: None,
            depth: 0,
            scanned_left: SCANNED_BYTES_MAX,
            parts_left: PARTS_MAX,
            code_left: CODE_BYTES_MAX,
            replaced_left: REPLACED_BYTES_MAX,
            commands_left: COMMANDS_MAX,
            lookups_left: LOOKUPS_MAX,
        }
    }

    /// Follows a script in this very shell: folders and variables stay as it leaves them.
    pub(super) fn run(&mut self, text: &str) -> Verdict {
        if self.depth >= DEPTH_MAX || text.len() > self.scanned_left {
            return Ok(());
        }
        self.scanned_left -= text.len();
        let script = scan::script(text, &mut self.parts_left);
        self.deeper(|shell| shell.walk(&script.steps, &script.bodies))
    }

    /// Follows a script in a shell below this one.
    pub(super) fn run_below(&mut self, text: &str) -> Verdict {
        self.enter();
        let verdict = self.run(text);
        self.leave();
        verdict
    }

    /// Follows a program with arguments that are known already.
    pub(super) fn call(&mut self, arguments: &[Value], stdin: Option<Rc<Said>>) -> Verdict {
        if self.depth >= DEPTH_MAX {
            return Ok(());
        }
        self.deeper(|shell| programs::judge(shell, &Call { arguments, stdin }))
    }

    pub(super) fn ground(&self) -> &'ground Ground {
        self.ground
    }

    pub(super) fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// The protected thing that a write to this path would change.
    pub(super) fn written(&mut self, path: &Value) -> Option<&'ground Entry> {
        self.lookups_left = self.lookups_left.checked_sub(1)?;
        self.ground.written(path, self.folder.as_ref())
    }

    /// The protected thing that would go with this path and all below it.
    pub(super) fn taken(&mut self, path: &Value) -> Option<&'ground Entry> {
        self.lookups_left = self.lookups_left.checked_sub(1)?;
        self.ground.taken(path, self.folder.as_ref())
    }

    /// What to say of a path with which something protected would go.
    pub(super) fn and_how(&mut self, path: &Value, how: String) -> String {
        if self.written(path).is_some() { how } else { format!("{how}, too: name only what you mean") }
    }

    /// Code in another language, which names what it writes.
    pub(super) fn code(&mut self, program: &str, code: &str) -> Verdict {
        let code = &code[..code.floor_char_boundary(self.code_left)];
        self.code_left -= code.len();
        inline::judge(self, program, code)
    }

    /// Goes to another folder, as `cd` does.
    pub(super) fn go(&mut self, path: &Value) {
        self.stand_in(self.ground.enter(path, self.folder.as_ref()));
    }

    /// Goes to the person's own folder, as `cd` alone does.
    pub(super) fn go_home(&mut self) {
        self.stand_in(self.ground.home().cloned());
    }

    /// Goes to where it was before, as `cd -` does.
    pub(super) fn go_back(&mut self) {
        self.stand_in(self.previous.clone());
    }

    fn stand_in(&mut self, folder: Option<Folder>) {
        self.previous = std::mem::replace(&mut self.folder, folder);
    }

    pub(super) fn push_folder(&mut self) {
        if self.pushed.len() < FOLDERS_MAX {
            self.pushed.push(self.folder.clone());
        }
    }

    pub(super) fn pop_folder(&mut self) {
        self.folder = self.pushed.pop().flatten();
    }

    /// Nothing makes the variable an unknown one.
    pub(super) fn set_variable(&mut self, name: &str, values: Option<Vec<Value>>) {
        self.variables.set(name, values);
    }

    /// Begins a subshell that [`Self::leave`] ends.
    pub(super) fn enter(&mut self) {
        self.outer.push((self.variables.mark(), self.folder.clone()));
    }

    pub(super) fn leave(&mut self) {
        if let Some((mark, folder)) = self.outer.pop() {
            self.variables.return_to(mark);
            self.folder = folder;
        }
    }

    /// What feeds the command outside feeds nothing inside.
    fn deeper(&mut self, follow: impl FnOnce(&mut Self) -> Verdict) -> Verdict {
        let feed = self.feed.take();
        self.depth += 1;
        let verdict = follow(self);
        self.depth -= 1;
        self.feed = feed;
        verdict
    }

    fn walk(&mut self, steps: &[Step<'_>], bodies: &[Body<'_>]) -> Verdict {
        let floor = self.outer.len();
        let verdict = self.walk_on(steps, bodies, floor);
        while self.outer.len() > floor {
            self.leave();
        }
        verdict
    }

    fn walk_on(&mut self, steps: &[Step<'_>], bodies: &[Body<'_>], floor: usize) -> Verdict {
        for (index, step) in steps.iter().enumerate() {
            match step {
                Step::Enter => self.enter(),
                Step::Leave if self.outer.len() > floor => self.leave(),
                Step::Leave => {}
                Step::Run(command) => {
                    self.commands_left = self.commands_left.saturating_sub(1);
                    if self.commands_left == 0 {
                        return Ok(());
                    }
                    if !command.is_fed {
                        self.feed = None;
                    }
                    let feeds = steps[index + 1..].iter().find_map(|step| match step {
                        Step::Run(next) => Some(next.is_fed),
                        Step::Enter | Step::Leave => None,
                    });
                    let said = if feeds == Some(true) { self.said(command, bodies) } else { None };
                    self.command(command, bodies)?;
                    self.feed = said;
                }
            }
        }
        Ok(())
    }

    fn command(&mut self, command: &Command<'_>, bodies: &[Body<'_>]) -> Verdict {
        for word in &command.words {
            self.substitutions(word, bodies)?;
        }
        for redirection in &command.redirections {
            self.redirection(redirection, bodies)?;
        }
        let arguments = self.arguments(command);
        if arguments.is_empty() {
            return Ok(());
        }
        let stdin = self.stdin(command, bodies);
        programs::judge(self, &Call { arguments: &arguments, stdin })
    }

    fn redirection(&mut self, redirection: &Redirection<'_>, bodies: &[Body<'_>]) -> Verdict {
        self.substitutions(&redirection.target, bodies)?;
        match redirection.direction {
            Direction::Write => {
                let targets = self.values(&redirection.target, 0);
                match targets.iter().find_map(|target| self.written(target)) {
                    Some(entry) => Err(entry.offence("`>` would write it")),
                    None => Ok(()),
                }
            }
            Direction::Body(number) => match bodies.get(number) {
                Some(body) if !body.is_literal => self.substitutions_in(body.text),
                Some(_) | None => Ok(()),
            },
            Direction::Read | Direction::Text => Ok(()),
        }
    }

    /// Runs what stands in a word to be run before it.
    fn substitutions(&mut self, word: &Word<'_>, bodies: &[Body<'_>]) -> Verdict {
        for part in &word.parts {
            match part {
                Part::Bare(_) | Part::Quoted(_) | Part::Unknown => {}
                Part::Variable { otherwise, .. } => {
                    otherwise.map_or(Ok(()), |text| self.substitutions_in(text))?;
                }
                Part::Output(steps) if self.depth < DEPTH_MAX => {
                    self.enter();
                    let verdict = self.deeper(|shell| shell.walk(steps, bodies));
                    self.leave();
                    verdict?;
                }
                Part::Output(_) => {}
                Part::Backticks(text) => self.run_below(text)?,
                Part::List(items) => {
                    for item in items {
                        self.substitutions(item, bodies)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The same in text that stands as if between double quotes.
    fn substitutions_in(&mut self, text: &str) -> Verdict {
        let has_any = text.contains("$(") || text.contains('`');
        if !has_any || self.depth >= DEPTH_MAX || text.len() > self.scanned_left {
            return Ok(());
        }
        self.scanned_left -= text.len();
        let (word, bodies) = scan::quoted(text, &mut self.parts_left);
        self.deeper(|shell| shell.substitutions(&word, &bodies))
    }

    /// What the command reads, if it is known.
    fn stdin(&mut self, command: &Command<'_>, bodies: &[Body<'_>]) -> Option<Rc<Said>> {
        let Some(last) =
            command.redirections.iter().rfind(|redirection| redirection.direction != Direction::Write)
        else {
            return self.feed.clone();
        };
        match last.direction {
            Direction::Body(number) => {
                let text = bodies.get(number).map_or("", |body| body.text);
                Some(Rc::new(Said::Text(text.to_owned())))
            }
            Direction::Text => Some(Rc::new(Said::Words(self.values(&last.target, 0)))),
            Direction::Read | Direction::Write => None,
        }
    }
}
