//! What tools and agents print, and test sources, through `gulf-agents`; apart because here any bytes are an input.

use std::collections::BTreeMap;

use gulf_agents::agents::codex::rollout;
use gulf_agents::agents::{self, Decoder, ProcessEnd, Tool};
use gulf_agents::command;
use gulf_agents::measure::{self, Purpose, ReportFile};
use gulf_agents::reports::{self, Exit, JunitFile, TestReport};
use gulf_agents::sources::{self, Changed, LineRange};

use crate::{Outcome, parts, read_if};

const TAIL_CHARS_MAX: usize = 400;

/// An agent's output, and the promise that is looked for.
pub fn promise(bytes: &[u8]) -> Outcome {
    let parts = parts(bytes);
    let message = command::final_message(parts[0]);
    let wanted = parts.get(1).map_or("COMPLETE".into(), |text| String::from_utf8_lossy(text));
    let found = command::promise(&message, &wanted);
    if let Some(number) = found {
        let line = message.split('\n').nth(number - 1).unwrap_or_default();
        assert!(line.contains(&*wanted), "the promise stands where it is said to");
    }
    read_if(found.is_some())
}

/// A tool's name, then its stream; the same bytes are also a session's file.
pub fn agent_stream(bytes: &[u8]) -> Outcome {
    let parts = parts(bytes);
    let stream = parts.get(1).copied().unwrap_or_default();
    let Some(tool) = str::from_utf8(parts[0]).ok().and_then(Tool::from_name) else { return Outcome::Refused };
    let whole = decode(tool, &[stream]);
    let (head, tail) = stream.split_at(stream.len() / 2);
    assert_eq!(decode(tool, &[head, tail]), whole, "any split of the bytes gives the same events");
    let (events, report) = &whole;
    if !stream.ends_with(b"\n") && !stream.contains(&b'\n') {
        assert_ne!(report.outcome, agents::Outcome::Completed, "half a line is not an end");
    }
    assert!(report.denials.len() <= agents::DENIALS_MAX, "denials have a limit");
    for event in events {
        if let agents::AgentEvent::Called(agents::ToolCall { what, .. }) = event {
            assert!(what.chars().count() <= agents::WHAT_CHARS_MAX && !what.contains('\n'), "one line");
        }
    }
    let _ = rollout(stream).refine(report.clone());
    read_if(report.session.is_some())
}

fn decode(tool: Tool, pieces: &[&[u8]]) -> (Vec<agents::AgentEvent>, agents::TurnReport) {
    let mut decoder = Decoder::new(tool);
    let events = pieces.iter().flat_map(|piece| decoder.push(piece)).collect();
    (events, decoder.finish(ProcessEnd::Exited(0)))
}

/// A check's output, and the JUnit files it wrote.
pub fn reports(bytes: &[u8]) -> Outcome {
    let parts = parts(bytes);
    let output = parts[0];
    let report = reports::read(output);
    let with_files =
        reports::read_beside(output, parts[1..].iter().map(|part| JunitFile::read(part)), vec![]);
    let of_files = parts.iter().map(|part| reports::join_junits([JunitFile::read(part)]));
    let of_files: Vec<TestReport> = of_files.collect();
    for exit in [Exit::Code(1), Exit::TimedOut] {
        let _ = reports::fingerprint(&report, output, exit);
    }
    let tail = reports::tail_for_worker(output, TAIL_CHARS_MAX);
    assert!(tail.chars().count() <= TAIL_CHARS_MAX, "a tail has a limit");
    let _ = reports::tail_for_worker(output, 0);
    let mut shortened = output.to_vec();
    reports::take_root_out(&mut shortened, "/work/project");
    assert!(shortened.len() <= output.len(), "taking a path out makes nothing longer");
    let any = |report: &TestReport| !report.tests.is_empty();
    read_if(any(&report) || any(&with_files) || of_files.iter().any(any))
}

/// A check's command, its output, and the reports that it wrote.
pub fn measurements(bytes: &[u8]) -> Outcome {
    let parts = parts(bytes);
    let purpose = measure::purpose(&String::from_utf8_lossy(parts[0]));
    let output = parts.get(1).copied().unwrap_or_default();
    let read = || parts.iter().skip(2).map(|part| ReportFile::read(part));
    let mut files: Vec<ReportFile> = read().collect();
    let tests = measure::with_files(output, [], &mut files, vec![]);
    let files: Vec<ReportFile> = read().collect();
    let mut is_read = false;
    for exit in [Exit::Code(0), Exit::Code(1)] {
        let measured = measure::measure(purpose, exit, output, &files, &tests);
        let of_lint = measured.lint_errors;
        match purpose {
            Some(Purpose::Tests | Purpose::Build | Purpose::Coverage) => assert_eq!(of_lint, None),
            Some(Purpose::Lint) if exit == Exit::Code(1) => {
                assert_ne!(of_lint.unwrap_or(0), 0, "it found something");
            }
            Some(Purpose::Lint) | None => {}
        }
        assert!(measured.coverage_bp.is_none_or(|covered| covered <= 10_000), "all of it is the most");
        is_read |= of_lint.is_some() || measured.coverage_bp.is_some();
    }
    let reversed: Vec<ReportFile> = read().rev().collect();
    let again = measure::measure(purpose, Exit::Code(1), output, &reversed, &tests);
    assert_eq!(again, measure::measure(purpose, Exit::Code(1), output, &files, &tests), "in any order");
    read_if(is_read)
}

/// An output, the candidate's output, then changed files: path, base, candidate, path, base, candidate …
///
/// A side of a file that is empty is a file that is not there.
pub fn sources(bytes: &[u8]) -> Outcome {
    let parts = parts(bytes);
    let side = |part: &[u8]| Some(part.to_vec()).filter(|part| !part.is_empty());
    let changed: BTreeMap<String, Changed> = parts
        .get(2..)
        .unwrap_or_default()
        .chunks_exact(3)
        .map(|file| {
            let path = String::from_utf8_lossy(file[0]).into_owned();
            (path, Changed { base: side(file[1]), candidate: side(file[2]) })
        })
        .collect();
    let mut differences = 0;
    for (path, file) in &changed {
        differences += look_at(path, file.base.as_deref(), file.candidate.as_deref());
    }
    let graft = sources::graft(&changed);
    for grafted in &graft.grafted {
        grafted.new_lines.iter().for_each(|lines| in_order(*lines));
    }
    let (on_base, on_candidate) = (parts[0], parts.get(1).copied().unwrap_or_default());
    let errors = sources::compile_errors(on_base);
    let (report, candidate) = (&reports::read(on_base), &reports::read(on_candidate));
    for base in [None, Some(candidate)] {
        let run = sources::ProbeRun { directory: "", output: on_base, report, candidate, base };
        let _ = sources::judge_probe(&graft, &run);
    }
    read_if(differences > 0 || !graft.edits.is_empty() || !errors.is_empty())
}

/// How many differences between the two sides of a file count.
fn look_at(path: &str, base: Option<&[u8]>, candidate: Option<&[u8]>) -> usize {
    let changes = sources::test_changes(path, base, candidate);
    let fields = sources::runner_configuration(path, base, candidate, &["test", "build"]);
    if base == candidate {
        assert!(changes.is_empty() && fields.is_empty(), "what is the same did not change");
    }
    let new = sources::new_tests(path, base, candidate.unwrap_or_default());
    new.iter().map(|test| test.lines).for_each(in_order);
    let _ = (sources::is_test_path(path), sources::is_test_support_path(path));
    changes.len() + fields.len() + new.len()
}

fn in_order(lines: LineRange) {
    assert!(1 <= lines.first && lines.first <= lines.last, "lines count from one, and forwards");
}
