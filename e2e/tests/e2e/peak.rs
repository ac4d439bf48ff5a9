//! How much memory gulf takes for what workers and checks leave to be read (SPEC B8): however large, never much more.
//!
//! The peak is asked of gulf's own process, by a check that runs last: a child's rusage would count git and the shims
//! as well.

use gulf_testkit::{FakeAgent, Sample, Sandbox, in_turn};

use crate::{exit, mend, run};

/// From its own shell up to gulf: what the first process above that is called `gulf`, and not the shim, has needed at most.
const PEAK: &str = r#"
process=$PPID
while [ "$process" -gt 1 ]; do
  words=$(tr '\0' ' ' < "/proc/$process/cmdline")
  case "$words" in
    *__shim*) ;;
    */gulf\ *|gulf\ *) sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$process/status" > "$PEAK_FILE"; break ;;
  esac
  process=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$process/status")
done
grep -qx right value.txt
"#;

/// What a large input may add to what gulf takes anyway.
const ADDED_KIB_MAX: u64 = 32 * 1024;

/// In KiB, after a check that leaves this behind.
fn peak_after(name: &str, check: &str, reports: &str) -> u64 {
    let toml = format!(
        "[[check]]\nname = \"large\"\ncommand = \"sh large.sh\"\nreports = [{reports}]\n\n\
         [[check]]\nname = \"peak\"\ncommand = \"sh peak.sh\"\n"
    );
    let sample = Sample::shell().file("gulf.toml", &toml).file("large.sh", check).file("peak.sh", PEAK);
    let sandbox = Sandbox::with(&sample.file(".gitignore", "report.*\n"));
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let file = sandbox.path("peak");
    run(&sandbox, &agent, &[]).variable("PEAK_FILE", file.as_str()).run().expect_exit(exit::VERIFIED);
    let peak = std::fs::read_to_string(&file).unwrap();
    println!("{name}: {} KiB", peak.trim());
    peak.trim().parse().unwrap()
}

#[test]
fn large_inputs_cost_little_memory() {
    let usual = peak_after("nothing", "true\n", "");
    let result = r#"{"ruleId":"r","level":"warning","message":{"text":"m"}}"#;
    let sarif = format!(
        "{{ printf '{{\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{{\"name\":\"d\"}}}},\"results\":['; \
         yes '{result},' | head -n 230000; printf '{result}]}}]}}'; }} > report.sarif\n"
    );
    let lcov = "{ echo SF:a.sh; seq -f 'DA:%.0f,1' 1000000; echo end_of_record; } > report.info\n";
    let tap = "echo TAP version 13; seq -f 'ok %.0f - a test' 200000; echo 1..200000\n";
    let inputs = [
        ("300 MB of output", "yes 'a line of a log' | head -c 300000000\n", ""),
        ("13 MB of SARIF", sarif.as_str(), "\"report.sarif\""),
        ("12 MB of LCOV", lcov, "\"report.info\""),
        ("200 000 tests in TAP", tap, ""),
    ];
    for (name, check, reports) in in_turn(inputs.len(), inputs) {
        let added = peak_after(name, check, reports).saturating_sub(usual);
        assert!(added <= ADDED_KIB_MAX, "{name} added {added} KiB to {usual}");
    }
}
