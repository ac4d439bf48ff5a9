//! The exhaustive search: every state that a small loop can reach, whatever its driver and its world do.
//!
//! The laws are the ledger's and the model's, and three about the whole graph. The number of states is printed, and has a
//! floor, so that the search cannot shrink without being noticed.

use super::given::*;
use super::world::{Answers, Luck, World};
use crate::*;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::{Hash, Hasher};

pub(super) struct Search {
    contract: Contract,
    answers: Answers,
    luck: Luck,
    worker: Worker,
}

/// What a search saw.
#[derive(Default)]
struct Graph {
    /// Where each state was come from, and by what.
    parents: Vec<(usize, Option<Fact>)>,
    known: HashMap<(u64, u64), usize>,
    good_edges: Vec<(usize, usize)>,
    transitions: usize,
    /// States in which the loop is over, or only a person can go on.
    resting: Vec<usize>,
    ends: BTreeSet<&'static str>,
}

impl Graph {
    fn node(&mut self, world: &mut World, parent: usize, fact: Option<Fact>) -> (usize, bool) {
        let fingerprint = fingerprint(world);
        let next = self.parents.len();
        let node = *self.known.entry(fingerprint).or_insert(next);
        if node == next {
            self.parents.push((parent, fact));
        }
        (node, node == next)
    }

    fn path(&self, mut node: usize) -> String {
        let mut facts = Vec::new();
        while let (parent, Some(fact)) = &self.parents[node] {
            facts.push(format!("{fact:?}"));
            node = *parent;
        }
        facts.reverse();
        facts.join("\n  ")
    }

    /// The states from which no good events lead to a rest.
    fn stranded(&self) -> Option<usize> {
        let mut sources = vec![Vec::new(); self.parents.len()];
        for (from, to) in &self.good_edges {
            sources[*to].push(*from);
        }
        let mut reaches = vec![false; self.parents.len()];
        let mut open = self.resting.clone();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reaches[node], true) {
                open.extend(&sources[node]);
            }
        }
        reaches.iter().position(|reaches| !reaches)
    }
}

/// Folds what it is fed into 128 bits. An ordinary hasher spends as much time as all the rest of the search, because tests
/// are not optimised.
struct Fingerprint {
    first: u64,
    second: u64,
}

impl Fingerprint {
    fn fold(left: u64, right: u64) -> u64 {
        let product = u128::from(left) * u128::from(right);
        (product >> 64) as u64 ^ product as u64
    }
}

impl Hasher for Fingerprint {
    fn write(&mut self, mut bytes: &[u8]) {
        while let Some((chunk, rest)) = bytes.split_first_chunk() {
            self.write_u64(u64::from_le_bytes(*chunk));
            bytes = rest;
        }
        let mut last = [0; 8];
        last[..bytes.len()].copy_from_slice(bytes);
        self.write_u64(u64::from_le_bytes(last));
    }

    fn write_u64(&mut self, word: u64) {
        self.first = Self::fold(self.first ^ word, 0x9e37_79b9_7f4a_7c15);
        self.second = Self::fold(self.second ^ word, 0xd1b5_4a32_d192_ed03).wrapping_add(self.first);
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.first
    }
}

/// Two hashes of 64 bits: states are too big to be kept. The contract stands among the rest by its digest.
fn fingerprint(world: &mut World) -> (u64, u64) {
    let contract = world.state.0.contract.take();
    let mut print = Fingerprint { first: 0x243f_6a88_85a3_08d3, second: 0x1319_8a2e_0370_7344 };
    world.hash(&mut print);
    world.state.0.contract = contract;
    (print.first, print.second)
}

impl Search {
    pub(super) fn new(contract: Contract) -> Self {
        let answers = Answers {
            steps: vec![thought(StepWord::Said)],
            turns: vec![turn(), claiming()],
            turn_ms: 0,
            follow_ups: vec![turn()],
            costs: Vec::new(),
            trees: vec![String::from("base"), String::from("a"), String::from("b")],
            checks: vec![green(), red()],
            probes: vec![green(), red()],
            integrity: vec![intact()],
            overlays: vec![new_test_red(), not_shown()],
            judge: vec![approved(), rejected()],
            landings: vec![landed()],
            tallies: vec![None],
            closings: Vec::new(),
            marks: vec![(None, None)],
            mishaps: Vec::new(),
            environments: vec!["here"],
            acts: vec![Act::Pause, Act::Cancel],
            amended: Vec::new(),
            workers: Vec::new(),
            adopted: Vec::new(),
        };
        let luck = Luck { acts: 1, deaths: 1, resumes: 1, ..Luck::default() };
        Self { contract, answers, luck, worker: Worker::Processes }
    }

    pub(super) fn answering(mut self, change: impl FnOnce(&mut Answers)) -> Self {
        change(&mut self.answers);
        self
    }

    pub(super) fn with_waits(mut self, waits: u8) -> Self {
        self.luck.waits = waits;
        self
    }

    pub(super) fn with_luck(mut self, acts: u8, deaths: u8, resumes: u16) -> Self {
        self.luck = Luck { acts, deaths, resumes, ..self.luck };
        self
    }

    /// From the start on.
    pub(super) fn worked_by(mut self, worker: Worker) -> Self {
        self.worker = worker;
        self
    }

    /// So many changes of the worker, and turns that go on after they were over.
    pub(super) fn with_sessions(mut self, binds: u8, reopenings: u8) -> Self {
        self.luck = Luck { binds, reopenings, ..self.luck };
        self
    }

    /// Looks everywhere; every law holds, these ends and no others were seen, in at least so many states.
    pub(super) fn check(self, ends: &[&'static str], states_min: usize) {
        let graph = self.explore();
        let states = graph.parents.len();
        println!("{states} states, {} transitions, ends: {:?}", graph.transitions, graph.ends);
        if let Some(node) = graph.stranded() {
            panic!("from every state some good events finish the loop; not after\n  {}", graph.path(node));
        }
        assert_eq!(graph.ends, BTreeSet::from_iter(ends.iter().copied()));
        assert!(states >= states_min, "the search shrank to {states} states");
    }

    fn explore(&self) -> Graph {
        let mut graph = Graph::default();
        let mut start = World::sealed(&self.contract, self.luck);
        start.bind(&self.worker);
        graph.node(&mut start, 0, None);
        let mut open = VecDeque::from([(0, start)]);
        while let Some((node, world)) = open.pop_front() {
            let fail = |graph: &Graph, law, fact: Option<&Fact>| -> ! {
                panic!("broken: {law}\nby {fact:?}\nafter\n  {}\nin {world:#?}", graph.path(node))
            };
            if let Err(law) = world.stops_are_carried_out(&self.answers) {
                fail(&graph, law, None);
            }
            let moves = match world.moves(&self.answers) {
                Ok(moves) => moves,
                Err(law) => fail(&graph, law, None),
            };
            if let Stage::Ended(end) = &world.state.stage {
                graph.ends.insert(end.word());
            }
            if !moves.iter().any(|step| step.is_good) {
                graph.resting.push(node);
            }
            for step in moves {
                let mut next = world.clone();
                if let Err(law) = next.step(&step) {
                    fail(&graph, law, Some(&step.fact));
                }
                // Sequence numbers tell states apart that are the same.
                next.state.0.sequence = 1;
                graph.transitions += 1;
                let is_good = step.is_good;
                let (target, is_new) = graph.node(&mut next, node, Some(step.fact));
                if is_good {
                    graph.good_edges.push((node, target));
                }
                if is_new {
                    open.push_back((target, next));
                }
            }
        }
        graph
    }
}

pub(super) fn iterations(contract: &mut Contract, count: u32) {
    contract.policy.limits.iterations_max = times(count);
}

pub(super) fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| String::from(*text)).collect()
}
