//! What a binary is made of, as CycloneDX says it: each crate that is linked in, with its license and the digest of its
//! source.
//!
//! It is read from cargo's own account, and says nothing that cargo does not.

use crate::failure::Failure;
use crate::program;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The package that is shipped.
const PRODUCT: &str = "gulf-loop";

/// For a platform, in lines.
pub(super) fn document(triple: &str) -> Result<String, Failure> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", triple];
    let metadata = program::stdout(program::cargo(&arguments))?;
    let metadata: Value = serde_json::from_str(&metadata).unwrap_or_default();
    let lock = program::root().join("Cargo.lock");
    let lock = std::fs::read_to_string(&lock).map_err(Failure::file(&lock))?;
    let document = composed(&metadata, &digests(&lock)).ok_or(Failure::Found {
        what: format!("cargo's account has no package {PRODUCT}"),
        hint: "is crates/gulf still called so?",
    })?;
    Ok(format!("{document:#}\n"))
}

/// By name and version, of crates from a registry.
fn digests(lock: &str) -> BTreeMap<(String, String), String> {
    let lock: toml::Table = lock.parse().unwrap_or_default();
    let packages = lock.get("package").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let text = |package: &toml::Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let digest = |package: &toml::Value| {
        Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?))
    };
    packages.iter().filter_map(digest).collect()
}

pub(super) fn composed(metadata: &Value, digests: &BTreeMap<(String, String), String>) -> Option<Value> {
    let packages = metadata["packages"].as_array()?;
    let by_id: BTreeMap<&str, &Value> =
        packages.iter().filter_map(|package| Some((package["id"].as_str()?, package))).collect();
    let (root, _) = by_id.iter().find(|(_, package)| package["name"] == PRODUCT)?;
    let needs = needs(metadata);
    let mut reached = BTreeSet::new();
    let mut waiting = vec![*root];
    while let Some(id) = waiting.pop() {
        if reached.insert(id) {
            waiting.extend(needs.get(id).into_iter().flatten());
        }
    }
    let component = |id: &str| component(by_id.get(id).copied(), digests);
    let others = reached.iter().filter(|id| *id != root);
    let dependencies = reached.iter().map(|id| {
        let on: Vec<String> =
            needs.get(id).into_iter().flatten().map(|id| reference(by_id.get(id).copied())).collect();
        json!({ "ref": reference(by_id.get(id).copied()), "dependsOn": on })
    });
    Some(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(root) },
        "components": others.map(|id| component(id)).collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

/// What each package needs to run: what only builds or tests it is not in the binary.
fn needs(metadata: &Value) -> BTreeMap<&str, Vec<&str>> {
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let is_linked = |dependency: &&Value| {
        dependency["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
    };
    nodes
        .filter_map(|node| {
            let all = node["deps"].as_array()?.iter().filter(is_linked);
            Some((node["id"].as_str()?, all.filter_map(|dependency| dependency["pkg"].as_str()).collect()))
        })
        .collect()
}

fn component(package: Option<&Value>, digests: &BTreeMap<(String, String), String>) -> Value {
    let text = |key: &str| package.and_then(|package| package[key].as_str()).unwrap_or_default().to_owned();
    let (name, version) = (text("name"), text("version"));
    let kind = if name == PRODUCT { "application" } else { "library" };
    let mut component = json!({
        "type": kind,
        "bom-ref": reference(package),
        "name": name,
        "version": version,
        "purl": reference(package),
        "licenses": [{ "expression": text("license").replace('/', " OR ") }],
    });
    if let Some(digest) = digests.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": digest }]);
    }
    component
}

fn reference(package: Option<&Value>) -> String {
    let text = |key: &str| package.and_then(|package| package[key].as_str()).unwrap_or_default();
    format!("pkg:cargo/{}@{}", text("name"), text("version"))
}
