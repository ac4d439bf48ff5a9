//! Every target's body over what its seeds become when bytes of them are lost, doubled, swapped and replaced.
//!
//! Apart from the seeds' own tests because these inputs are random. For a long search, such as after a change of a
//! parser: `PROPTEST_CASES=80000 cargo test --release -p gulf-fuzz --test mutations`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use gulf_fuzz::TARGETS;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// What parsers have fallen over before, in one file format or another.
const TOKENS: [&[u8]; 32] = [
    b"\n-----\n",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    "\u{d55c}\u{ae00}".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{2028}".as_bytes(),
    b"\"",
    b"'",
    b"\\",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b"</",
    b"<![CDATA[",
    b"&#0;",
    b"```",
    b"<!--",
    b"{{",
    b"{% if ",
    b"\x1b[31m",
    b"- [ ] ",
    b": ",
    b"-1",
    b"18446744073709551616",
    b"1e999",
    b"0",
];

#[derive(Clone, Debug)]
enum Mutation {
    Cut(Index, Index),
    Repeat(Index, Index, u8),
    Swap(Index, Index, Index),
    Replace(Index, u8),
    Insert(Index, &'static [u8]),
    /// A stretch of another seed.
    Splice(Index, Index, Index, Index),
}

fn any_mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    prop_oneof![
        (at(), at()).prop_map(|(from, to)| Mutation::Cut(from, to)),
        (at(), at(), 1..40_u8).prop_map(|(from, to, times)| Mutation::Repeat(from, to, times)),
        (at(), at(), at()).prop_map(|(from, between, to)| Mutation::Swap(from, between, to)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Replace(at, byte)),
        (at(), select(TOKENS.as_slice())).prop_map(|(at, token)| Mutation::Insert(at, token)),
        (at(), at(), at(), at()).prop_map(|(at, seed, from, to)| Mutation::Splice(at, seed, from, to)),
    ]
}

/// Mostly short: what is far away has nothing to do with what is here.
fn stretch(bytes: &[u8], from: Index, to: Index) -> std::ops::Range<usize> {
    let from = from.index(bytes.len() + 1);
    let length_max = if to.index(4) == 0 { bytes.len() } else { 60 };
    let to = from + to.index((bytes.len() - from).min(length_max) + 1);
    from..to
}

fn mutate(bytes: &mut Vec<u8>, mutation: &Mutation, seeds: &[Vec<u8>]) {
    match mutation {
        Mutation::Cut(from, to) => drop(bytes.drain(stretch(bytes, *from, *to))),
        Mutation::Repeat(from, to, times) => {
            let range = stretch(bytes, *from, *to);
            let again = bytes[range.clone()].repeat(usize::from(*times));
            bytes.splice(range.end..range.end, again);
        }
        Mutation::Swap(from, between, to) => {
            let range = stretch(bytes, *from, *to);
            let middle = between.index(range.len() + 1);
            bytes[range].rotate_left(middle);
        }
        Mutation::Replace(at, byte) => {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..bytes.len().min(at + 1), [*byte]);
        }
        Mutation::Insert(at, token) => {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..at, token.iter().copied());
        }
        Mutation::Splice(at, seed, from, to) => {
            let other = &seeds[seed.index(seeds.len())];
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..at, other[stretch(other, *from, *to)].iter().copied());
        }
    }
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = fs::read_dir(folder).expect("a target has seeds");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a seed is a file").path()).collect();
    // Always in the same order, so that the same choices make the same input.
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).expect("a seed is a file")).collect()
}

static SEEDS: LazyLock<Vec<Vec<Vec<u8>>>> =
    LazyLock::new(|| TARGETS.iter().map(|(target, _)| seeds(target)).collect());

/// Shown where a panic stops the test.
struct Tried<'a>(&'a str, &'a [u8]);

impl Drop for Tried<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{} of {:?}", self.0, String::from_utf8_lossy(self.1));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        // Each case is an input for every target.
        cases: ProptestConfig::default().cases / 8,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_body_survives_its_seeds_with_bytes_lost_doubled_and_replaced(
        seed in any::<Index>(),
        mutations in vec(any_mutation(), 1..12),
    ) {
        for ((target, body), seeds) in TARGETS.into_iter().zip(&*SEEDS) {
            let mut bytes = seeds[seed.index(seeds.len())].clone();
            mutations.iter().for_each(|mutation| mutate(&mut bytes, mutation, seeds));
            let tried = Tried(target, &bytes);
            body(tried.1);
        }
    }
}
