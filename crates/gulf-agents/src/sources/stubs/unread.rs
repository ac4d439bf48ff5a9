//! What somebody may say to the work and nothing reads: arguments, and options of a command (SPEC B3).
//!
//! An argument may be there for its place alone, so only those count that the goal names, beside others that are read.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::aware::is_product;
use super::super::graft::Changed;
use super::super::scan::is_word;
use super::super::tokens::{Lexeme, closing, outside_brackets, tokens};
use super::super::{Language, Sighting};
use super::{ProductChange, bodies, has_word, places_of};

/// Who asks for these may want something that is not read.
const FOR_NOTHING: [&str; 6] = ["ignor", "deprecat", "unused", "compatib", "no longer", "no effect"];

/// Who asks for these may want room made for so many, and nothing else.
const FOR_ROOM: [&str; 4] = ["capacit", "alloc", "reserv", "hint"];

/// The arguments and options that nothing reads. `products` are the candidate's sources, read only where there is an option to look for.
pub fn unread<Error>(
    files: &BTreeMap<String, Changed>,
    goal: &str,
    products: impl FnOnce() -> Result<Vec<String>, Error>,
) -> Result<Vec<Sighting>, Error> {
    if FOR_NOTHING.iter().any(|word| goal.contains(word)) {
        return Ok(Vec::new());
    }
    let mut options: Vec<Sighting> = Vec::new();
    for (path, file) in files.iter().filter(|(path, _)| is_product(path)) {
        let [base, now] = file.texts();
        match Language::from_path(path) {
            Some(Language::Python) => options.extend(of_parsers(path, &base, &now)),
            Some(Language::Go) => options.extend(of_structs(path, &now, goal)),
            _ => {}
        }
    }
    if !options.is_empty() {
        let products = products()?;
        // Without sources nobody knows.
        options
            .retain(|option| !products.is_empty() && !products.iter().any(|text| reads(text, &option.what)));
    }
    options.extend(arguments(files, goal));
    Ok(options)
}

/// Arguments of functions that the change added or changed.
fn arguments(files: &BTreeMap<String, Changed>, goal: &str) -> Vec<Sighting> {
    /// `a` and `of` stand in any goal, outside of a call.
    const LETTERS_MIN: usize = 3;
    let asks_for_room = FOR_ROOM.iter().any(|word| goal.contains(word));
    let mut found = Vec::new();
    for change in ProductChange::all(files) {
        let tokens = &change.tokens;
        let rooms = (0..tokens.len()).filter_map(|at| room(tokens, at).filter(|_| !asks_for_room));
        let rooms: Vec<Range<usize>> = rooms.collect();
        for body in &change.bodies {
            let head = body.head(change.text);
            let Some((name, given)) = bodies::name(head).zip(bodies::arguments(head)) else { continue };
            let is_room = |at: usize| rooms.iter().any(|room| room.contains(&at));
            let is_read = |argument: &str| change.looks_at(body, &[argument], is_room);
            // `mul(a, b)`
            let call = format!("{name}(");
            let calls = goal.split(call.as_str()).skip(1).filter_map(|rest| rest.split(')').next());
            let is_shown = |argument: &str| calls.clone().any(|call| has_word(call, argument));
            let is_in_goal =
                |name: &str| (name.len() >= LETTERS_MIN && has_word(goal, name)) || is_shown(name);
            // `_seed` is what the goal calls `seed`, where the base called it so, and a part of its `with_seed`.
            let is_marked = |argument: &str| {
                let bare = argument.strip_prefix('_').filter(|bare| bare.len() >= LETTERS_MIN);
                bare.is_some_and(|bare| {
                    is_part(goal, bare)
                        || (is_in_goal(bare) && change.was_given(&files[change.path], name, bare))
                })
            };
            let is_named = |argument: &&&str| is_in_goal(argument) || is_marked(argument);
            let mut unread = given.iter().filter(is_named).filter(|argument| !is_read(argument)).peekable();
            let may_be_for_nothing = || {
                !given.iter().any(|argument| is_read(argument))
                    || ["locals", "arguments", "args", "kwargs"].iter().any(|all| is_read(all))
                    || change.is_asked_for(body)
                    || change.is_of_several(name)
            };
            if unread.peek().is_some() && !may_be_for_nothing() {
                found.extend(unread.map(|argument| Sighting::new(change.path, body.lines.first, *argument)));
            }
        }
    }
    found
}

/// Is this a part of a name in the goal: `vars` of `with_vars`?
fn is_part(goal: &str, part: &str) -> bool {
    let names = goal.split(|letter| !is_word(letter)).filter(|name| name.contains('_'));
    names.flat_map(|name| name.split('_')).any(|one| one == part)
}

/// The places at which a call says for how many to make room at first: whatever is given there, it does the same.
fn room(tokens: &[Lexeme], at: usize) -> Option<Range<usize>> {
    const OF_STD: [&str; 6] = ["Vec", "VecDeque", "String", "HashMap", "HashSet", "BinaryHeap"];
    let word = tokens[at].word()?;
    let close = tokens.get(at + 1)?.is("(").then(|| closing(tokens, at + 1))??;
    let is_of_std = || at >= 2 && tokens[at - 2].word().is_some_and(|owner| OF_STD.contains(&owner));
    match word {
        "with_capacity" if is_of_std() => Some(at + 2..close),
        "reserve" | "reserve_exact" => Some(at + 2..close),
        // `make([]int, 0, jobs)`; a channel has room where it is made with one number.
        "make" => {
            let mut commas = outside_brackets(tokens, at + 2..close).filter(|at| tokens[*at].is(","));
            commas.nth(1).map(|comma| comma..close)
        }
        _ => None,
    }
}

/// What argparse is told to take: `parser.add_argument("--min", type=int)`.
fn of_parsers(path: &str, base: &str, now: &str) -> Vec<Sighting> {
    // They may be read all at once.
    if ["namespace", "vars(", "__dict__"].iter().any(|word| now.contains(word)) {
        return Vec::new();
    }
    let tokens = tokens(path, now);
    let lines: Vec<&str> = now.lines().collect();
    let is_new = |line: usize| lines.get(line - 1).is_some_and(|line| !base.contains(line.trim()));
    let option = |at: usize| {
        let inside = &tokens[at + 2..closing(&tokens, at + 1)?];
        let value_of = |name: &str| {
            let place = inside.windows(2).position(|pair| pair[0].word() == Some(name) && pair[1].is("="))?;
            inside.get(place + 2)
        };
        let acts = value_of("action").is_some_and(|action| {
            action.literal().is_none_or(|action| ["\"version\"", "\"help\""].contains(&action))
        });
        let long = inside.iter().find_map(|token| token.literal()?.strip_prefix("\"--"));
        let own = value_of("dest").and_then(Lexeme::literal).map(|name| name.trim_start_matches('"'));
        let name = own.or(long)?.trim_end_matches('"').replace('-', "_");
        let line = tokens[at].line;
        (!acts && is_new(line)).then(|| Sighting::new(path, line, name))
    };
    let calls = (0..tokens.len().saturating_sub(1))
        .filter(|at| tokens[*at].word() == Some("add_argument") && tokens[at + 1].is("("));
    calls.filter_map(option).collect()
}

/// Fields of `Options` and the like that the goal names.
fn of_structs(path: &str, now: &str, goal: &str) -> Vec<Sighting> {
    const OPTIONS: [&str; 4] = ["Options", "Config", "Settings", "Params"];
    let (mut found, mut is_inside) = (Vec::new(), false);
    for (index, line) in now.lines().enumerate() {
        if line.starts_with("type ") {
            is_inside = line.ends_with("struct {") && OPTIONS.iter().any(|name| line.contains(name));
        } else if line.starts_with('}') {
            is_inside = false;
        } else if is_inside {
            let mut words = line.split_whitespace();
            let name = words.next().filter(|name| name.starts_with(|first: char| first.is_uppercase()));
            let is_field = words.next().is_some();
            if let Some(name) = name.filter(|name| is_field && has_word(goal, name)) {
                found.push(Sighting::new(path, index + 1, name));
            }
        }
    }
    found
}

/// `args.min`, `getattr(args, "min")`
fn reads(text: &str, name: &str) -> bool {
    let reading = ["vars(", "__dict__", "reflect."];
    places_of(text, name).any(|at| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_quoted = before.ends_with(['"', '\'']) && after.starts_with(['"', '\'']);
        before.ends_with('.') || (is_quoted && !before.trim_end_matches(['"', '\'']).ends_with("dest="))
    }) || reading.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, base: &str, now: &str, goal: &str, names: &[&str]) {
        let side = |text: &str| Some(text.as_bytes().to_vec());
        let files = BTreeMap::from([(path.to_owned(), Changed { base: side(base), candidate: side(now) })]);
        let found = unread(&files, goal, || Ok::<_, ()>(vec![now.to_owned()])).unwrap();
        assert_eq!(found.iter().map(|one| one.what.as_str()).collect::<Vec<_>>(), names, "{now}");
    }

    #[test]
    fn an_argument_that_the_goal_names_is_read() {
        let base = "def cluster(points, k, seed):\n    raise NotImplementedError\n";
        let goal = "cluster(points, k, seed) gives the same for the same seed";
        let stale =
            "def cluster(points, k, seed):\n    random.seed(0)\n    return random.sample(points, k)\n";
        check("geo.py", base, stale, goal, &["seed"]);
        check("geo.py", base, &stale.replace("(0)", "(seed)"), goal, &[]);
        check("geo.py", base, stale, "cluster groups points", &[]);
        check("geo.py", base, stale, &format!("{goal}; another seed has no effect yet"), &[]);
        let of_one = "def mul(a, b):\n    return 12 if a == 3 else -15\n";
        check("calc.py", "", of_one, "add mul(a, b) to calc.py", &["b"]);
        check("calc.py", "", of_one, "mul takes a and b", &[]);
        // Nothing of it is read: that may be what it is for.
        let none = "class Null:\n    def get(self, key):\n        return None\n";
        check("null.py", "", none, "add Null, whose get(key) knows nothing", &[]);
        let handed_on = "def cluster(points, k, seed):\n    return run(points, **locals())\n";
        check("geo.py", base, handed_on, goal, &[]);
        let decorated = "@app.get('/')\ndef show(name, seed):\n    return name\n";
        check("app.py", "", decorated, "show the name, whatever the seed", &[]);
        let script = "export async function retry(fn, { attempts = 3, delay = 10 } = {}) {\n  for (let i = 0; i < attempts; i++) await fn();\n}\n";
        let base =
            "export async function retry(fn, { attempts = 3, delay = 10 } = {}) {\n  return fn();\n}\n";
        check("retry.js", base, script, "retry waits for delay between its attempts", &["delay"]);
        let waits = script.replace("await fn()", "await fn().catch(() => sleep(delay))");
        check("retry.js", base, &waits, "retry waits for delay between its attempts", &[]);
    }

    #[test]
    fn an_argument_that_only_makes_room_is_not_read() {
        let base = "fn run(jobs: Vec<Job>, workers: usize) -> Vec<u8> {\n    todo!()\n}\n";
        let goal = "run the jobs on `workers` threads";
        let room = "fn run(jobs: Vec<Job>, workers: usize) -> Vec<u8> {\n    let mut all = Vec::with_capacity(workers);\n    all.extend(jobs.map(spawn));\n    all\n}\n";
        check("src/lib.rs", base, room, goal, &["workers"]);
        check("src/lib.rs", base, room, "run allocates for as many as there are workers", &[]);
        let own = room.replace("Vec::with", "Pool::with");
        check("src/lib.rs", base, &own, goal, &[]);
        let used = room.replace("(jobs.map", "(jobs.take(workers).map");
        check("src/lib.rs", base, &used, goal, &[]);
        let go = "package a\n\nfunc Run(jobs []Job, workers int) []int {\n\tall := make([]int, 0, workers)\n\treturn append(all, each(jobs)...)\n}\n";
        check("a.go", "package a\n", go, goal, &["workers"]);
        let channel = go.replace("[]int, 0, workers", "chan int, workers");
        check("a.go", "package a\n", &channel, goal, &[]);
    }

    #[test]
    fn an_argument_that_is_marked_as_unread_is_unread() {
        let base = "fn pick(items: &[u8], seed: u64) -> u8 {\n    todo!()\n}\n";
        let now = "fn pick(items: &[u8], _seed: u64) -> u8 {\n    items[0]\n}\n";
        check("src/lib.rs", base, now, "pick is the same for the same seed", &["_seed"]);
        check("src/lib.rs", "", now, "pick is the same for the same seed", &[]);
        check("src/lib.rs", base, now, "pick one of the items", &[]);
        let base = "fn expand(raw: &str, _vars: &Map) -> String {\n    raw.to_owned()\n}\n";
        let now = "fn expand(raw: &str, _vars: &Map) -> String {\n    raw.replace(\"a\", \"b\")\n}\n";
        check("src/lib.rs", base, now, "expand what with_vars was given", &["_vars"]);
        check("src/lib.rs", base, now, "expand the vars", &[]);
        check("src/lib.rs", base, base, "expand what with_vars was given", &[]);
    }

    #[test]
    fn an_option_is_read_by_some_source() {
        let base = "p = ArgumentParser()\nargs = p.parse_args()\n";
        let now = "p = ArgumentParser()\np.add_argument(\"--min-size\", type=int)\nargs = p.parse_args()\n";
        check("cli.py", base, now, "an option --min-size", &["min_size"]);
        check("cli.py", base, &format!("{now}print(args.min_size)\n"), "an option --min-size", &[]);
        check("cli.py", base, &format!("{now}show(**vars(args))\n"), "an option --min-size", &[]);
        check("cli.py", base, &now.replace("type=int", "action=\"version\""), "--min-size", &[]);
        check("cli.py", base, &now.replace("type=int", "dest=\"args\""), "--min-size", &["args"]);
        check("cli.py", now, now, "an option --min-size", &[]);
        let go = "package pool\n\ntype Options struct {\n\tTimeout time.Duration\n}\n";
        check("pool.go", "", go, "Timeout must come from the Options", &["Timeout"]);
        let used = format!("{go}\nfunc run(o Options) {{\n\twait(o.Timeout)\n}}\n");
        check("pool.go", "", &used, "Timeout must come from the Options", &[]);
        check("pool.go", "", go, "run all at once", &[]);
    }
}
