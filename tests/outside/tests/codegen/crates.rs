//! Types of crates that are not ours: two of them have types of one name, Kubernetes' names are paths, the schemas have
//! keywords of OpenAPI, and eight crates have scalars. The package `agui-foreign` lists the types and the samples.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use agui_codegen::Manifest;
use agui_codegen::ir::AgentDecl;
use agui_codegen::lower::lower;
use agui_tests::{
    need,
    outside::{Node, Python, cargo, finish, workspace_dir},
};
use serde_json::{Value, json};

use super::{folder, python, typescript, write};

/// The greatest size of `agent.ts`, in bytes. With each definition in both directions it would be nearly twice as large.
const AGENT_SIZE: usize = 400_000;

const BUILD: Duration = Duration::from_secs(3_000);

/// The manifest of the types, and the samples of each.
fn foreign() -> (Manifest, Vec<Value>) {
    let mut command: Command = cargo();
    command.args(["run", "--quiet", "--package", "agui-foreign"]).current_dir(workspace_dir());
    let printed: Value = finish(command, "", BUILD).assert_success().json();
    let manifest = Manifest::from_json(&printed["manifest"].to_string()).unwrap();
    (manifest, printed["shapes"].as_array().unwrap().clone())
}

/// A job for the judge of each sample.
fn jobs(shapes: &[Value]) -> Vec<Value> {
    let mut jobs = Vec::new();
    for shape in shapes {
        let mut job = |way: &str, value: &Value, fits: bool| {
            jobs.push(json!({
                "case": "foreign", "name": shape["name"], "way": way, "value": value, "fits": fits,
            }));
        };
        for value in shape["written"].as_array().unwrap() {
            job("written", value, true);
            job("read", value, true);
        }
        shape["refused"].as_array().unwrap().iter().for_each(|value| job("read", value, false));
    }
    jobs
}

/// Most types travel in both directions in one form, and `agent.ts` holds the schema of each of them once.
fn assert_each_definition_once(agent: &AgentDecl, files: &[PathBuf]) {
    let path = files.iter().find(|path| path.ends_with("agent.ts")).unwrap();
    let size = fs::read_to_string(path).unwrap().len();
    let (written, read) = (&agent.out_schemas, &agent.in_schemas);
    let same = written.iter().filter(|(name, schema)| read.get(*name) == Some(schema)).count();
    eprintln!(
        "{} types; agent.ts: {size} bytes, {} definitions, {same} of them the same in both directions",
        agent.types.len(),
        written.len() + read.len() - same
    );
    assert!(same > 200, "{same}");
    assert!(size <= AGENT_SIZE, "agent.ts has {size} bytes, and {AGENT_SIZE} are allowed");
}

#[test]
fn types_of_other_crates_are_generated_and_checked() {
    let (node, python_program) = (need!(Node::ready()), need!(Python::ready()));
    let (manifest, shapes) = foreign();
    let api = lower(&manifest).unwrap();
    let types = &api.agents[0].types;
    for name in ["Pod", "CoreEvent", "EventsEvent", "V1ContentBlock", "ModelContentBlock"] {
        assert!(types.contains_key(name), "no {name} among {:?}", types.keys().collect::<Vec<_>>());
    }
    assert!(types.len() > 150, "{} types", types.len());
    let warnings = api.all_warnings();
    assert!(warnings.len() <= 2, "{warnings:#?}");
    assert!(warnings.iter().any(|warning| warning.contains("`discriminator` of")), "{warnings:#?}");

    assert_eq!(api.agents[0].tools.len(), 24);

    let folder = folder("crates");
    let files = write(&manifest, "ts", &folder);
    assert_each_definition_once(&api.agents[0], &files);
    drop(node.type_check("crates", agui_tests::outside::Generation::V1, &files).assert_success());
    let jobs = jobs(&shapes);
    assert!(jobs.len() > 60, "{} jobs", jobs.len());
    let wrong = typescript::judge(&node, &folder, &["foreign"], jobs.clone());
    assert_eq!(wrong, Value::Array(vec![]), "{wrong:#}");

    drop(write(&manifest, "python", &folder.join("foreign_api")));
    let mut jobs = jobs;
    jobs.iter_mut().for_each(|job| job["style"] = json!("api"));
    let report = python::judge(&python_program, &folder, jobs);
    // Kubernetes' schemas have the members in another order than serde writes them.
    let wrong: Vec<&Value> =
        report["wrong"].as_array().unwrap().iter().filter(|job| job["dump"] != job["value"]).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
