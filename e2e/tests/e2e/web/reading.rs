//! Can everybody read the pages? axe-core looks at each, in light and dark, in a real browser.

use gulf_testkit::{Browser, Sandbox, axe};
use serde_json::Value;

use super::{Site, loop_that_is, two_loops};

/// What axe-core finds, one line each: the rule, where, and why.
fn violations(browser: &mut Browser) -> Vec<String> {
    let found = browser.evaluate("axe.run({ resultTypes: ['violations'] }).then(found => found.violations)");
    let nodes = |rule: &Value| rule["nodes"].as_array().unwrap().clone();
    let lines = found.as_array().unwrap().iter().flat_map(|rule| {
        nodes(rule)
            .into_iter()
            .map(|node| format!("{}: {}: {}", rule["id"], node["target"], node["failureSummary"]))
    });
    lines.collect()
}

#[track_caller]
fn look_at(browser: &mut Browser, script: &str, address: &str) -> Vec<String> {
    let mut found = Vec::new();
    browser.open(address);
    browser.evaluate(script);
    for scheme in ["light", "dark"] {
        for width in [360, 1280] {
            browser.prefer(scheme);
            browser.resize(width, 800);
            let is_wider = browser.evaluate("document.documentElement.scrollWidth > innerWidth");
            if is_wider == true {
                found.push(format!("{address}, {width} px: it has to be scrolled sideways"));
            }
            let lines = violations(browser).into_iter();
            found.extend(lines.map(|line| format!("{address}, {scheme}, {width} px: {line}")));
        }
    }
    found
}

fn pages_of(sandbox: &Sandbox, site: &Site) -> Vec<String> {
    let (verified, asking) = (loop_that_is(site, "verified"), loop_that_is(site, "paused"));
    let mut pages = vec!["/".to_owned(), "/inbox".to_owned(), "/nowhere".to_owned(), asking];
    pages.extend(
        ["", "/turn", "/diff", "/verdict", "/journal", "/report", "/iterations/1"]
            .map(|tab| format!("{verified}{tab}")),
    );
    let mut addresses: Vec<String> = pages.iter().map(|page| format!("http://{}{page}", site.host)).collect();
    for (name, arguments) in
        [("report", &["report"][..]), ("night", &["report", "--since", "yesterday"]), ("stats", &["stats"])]
    {
        let file = sandbox.path(&format!("{name}.html"));
        sandbox.gulf(arguments.iter().copied().chain(["--html", file.as_str()])).run().expect_exit(0);
        addresses.push(format!("file://{file}"));
    }
    addresses
}

#[test]
fn no_page_has_what_keeps_somebody_from_reading_it() {
    let Some(script) = axe() else { return };
    let script = std::fs::read_to_string(script).unwrap();
    let sandbox = two_loops();
    let site = Site::start(&sandbox, &[]);
    let Some(mut browser) = Browser::start(&sandbox) else { return };
    browser.open(&format!("http://{}/?token={}", site.host, site.token));
    let pages = pages_of(&sandbox, &site);
    let found: Vec<String> =
        pages.iter().flat_map(|address| look_at(&mut browser, &script, address)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    browser.open(&pages[0]);
    browser.evaluate(&script);
    browser
        .evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"data:,\">')");
    assert!(!violations(&mut browser).is_empty(), "axe-core finds what is there");
}
