//! `gulf list` on a wide and on a narrow terminal.

use crate::golden;
use crate::scene::{START_MS, standings};
use gulf_engine::{Basis, LoopId, QueueDoing, QueueFacts};
use gulf_views::{
    BoardRow, BranchFacts, Cost, Look, LoopAddress, Palette, Row, Trend, TrendDirection, WorkerFacts,
    by_group, in_order, list_json, table,
};
use unicode_width::UnicodeWidthStr;

const GOALS: [&str; 4] =
    ["로그인 기능을 추가하고 테스트를 작성한다", "fix the build", "", "\n\n add `--json`\nmore"];

fn rows() -> Vec<Row> {
    let row = |(index, standing)| {
        let index: usize = index;
        Row {
            loop_id: LoopId::new(format!("2026-02-13T1430_goal-{index}")),
            handle: format!("k3v{index}"),
            goal: GOALS[index % GOALS.len()].to_owned(),
            title: GOALS[index % GOALS.len()].trim().lines().next().unwrap_or_default().to_owned(),
            standing,
            branch: None,
            iteration: index as u32,
            iterations_max: 50,
            trend: (index == 1).then(|| Trend {
                direction: TrendDirection::Same,
                word: "no nearer for 2 iterations".to_owned(),
            }),
            queue: None,
            cost: (index > 0).then(|| Cost {
                microdollars: 1_240_000 * index as u64,
                tokens: 120_000,
                basis: Basis::Priced,
                assumed_microdollars: 0,
            }),
            microdollars_max: (index == 2).then_some(5_000_000),
            open_questions: Vec::new(),
            updated_at_ms: START_MS - (index as u64).pow(4) * 60_000,
        }
    };
    standings().into_iter().enumerate().map(row).collect()
}

#[test]
fn a_wide_terminal_gets_one_line_per_loop() {
    golden!("list_80_plain", table(&rows(), START_MS, Look::terminal(Palette::Plain, 80)));
    golden!("list_80_colour", table(&rows()[..4], START_MS, Look::terminal(Palette::Colour, 80)));
    golden!("list_piped", table(&rows()[..4], START_MS, Look::piped()));
}

#[test]
fn a_narrow_terminal_gets_a_few_short_lines_per_loop() {
    golden!("list_40_plain", table(&rows()[..4], START_MS, Look::terminal(Palette::Plain, 40)));
}

#[test]
fn columns_stand_under_each_other_whatever_the_script() {
    let look = Look::terminal(Palette::Plain, 80);
    let listed = table(&rows(), START_MS, look);
    let starts: Vec<usize> = listed
        .lines()
        .zip(std::iter::once("stands").chain(rows().iter().map(|row| row.standing.word())))
        .map(|(line, word)| line[..line.find(word).unwrap()].width())
        .collect();
    assert!(starts.windows(2).all(|pair| pair[0] == pair[1]), "{starts:?}");
    assert!(listed.lines().all(|line| line.width() <= 80));
}

#[test]
fn no_loop_is_no_line() {
    assert_eq!(table(&[], START_MS, Look::piped()), "");
}

#[test]
fn the_list_for_programs_has_every_field() {
    golden!("list_json", format!("{:#}", list_json(&rows()[..4])));
    assert_eq!(list_json(&[]), serde_json::json!({ "version": 1, "loops": [] }));
}

#[test]
fn workers_of_one_goal_stand_together_where_the_first_of_them_would() {
    let at = |handle: &str, number: u32, updated_at_ms: u64, standing: usize| {
        let worker = (number > 0).then(|| WorkerFacts { group: "one goal".to_owned(), number, of: 3 });
        let branch = worker.map(|worker| BranchFacts {
            name: format!("gulf/{handle}"),
            base: "main".to_owned(),
            worktree: None,
            kept: None,
            unchecked_when_merged: Vec::new(),
            worker: Some(worker),
        });
        let queue = (number == 2).then_some(QueueFacts { position: 1, of: 2, doing: QueueDoing::Testing });
        let base = rows().swap_remove(standing);
        let row = Row { handle: handle.to_owned(), branch, queue, updated_at_ms, ..base };
        BoardRow::new(&row, LoopAddress::new(None, handle), None, None)
    };
    let over = rows().iter().position(|row| row.standing.word() == "verified").unwrap();
    // Of three workers one is over; of the others one began before everybody else.
    let all = vec![
        at("w3", 3, 1, 0),
        at("new", 0, 9, 0),
        at("w1", 1, 8, over),
        at("old", 0, 2, 0),
        at("w2", 2, 5, 0),
    ];
    let ordered = in_order(all);
    let handles: Vec<Vec<&str>> =
        by_group(&ordered).map(|rows| rows.iter().map(|row| row.handle.as_str()).collect()).collect();
    assert_eq!(handles, [vec!["new"], vec!["w1", "w2", "w3"], vec!["old"]]);
    let queued = ordered.iter().find(|row| row.handle == "w2").unwrap();
    assert_eq!(queued.now, "waiting to land on main, number 1 of 2: being tested");
}
