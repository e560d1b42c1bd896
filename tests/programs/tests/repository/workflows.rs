//! The workflows of GitHub run the steps of `.ci/run`, each as a job of its own.

use std::collections::BTreeSet;

use crate::read;

/// The steps that the workflow has no job for: each job does the first, and the second compares with the run's own beginning.
const OF_EVERY_RUN: [&str; 2] = ["install_what_is_missing", "nothing_is_left_in_the_work_tree"];

/// The step that only the workflow has, because it needs more of a network than registries.
const OF_THE_WORKFLOW: &str = "advisories";

/// The steps of the function `everything`: the words after each `steps`.
fn steps(script: &str) -> BTreeSet<&str> {
    let body = script.split("\neverything() {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap();
    let after = body.split("steps ").skip(1).flat_map(|rest| {
        let words = rest.split_whitespace().filter(|word| *word != "\\");
        words
            .take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'))
    });
    after.filter(|word| script.contains(&format!("\n{word}() {{"))).collect()
}

/// The list of a job's matrix.
fn jobs(workflow: &str) -> BTreeSet<&str> {
    let list =
        workflow.lines().skip_while(|line| line.trim() != "step:" || !line.starts_with("        ")).skip(1);
    list.map_while(|line| line.trim().strip_prefix("- ")).collect()
}

#[test]
fn the_workflow_has_a_job_for_each_step() {
    let (script, workflow) = (read(".ci/run"), read(".github/workflows/ci.yml"));
    let (mut steps, mut jobs) = (steps(&script), jobs(&workflow));
    assert!(steps.len() > 15, "{steps:?}");
    for step in OF_EVERY_RUN {
        assert!(steps.remove(step), "{step} is no step");
    }
    assert!(script.contains(&format!("\n{OF_THE_WORKFLOW}() {{")));
    assert!(jobs.remove(OF_THE_WORKFLOW), "the workflow has no job {OF_THE_WORKFLOW}");
    assert_eq!(jobs, steps);
}

/// An owner or a template that names a moved file would be ignored.
#[test]
fn the_owners_of_files_name_what_is_there() {
    let owners = read(".github/CODEOWNERS");
    let paths = owners.lines().filter_map(|line| line.strip_prefix('/')?.split(' ').next());
    let missing: Vec<_> = paths.filter(|path| !agui_programs::workspace_dir().join(path).exists()).collect();
    assert_eq!(missing, [""; 0]);
}
