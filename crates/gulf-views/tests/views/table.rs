//! `gulf list` on a wide and on a narrow terminal.

use crate::golden;
use crate::scene::{START_MS, standings};
use gulf_engine::{Basis, LoopId};
use gulf_views::{Cost, Look, Palette, Row, list_json, table};
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
            cost: (index > 0).then(|| Cost {
                microdollars: 1_240_000 * index as u64,
                tokens: 120_000,
                basis: Basis::Priced,
                assumed_microdollars: 0,
            }),
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
