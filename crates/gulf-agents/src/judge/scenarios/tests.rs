//! Lists of scenarios as agents write them, and as nobody should.

use super::*;

const ONE: &str = r#"{"scenarios":[{"tries":"says hello","command":"./hi","exit":0,"shows":["hello"]}]}"#;

fn one() -> Scenario {
    read_scenarios(ONE).unwrap().remove(0)
}

// proves: A4
#[test]
fn a_scenario_passes_only_with_its_exit_code_and_all_its_texts() {
    let passes = |exit, output| one().exhibit(1, exit, output, output).passed;
    assert!(passes(Some(0), "hello, world"));
    assert!(!passes(Some(1), "hello, world"));
    assert!(!passes(None, "hello, world"));
    assert!(!passes(Some(0), "goodbye"));
    let told = one().exhibit(3, Some(1), "goodbye", "goodbye");
    assert_eq!(told.name, "scenario 3");
    assert!(told.tail.contains("exit code 1, 0 expected") && told.tail.contains("not in the output: hello"));
}

#[test]
fn a_list_is_read_from_a_message_a_fence_or_a_structure() {
    let fenced = format!("```json\n{ONE}\n```");
    assert_eq!(read_scenarios(&fenced).unwrap(), [one()]);
    let value: serde_json::Value = serde_json::from_str(ONE).unwrap();
    assert_eq!(read_scenarios(&value.to_string()).unwrap(), [one()]);
}

#[test]
fn anything_else_is_no_list() {
    let many = format!(
        r#"{{"scenarios":[{}]}}"#,
        [r#"{"tries":"","command":"x","exit":0}"#; SCENARIOS_MAX + 1].join(",")
    );
    for text in [
        "",
        "I would run ./hi",
        r#"{"scenarios":[]}"#,
        r#"{"scenarios":[{"tries":"x","command":" ","exit":0}]}"#,
        r#"{"scenarios":[{"tries":"x","command":"x","exit":"0"}]}"#,
        r#"{"scenarios":[{"tries":"x","command":"x","exit":0,"sudo":true}]}"#,
        &many,
    ] {
        assert!(read_scenarios(text).is_err(), "{text}");
    }
}

#[test]
fn the_schema_names_what_is_read() {
    let schema: serde_json::Value = serde_json::from_str(&scenario_schema()).unwrap();
    let item = &schema["properties"]["scenarios"]["items"];
    assert_eq!(item["required"].as_array().unwrap().len(), 4);
    assert_eq!(item["additionalProperties"], false);
}
