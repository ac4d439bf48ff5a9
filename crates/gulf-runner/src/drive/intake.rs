//! What comes from outside the driver: results of effects, and requests of other processes.

use gulf_engine::{Act, Fact, admit};
use gulf_host::home::{Requests, WaitingRequest};
use gulf_host::journal::Durability;

use super::Driver;
use crate::claims::{self, CLAIMS, Caller, RequestFile};
use crate::error::RunError;

impl Driver<'_> {
    /// Takes in everything that has arrived. Requests first: a claim belongs to the turn that made it.
    pub(super) fn take_in(&mut self) -> Result<(), RunError> {
        self.take_requests()?;
        self.take_reports()?;
        let ended = self.effects.take_ended()?;
        if ended.is_empty() {
            return Ok(());
        }
        // A claim that was made before the turn ended lies in the dropbox by now, and so do reports of its parts.
        self.take_requests()?;
        self.take_reports()?;
        let is_repeatable = ended.iter().all(|(key, _)| key.work.is_repeatable());
        let durability = if is_repeatable { Durability::Buffered } else { Durability::Synced };
        self.record(ended.into_iter().flat_map(super::facts_of).collect(), durability)
    }

    /// What became of a turn's parts; git knows it already.
    pub(super) fn take_reports(&mut self) -> Result<(), RunError> {
        let facts = self.resources.reports.take();
        if facts.is_empty() { Ok(()) } else { self.record(facts, Durability::Buffered) }
    }

    /// A worker behind walls sees the second folder in the place of the first: what lies there is a worker's word, whoever
    /// it says has written it.
    fn take_requests(&mut self) -> Result<(), RunError> {
        let folder = &self.resources.folder;
        let (requests, asked) = (folder.requests(), folder.asked());
        self.take_from(&requests, |_| {})?;
        if asked.directory().is_dir() {
            self.take_from(&asked, RequestFile::by_worker)?;
        }
        self.take_claims()
    }

    fn take_from(&mut self, requests: &Requests, read_as: fn(&mut Vec<u8>)) -> Result<(), RunError> {
        for mut request in requests.list()? {
            if !self.taken.contains(&request.name) {
                request.content.iter_mut().for_each(read_as);
                self.record(self.answer(&request), Durability::Synced)?;
                self.taken.insert(request.name.clone());
            }
            requests.remove(&request.name)?;
        }
        Ok(())
    }

    /// A session's shell may be kept out of gulf's home: its claims lie in the project, and nothing else counts there.
    fn take_claims(&mut self) -> Result<(), RunError> {
        let folder = self.resources.project().join(CLAIMS);
        if !self.is_session() || !folder.is_dir() {
            return Ok(());
        }
        let claims = Requests::in_directory(folder);
        for request in claims.list()? {
            let facts = match request.content.as_ref().map(|bytes| RequestFile::read(bytes, &request.name)) {
                Ok(Ok(RequestFile { act: Act::Claim { .. }, author: Caller::Worker { .. }, .. })) => {
                    self.answer(&request)
                }
                Ok(_) | Err(_) => vec![Fact::Taken { request: request.name.clone() }],
            };
            // Taken away first: a claim that is lost can be made again, one that counts twice cannot be taken back.
            claims.remove(&request.name)?;
            self.record(facts, Durability::Synced)?;
        }
        Ok(())
    }

    /// The facts that a request becomes: always one that it was taken, then what it asked for or why not.
    fn answer(&self, request: &WaitingRequest) -> Vec<Fact> {
        let taken = Fact::Taken { request: request.name.clone() };
        let refused = |what: &str, reason: String| Fact::Refused { request: what.to_owned(), reason };
        let file = match &request.content {
            Ok(bytes) => RequestFile::read(bytes, &request.name).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let answer = match file {
            Err(reason) => refused("unreadable", reason),
            Ok(file) => {
                let admit =
                    || admit(self.book.state(), file.request()).map_err(|refusal| refusal.to_string());
                let admitted = self.stale(&file).map_or_else(admit, Err);
                admitted.unwrap_or_else(|reason| refused(claims::word(&file.act), reason))
            }
        };
        vec![taken, answer]
    }

    /// A claim of an interrupted attempt says nothing about the one that runs now.
    fn stale(&self, file: &RequestFile) -> Option<String> {
        let (Act::Claim { .. }, Caller::Worker { attempt, .. }) = (&file.act, &file.author) else {
            return None;
        };
        let now = self.book.state().unit.attempt;
        (*attempt != now)
            .then(|| format!("the claim belongs to attempt {attempt}, and {now} is the current one"))
    }
}
