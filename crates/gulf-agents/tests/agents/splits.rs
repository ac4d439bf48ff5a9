//! Laws of every stream: its bytes may arrive in any pieces, and half a stream is not an end.

use gulf_agents::agents::codex::rollout;
use gulf_agents::agents::{AgentEvent, Decoder, Outcome, ProcessEnd, Tool, TurnReport};
use proptest::prelude::*;

use crate::{decode, sample, streams};

const OK: ProcessEnd = ProcessEnd::Exited(0);

fn in_pieces(tool: Tool, bytes: &[u8], cuts: &[prop::sample::Index]) -> (Vec<AgentEvent>, TurnReport) {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.sort_unstable();
    let mut decoder = Decoder::new(tool);
    let (mut events, mut from) = (Vec::new(), 0);
    for to in places.into_iter().chain([bytes.len()]) {
        events.extend(decoder.push(&bytes[from..to]));
        from = to;
    }
    (events, decoder.finish(OK))
}

fn all() -> Vec<(Tool, String)> {
    let of = |tool| streams(tool).into_iter().map(move |name| (tool, name));
    Tool::ALL.into_iter().flat_map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_of_the_bytes_gives_the_same_events(
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40)
    ) {
        for (tool, name) in all() {
            let bytes = sample(tool, &name);
            prop_assert_eq!(in_pieces(tool, &bytes, &cuts), decode(tool, &bytes, OK), "{}", name);
        }
    }

    #[test]
    fn no_bytes_make_a_decoder_panic_or_complete_a_turn(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for tool in Tool::ALL {
            prop_assert_ne!(decode(tool, &bytes, OK).1.outcome, Outcome::Completed);
        }
        let _ = rollout(&bytes);
    }
}

#[test]
fn one_byte_at_a_time_gives_the_same_events() {
    for (tool, name) in all() {
        let bytes = sample(tool, &name);
        let mut decoder = Decoder::new(tool);
        let events: Vec<AgentEvent> = bytes.chunks(1).flat_map(|byte| decoder.push(byte)).collect();
        assert_eq!((events, decoder.finish(OK)), decode(tool, &bytes, OK), "{name}");
    }
}

#[test]
fn a_stream_that_is_cut_never_looks_completed() {
    // These two tell an end of their own before the last one.
    let ends_once = |(tool, name): &(Tool, String)| {
        name != "two_results.jsonl" && (*tool, name.as_str()) != (Tool::OpenCode, "refusal.jsonl")
    };
    for (tool, name) in all().into_iter().filter(ends_once) {
        let bytes = sample(tool, &name);
        // Long streams are cut in fewer places: each cut is read from its beginning.
        let step = 97.max(bytes.len() / 60);
        let places = (0..bytes.len()).filter(|at| at % step == 0 || at + 60 > bytes.len());
        for length in places {
            for end in [OK, ProcessEnd::Signalled, ProcessEnd::TimedOut { stdout_bytes: u64::MAX }] {
                let report = decode(tool, &bytes[..length], end).1;
                assert_ne!(report.outcome, Outcome::Completed, "{name}, cut to {length} bytes, {end:?}");
                assert_eq!(report.spent, None, "{name}, cut to {length} bytes");
            }
        }
    }
}
