//! The chores of this workspace, run as `cargo xtask <chore>`: one entry, so that people and CI do the same thing.

mod bench;
mod ci;
mod coverage;
mod dist;
mod failure;
mod histories;
mod program;
mod reference;
mod scratch;
mod setup;
mod tidy;
mod touched;
mod trace;

use crate::failure::Failure;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  ci [--fast]    everything a change must pass; --fast leaves out e2e, references and cargo-deny
  test [REVISION]
                 the tests that a change since then can touch (else what is not committed, else the last commit)
  soak           all tests, with every case of those that try a few in each run, and more random inputs
  tidy           the rules of style that a compiler does not know
  gen [--check]  write docs/reference/ from the built binary, or fail when they are stale
  trace          which test proves which requirement; fails where one that is due has none
  setup          put the pinned tools that tests call into target/tools
  bench [engine|faces|faults|hook|queue|landing]
                 measure gulf, as ratios to `bash -c :` in the same run; engine: only save, load, transition and
                 memory of a loop; faces: only what it costs to look, on Linux; hook: only what sessions pay for it; queue: only how fast a line of loops lands,
                 simulated; landing: the same with git and processes; faults: two cheats, with each call of git and python3
                 failing in eleven ways in turn: none may end verified
  bench trust [--only PATTERN] [--language NAME] [--workers honest|cheats] [--judge none|yes]
                 workers that only pretend and honest ones: whether gulf tells them apart
  coverage       how much of the engine and of what keeps state is run by tests; needs cargo-llvm-cov
  histories [--commits N] [--minutes N] [--with-tests] [--keep] [--setup [NAME=]COMMAND]… CLONE… [-- ARGUMENTS of gulf run]
                 replay commits of other projects as honest workers, and say what gulf made of each; --with-tests: only
                 commits that touch tests; --keep: leave each replay where it was made, with what gulf said
  dist [npm] [--target TRIPLE] [--glibc VERSION] [--binary FILE] [--output DIR]
                 lay out under target/dist what would be published, and publish nothing: npm packages, the plugin, and in
                 files/ archive, Debian package, SBOM, checksums; npm: without files/; --glibc: for systems that old
  dist twice [the same flags]
                 build the last commit in two folders, and fail where a packed file has other bytes
  dist try [--output DIR]
                 install what was packed for this machine into folders of its own, and run the demo from each
  dist gather DIR --from URL [--output DIR]
                 one release of what several machines have packed, with the Homebrew formula that fetches from URL";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match chore(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            ExitCode::from(failure.exit_code())
        }
    }
}

fn chore(words: &[&str]) -> Result<(), Failure> {
    match words {
        ["ci"] => ci::run(ci::Extent::Everything),
        ["ci", "--fast"] => ci::run(ci::Extent::Fast),
        ["test"] => touched::run(None),
        ["test", since] => touched::run(Some(since)),
        ["soak"] => ci::soak(),
        ["tidy"] => tidy::run(),
        ["gen"] => reference::run(reference::Mode::Write, &reference::gulf()?),
        ["gen", "--check"] => reference::run(reference::Mode::Check, &reference::gulf()?),
        ["trace"] => trace::run(trace::Print::Table),
        ["setup"] => setup::run(),
        ["bench"] => bench::run(),
        ["bench", "engine"] => bench::run_engine(),
        ["bench", "faces"] => bench::run_faces(),
        ["bench", "hook"] => bench::run_hook(),
        ["bench", "queue"] => bench::run_queue(),
        ["bench", "landing"] => bench::run_landing(),
        ["bench", "faults"] => bench::run_faults(),
        ["bench", "trust", words @ ..] => match bench::TrustOrder::read(words) {
            Some(order) => bench::run_trust(&order),
            None => Err(Failure::Usage { given: format!("bench trust {}", words.join(" ")), usage: USAGE }),
        },
        ["coverage"] => coverage::run(),
        ["dist", words @ ..] => match dist::Order::read(words) {
            Some(order) => dist::run(&order?),
            None => Err(Failure::Usage { given: format!("dist {}", words.join(" ")), usage: USAGE }),
        },
        ["histories", words @ ..] => match histories::Order::read(words) {
            Some(order) => histories::run(&order?),
            None => Err(Failure::Usage { given: format!("histories {}", words.join(" ")), usage: USAGE }),
        },
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(Failure::Usage { given: words.join(" "), usage: USAGE }),
    }
}
