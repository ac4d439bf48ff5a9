//! `gulf verify --receipt COMMIT`: what a commit's receipt says, compared with the commit, and asked again here.
//!
//! Nothing of a receipt is believed, least of all its commands: checks run here that this project or the person
//! names, and the receipt's are looked for among them.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{CheckRun, Event, Fact};
use gulf_host::home::Home;
use gulf_host::signature::{self, SignatureWord};
use gulf_runner::place::Project;
use gulf_runner::receipt::{CommitReceipt, ReceiptError, WorkCheck, WorkReceipt, WorkResult};
use gulf_runner::verify::{self, CandidateVerification, ComparisonBase};
use gulf_views::{
    CheckReport, ReceiptComparison, ScreenLanguage, Verification, VerificationWord, receipt_comparison,
    tame_text, verification, verification_json,
};

use super::{found, verified};
use crate::cli::VerifyArguments;
use crate::failure::{Failure, INTERRUPTED, Result};
use crate::out::say_note;
use crate::paths::quoted;
use crate::place;
use crate::screen::{self, TellingStyle};
use crate::trusting::TypedPlace;

/// Reads, compares, asks again, tells; and signs, where everything agrees and that is wanted.
pub(super) fn verify_receipt(arguments: &VerifyArguments, name: &str) -> Result<u8> {
    let telling = TellingStyle::from_json_flag(arguments.json);
    let key = arguments.sign.as_deref().map(signing_key).transpose()?;
    let project = Project::find(&place::current_directory()?)?;
    if project.layout.is_none() {
        return Err(Failure::usage("without git there is no receipt", "leave out `--receipt`"));
    }
    let home = Home::from_environment()?;
    let receipt = verify::receipt(&project, &home, name)?;
    // Where the receipt itself does not belong to the commit, what it names as base decides nothing.
    let base = receipt.landed.base_before.as_ref().filter(|_| receipt.differs.is_empty());
    let against = base.map_or(ComparisonBase::Nothing, |commit| ComparisonBase::Commit(commit.to_string()));
    let asked = (against.clone(), Some(receipt.commit.clone()));
    let prepared = verified(&arguments.checks, None, asked, telling);
    let prepared = prepared.map_err(|failure| with_commands(failure, &receipt))?;
    let Some(prepared) = prepared else { return Ok(INTERRUPTED) };
    let here = found(against != ComparisonBase::Nothing, &prepared);
    let mut comparison = compare(&receipt, &prepared, &here);
    tell_signatures(&mut comparison, &receipt)?;
    show(&comparison, &here, telling);
    if comparison.holds()
        && let Some(key) = key
    {
        let made = signature::sign(&receipt.statement, &key).map_err(Failure::broken)?;
        verify::add_signature(&project, &home, &receipt.commit, &made)?;
        say_note(format!("signed with {key}; `git push origin refs/notes/gulf` hands it on"));
    }
    Ok(u8::from(!comparison.holds()))
}

/// Only a person signs, with a key of theirs.
fn signing_key(given: &Utf8Path) -> Result<Utf8PathBuf> {
    if !TypedPlace::Terminal.is_persons() {
        return Err(Failure::usage("an agent does not sign for a person", "sign in a terminal of your own"));
    }
    let none =
        || Failure::usage("git names no file with a key to sign with", "name it: `--sign=~/.ssh/id_ed25519`");
    if given.as_str().is_empty() { verify::signing_key().ok_or_else(none) } else { Ok(given.to_owned()) }
}

/// No command of a receipt runs before a person has named it.
fn with_commands(failure: Failure, receipt: &CommitReceipt) -> Failure {
    let commands =
        receipt.works.iter().flat_map(|work| &work.checks).filter_map(|check| check.command.as_deref());
    let flags: Vec<String> = commands.map(|command| format!("--check {}", quoted(command))).collect();
    if flags.is_empty() {
        return failure;
    }
    failure.with_hint(&format!("the receipt's checks, if you trust them: {}", tame_text(&flags.join(" "))))
}

fn compare(
    receipt: &CommitReceipt,
    prepared: &CandidateVerification,
    here: &Verification,
) -> ReceiptComparison {
    let (agrees, differs) = (receipt.agrees.clone(), receipt.differs.clone());
    let commit = receipt.commit.to_string();
    let mut comparison = ReceiptComparison { commit, agrees, differs, told: Vec::new() };
    let mut repeated = 0;
    for work in &receipt.works {
        for check in &work.checks {
            repeated += usize::from(compare_check(&mut comparison, check, prepared, here));
        }
        compare_work(&mut comparison, work, here);
    }
    if repeated == 0 {
        comparison.differs.push("none of its checks could be repeated here".to_owned());
    }
    if matches!(here.word, VerificationWord::Unavailable) {
        comparison.differs.push(here.meaning.clone());
    }
    let there = &receipt.landed.environment;
    let is_attached =
        |event: &Event| matches!(&event.fact, Fact::Attached { environment, .. } if environment == there);
    if !prepared.events.iter().any(is_attached) {
        comparison.told.push("other surroundings than there: programs, system or variables".to_owned());
    }
    comparison
}

fn show(comparison: &ReceiptComparison, here: &Verification, telling: TellingStyle) {
    match telling {
        TellingStyle::Json => {
            let mut document = verification_json(here);
            document["receipt"] = serde_json::json!(comparison);
            document["exit_code"] = serde_json::json!(u8::from(!comparison.holds()));
            outln!("{document}");
        }
        TellingStyle::Lines => {
            // A receipt is English, and so is what differs from it.
            let look = screen::stdout_look().in_language(ScreenLanguage::English);
            out!("\n{}", verification(here, look));
            out!("\n{}", receipt_comparison(comparison, look));
        }
    }
}

/// Was it repeated?
fn compare_check(
    comparison: &mut ReceiptComparison,
    check: &WorkCheck,
    prepared: &CandidateVerification,
    here: &Verification,
) -> bool {
    let ReceiptComparison { differs, told, .. } = comparison;
    let name = tame_text(check.name.as_str());
    let Some(command) = &check.command else {
        told.push(format!("{name}: held out from workers, so its command is not told, nor repeated"));
        return false;
    };
    if check.isolation == "in-place" {
        told.push(format!("{name}: it ran in the project itself, not on a commit; not repeated"));
        return false;
    }
    let is_same = |one: &&gulf_runner::agreement::SealedCheck| {
        one.command == *command && one.directory == check.directory
    };
    let same = prepared.resources.agreement.checks.iter().find(is_same);
    let report = same.and_then(|same| here.checks.iter().find(|report| report.name == same.name));
    let Some(CheckReport { candidate, base, .. }) = report else {
        let flag = tame_text(&quoted(command));
        differs.push(format!("{name}: not among the checks here; `--check {flag}` repeats it"));
        return false;
    };
    compare_results(comparison, &name, check.candidate.as_ref(), candidate.as_ref());
    if base.is_some() && check.base.is_some() {
        let name = format!("{name} without the change");
        compare_results(comparison, &name, check.base.as_ref(), base.as_ref());
    }
    candidate.is_some()
}

fn compare_work(comparison: &mut ReceiptComparison, work: &WorkReceipt, here: &Verification) {
    let ReceiptComparison { agrees, differs, told, .. } = comparison;
    for finding in here.findings.iter().filter(|finding| !work.findings.contains(finding)) {
        let line = format!("{}: {}", tame_text(&finding.path), tame_text(&finding.what));
        if work.cleared.contains(finding) {
            told.push(format!("cleared there, a finding here: {line}"));
        } else {
            differs.push(format!("a finding that it does not name: {line}"));
        }
    }
    let waived = work.waivers.iter().map(|waiver| tame_text(&waiver.reason));
    told.extend(waived.map(|reason| format!("a gate was waived there: {reason}")));
    let end = work.end.as_deref().unwrap_or("nothing");
    if end == "verified" && here.word == VerificationWord::Verified {
        agrees.push("verified there, verified here".to_owned());
    } else {
        told.push(format!("{} there; here: {}", tame_text(end), here.meaning));
    }
}

fn tell_signatures(comparison: &mut ReceiptComparison, receipt: &CommitReceipt) -> Result<()> {
    let words = verify::signatures(receipt).map_err(Failure::broken)?;
    if words.is_empty() {
        comparison.told.push("nobody signed it: `--sign` does, with your key".to_owned());
    }
    for word in words {
        let (list, line) = match word {
            SignatureWord::Good { signer } => (&mut comparison.agrees, format!("signed by {signer}")),
            SignatureWord::Unknown { key } => {
                let why =
                    "which nobody vouches for: git names no allowed signers (gpg.ssh.allowedSignersFile)";
                (&mut comparison.told, format!("signed by {key}, {why}"))
            }
            SignatureWord::NotAllowed { key } => {
                (&mut comparison.differs, format!("signed by {key}, which is not among the allowed signers"))
            }
            SignatureWord::Bad { why } => {
                (&mut comparison.differs, format!("a signature is not over this receipt: {why}"))
            }
        };
        list.push(tame_text(&line));
    }
    Ok(())
}

fn compare_results(
    comparison: &mut ReceiptComparison,
    name: &str,
    there: Option<&WorkResult>,
    here: Option<&CheckRun>,
) {
    let run = here.map(WorkResult::from_run);
    let word = |result: Option<&WorkResult>| result.map_or("not asked".to_owned(), |one| one.word.clone());
    let (there_word, here_word) = (word(there), word(run.as_ref()));
    let line = format!("{name}: {} there, {here_word} here", tame_text(&there_word));
    if there_word == here_word {
        comparison.agrees.push(line);
    } else {
        let why = here.map_or_else(String::new, |run| format!(" ({})", tame_text(&run.summary)));
        comparison.differs.push(format!("{line}{why}"));
    }
}

impl From<ReceiptError> for Failure {
    fn from(error: ReceiptError) -> Self {
        match error {
            ReceiptError::World(error) => error.into(),
            ReceiptError::UnknownCommit { .. } => Self::refused(&error),
            ReceiptError::NoNote { .. } | ReceiptError::Unreadable { .. } => Self::from_diagnostic(&error),
        }
    }
}
