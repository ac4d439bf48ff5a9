//! `gulf run --dry-run`: the first prompt and what would be sealed; nothing is run, and nothing is written.

use std::time::Duration;

use gulf_engine::Limits;
use gulf_runner::branching::short;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::Plan;
use gulf_runner::prompt::first_prompt;
use gulf_views::tame_text;

use crate::failure::Failure;
use crate::screen::TellingStyle;
use crate::settings;
use crate::starting::{RunRequest, apart, composed_of};

pub(super) fn show(place: &PlaceOfWork, request: &RunRequest) -> Result<u8, Failure> {
    let config = settings::heard(place, request.heard, request.flags.clone())?;
    let plan = composed_of(place, request, config.clone())?;
    let (plan, sites) =
        if config.preset.lands() { apart::look(place, &config, plan)? } else { (plan, Vec::new()) };
    let prompt = first_prompt(place, &plan.terms)?;
    match request.telling {
        TellingStyle::Json => outln!("{}", document(&plan, &sites, &prompt)),
        TellingStyle::Lines => {
            outln!("The first prompt:\n\n{}\n", tame_text(prompt.trim_end()));
            outln!("What would be sealed:\n");
            for (what, value) in sealed(&plan, &sites) {
                outln!("  {what:<10} {}", tame_text(&value));
            }
            for note in &plan.notes {
                outln!("\nnote: {}", tame_text(note));
            }
            outln!("\nNothing was run, and nothing was written.");
        }
    }
    Ok(0)
}

fn document(plan: &Plan, sites: &[String], prompt: &str) -> serde_json::Value {
    serde_json::json!({
        "version": 1,
        "goal": plan.terms.goal,
        "agent": plan.terms.agent,
        "judge": plan.terms.judge,
        "landing": plan.terms.landing,
        "branches": sites,
        "checks": plan.terms.checks,
        "criteria": plan.terms.criteria,
        "ignored_questions": plan.terms.ignored_questions,
        "policy": plan.terms.policy,
        "verification": plan.terms.verification,
        "notes": plan.notes,
        "prompt": prompt,
    })
}

/// What is agreed, one line each.
fn sealed(plan: &Plan, sites: &[String]) -> Vec<(&'static str, String)> {
    let mut lines = vec![("agent", plan.terms.agent.tool.to_string())];
    let checks = plan.terms.checks.iter();
    lines.extend(checks.map(|check| ("check", format!("{}   ({})", check.command, check.origin))));
    lines.extend(plan.terms.judge.iter().map(|judge| ("judge", judge.tool.to_string())));
    let word = if plan.terms.judge.is_some() { "judged" } else { "not judged" };
    lines.extend(plan.terms.criteria.iter().map(|criterion| (word, criterion.clone())));
    let tests = plan.terms.verification.tests_may_change.iter();
    lines.extend(tests.map(|pattern| ("may change", pattern.clone())));
    lines.extend(plan.terms.ignored_questions.iter().map(|question| ("ignored", question.clone())));
    lines.extend(sites.iter().map(|site| ("branch", site.clone())));
    lines.extend(plan.terms.landing.as_ref().map(|landing| ("lands on", short(&landing.base).to_owned())));
    lines.push(("at most", limits(&plan.terms.policy.limits).join(", ")));
    if plan.terms.judge.is_some() {
        lines
            .push(("pause", format!("after {} rejections in a row", plan.terms.policy.rejections.threshold)));
    }
    lines
}

fn limits(limits: &Limits) -> Vec<String> {
    let time = limits.active_ms_max.map(Duration::from_millis);
    settings::bounds(limits.iterations_max.get(), time, limits.microdollars_max, limits.tokens_max)
}
