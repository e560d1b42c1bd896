//! A missing program: a visible skip on a laptop, a failed test in CI.

use std::{
    env,
    process::{Command, Output},
};

use agui_tests::{need, outside::Node};

/// Runs one test of this binary where no program can be found.
fn run_without_programs(test: &str, variable: Option<&str>) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test]).env("PATH", "/nowhere");
    for name in ["CI", "AGUI_REQUIRE_OUTSIDE", "AGUI_NODE", "AGUI_PYTHON", "AGUI_CHROMIUM"] {
        command.env_remove(name);
    }
    if let Some(name) = variable {
        command.env(name, "1");
    }
    command.output().unwrap()
}

#[test]
fn a_test_that_needs_node() {
    // The two tests below run it; by itself it reports that Node is there.
    let _node = need!(Node::ready());
}

#[test]
fn a_skip_is_visible_by_default() {
    for (test, program) in [
        ("missing::a_test_that_needs_node", "node"),
        ("validator::unknown_members_are_found_deep_inside", "python3"),
        ("browser::a_conversation_in_chromium_is_seen_and_pictured", "chromium"),
    ] {
        let output = run_without_programs(test, None);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{output:?}");
        assert!(
            stderr.contains(&format!("SKIPPED outside::{test}: {program} not found; install ")),
            "{stderr}"
        );
    }
}

#[test]
fn nothing_is_skipped_where_everything_is_required() {
    for variable in ["CI", "AGUI_REQUIRE_OUTSIDE"] {
        let output = run_without_programs("missing::a_test_that_needs_node", Some(variable));
        assert!(!output.status.success(), "{output:?}");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("a_test_that_needs_node cannot run: node not found"), "{told}");
    }
}
