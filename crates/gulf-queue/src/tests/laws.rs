//! The exhaustive search: every state that a small queue can reach, whatever its leaders and its world do.
//!
//! Each test is one kind of world; the laws are the world's, and one about the whole graph: no way leads back, so every
//! run ends, and it ends with everybody settled. The number of states has a floor, so that no search shrinks unnoticed.

use super::given::*;
use super::world::{Luck, Step, World};
use crate::*;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

struct Search {
    nature: Nature,
    start: World,
}

/// What a search saw.
#[derive(Default)]
struct Graph {
    /// Where each state was come from, and by what.
    parents: Vec<(usize, Option<Step>)>,
    known: HashMap<(u64, u64), usize>,
    edges: Vec<(usize, usize)>,
    /// Who landed, in runs that are over.
    outcomes: BTreeSet<String>,
}

impl Graph {
    fn node(&mut self, world: &World, parent: usize, step: Option<Step>) -> (usize, bool) {
        let next = self.parents.len();
        let node = *self.known.entry(fingerprint(world)).or_insert(next);
        if node == next {
            self.parents.push((parent, step));
        }
        (node, node == next)
    }

    fn path(&self, mut node: usize) -> String {
        let mut steps = Vec::new();
        while let (parent, Some(step)) = &self.parents[node] {
            steps.push(format!("{:?}", step.fact));
            node = *parent;
        }
        steps.reverse();
        steps.join("\n  ")
    }

    /// A state from which some run never ends.
    fn endless(&self) -> Option<usize> {
        let (mut incoming, mut next) =
            (vec![0_u32; self.parents.len()], vec![Vec::new(); self.parents.len()]);
        for (from, to) in &self.edges {
            incoming[*to] += 1;
            next[*from].push(*to);
        }
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            for target in &next[node] {
                incoming[*target] -= 1;
                if incoming[*target] == 0 {
                    open.push(*target);
                }
            }
        }
        incoming.iter().position(|count| *count > 0)
    }
}

/// Two hashes of 64 bits: states are too big to be kept.
fn fingerprint(world: &World) -> (u64, u64) {
    let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
    hashers[1].write_u8(1);
    hashers
        .each_mut()
        .map(|hasher| {
            world.hash(hasher);
            hasher.finish()
        })
        .into()
}

impl Search {
    fn new(nature: Nature, terms: Terms, waiting: &[&'static str], luck: Luck) -> Self {
        Self { nature, start: World::new(terms, waiting, &[], luck) }
    }

    /// Looks everywhere; every law holds, these and no others land in the end, in at least so many states.
    fn check(mut self, outcomes: &[&str], states_min: usize) {
        let graph = self.explore();
        let states = graph.parents.len();
        println!("{states} states, {} transitions, landed: {:?}", graph.edges.len(), graph.outcomes);
        if let Some(node) = graph.endless() {
            panic!("every run comes to an end; not after\n  {}", graph.path(node));
        }
        assert_eq!(graph.outcomes, outcomes.iter().copied().map(String::from).collect());
        assert!(states >= states_min, "the search shrank to {states} states");
    }

    fn explore(&mut self) -> Graph {
        let mut graph = Graph::default();
        // Sequence numbers tell states apart that are the same.
        self.start.state.sequence = 1;
        graph.node(&self.start, 0, None);
        let mut open = VecDeque::from([(0, self.start.clone())]);
        while let Some((node, world)) = open.pop_front() {
            let fail = |graph: &Graph, law, step: Option<&Step>| -> ! {
                panic!("broken: {law}\nby {step:?}\nafter\n  {}\nin {world:#?}", graph.path(node))
            };
            let steps = match world.steps(&self.nature) {
                Ok(steps) => steps,
                Err(law) => fail(&graph, law, None),
            };
            if world.state.line().is_empty() && decide(&world.state) == QueueDecision::Rest {
                let landed: Vec<&str> = world.landed.iter().map(|(_, name)| name.as_str()).collect();
                graph.outcomes.insert(landed.join(" "));
            }
            for step in steps {
                let mut next = world.clone();
                next.joined(&step);
                if let Err(law) = next.step(&self.nature, &step) {
                    fail(&graph, law, Some(&step));
                }
                next.state.sequence = 1;
                let (target, is_new) = graph.node(&next, node, Some(step));
                graph.edges.push((node, target));
                if is_new {
                    open.push_back((target, next));
                }
            }
        }
        graph
    }
}

/// Of each kind of trouble: alone and together red, and in conflict.
fn trouble() -> Nature {
    Nature { conflicts: vec![("1", "3")], red: vec![vec!["2"], vec!["3", "4"]] }
}

// proves: B10
#[test]
fn everybody_lands_where_nothing_is_wrong_whoever_dies_and_when() {
    for (lanes, states_min) in [(1, 300), (2, 7_900), (3, 9_700)] {
        let luck = Luck { deaths: 2, ..Luck::default() };
        Search::new(PEACE, terms(lanes, 3), &["1", "2", "3"], luck).check(&["1 2 3"], states_min);
    }
}

// proves: B10
#[test]
fn the_same_ones_land_where_some_are_red_or_in_conflict_whoever_dies_and_when() {
    for (lanes, states_min) in [(1, 200), (2, 7_800), (3, 10_400)] {
        let luck = Luck { deaths: 1, ..Luck::default() };
        Search::new(trouble(), terms(lanes, 4), &["1", "2", "3", "4"], luck).check(&["1 4"], states_min);
    }
}

#[test]
fn the_same_ones_land_when_a_test_is_flaky() {
    for (lanes, deaths, states_min) in [(1, 1, 500), (2, 0, 7_000), (3, 0, 16_000)] {
        let luck = Luck { flakes: 1, deaths, ..Luck::default() };
        let nature = Nature { red: vec![vec!["1", "2"]], ..PEACE };
        Search::new(nature, terms(lanes, 3), &["1", "2", "3"], luck).check(&["1 3"], states_min);
    }
}

#[test]
fn the_same_ones_land_when_somebody_else_moves_the_base() {
    for (lanes, deaths, states_min) in [(1, 1, 2_200), (2, 0, 4_900)] {
        let luck = Luck { strangers: 1, deaths, ..Luck::default() };
        let nature = Nature { red: vec![vec!["1"]], ..PEACE };
        Search::new(nature, terms(lanes, 3), &["1", "2"], luck).check(&["2"], states_min);
    }
}

#[test]
fn whoever_leaves_does_not_land_and_the_others_do() {
    for (lanes, deaths, states_min) in [(1, 1, 3_000), (2, 0, 1_900)] {
        let luck = Luck { leaves: 1, deaths, ..Luck::default() };
        let nature = Nature { red: vec![vec!["1", "2"]], ..PEACE };
        let waiting = &["1", "2", "3"];
        Search::new(nature, terms(lanes, 3), waiting, luck).check(&["1", "1 3", "2 3"], states_min);
    }
}

#[test]
fn a_base_that_cannot_be_moved_and_a_host_that_fails_evict_nobody() {
    let all = ["", "1", "1 3", "2", "2 3", "3"];
    for (lanes, not_ready, outcomes, states_min) in
        [(1, 1, all.as_slice(), 2_600), (2, 0, &["1", "1 3", "2 3"], 10_500)]
    {
        let luck = Luck { not_ready, failures: 2, ..Luck::default() };
        let nature = Nature { red: vec![vec!["1", "2"]], ..PEACE };
        Search::new(nature, terms(lanes, 3), &["1", "2", "3"], luck).check(outcomes, states_min);
    }
}

#[test]
fn of_rivals_the_first_that_can_lands_alone_whoever_dies_and_when() {
    for (lanes, states_min) in [(1, 300), (2, 1_000)] {
        let luck = Luck { deaths: 1, leaves: 1, ..Luck::default() };
        let nature = Nature { red: vec![vec!["a2"]], ..PEACE };
        let outcomes = ["a1", "a1 3", "3 a3"];
        Search::new(nature, terms(lanes, 4), &["a1", "a2", "3", "a3"], luck).check(&outcomes, states_min);
    }
}

#[test]
fn who_comes_later_or_again_has_a_place_of_its_own() {
    for (lanes, states_min) in [(1, 4_800), (2, 5_300)] {
        let luck = Luck { agains: 1, not_ready: 1, deaths: 1, ..Luck::default() };
        let nature = Nature { conflicts: vec![("1", "2")], red: vec![vec!["3"]] };
        let start = World::new(terms(lanes, 2), &["1"], &["2", "3"], luck);
        Search { nature, start }.check(&["", "1", "1 1", "2", "2 2"], states_min);
    }
}
