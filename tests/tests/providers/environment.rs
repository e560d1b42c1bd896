//! The model that the environment names, in a process of its own, because the environment is one of a process.

use std::process::Command;

use agui_runtime::model::{Model, Reply, ScriptedModel};

/// Set in the processes that this test starts.
const INSIDE: &str = "AGUI_TEST_INSIDE";

/// Returns the outcome of `from_env` and `from_env_or` with these variables alone.
fn outcome(variables: &[(&str, &str)]) -> (String, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "environment::the_environment_names_the_model", "--nocapture"]);
    for name in ["AGUI_MODEL", "AGUI_MODEL_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST"] {
        command.env_remove(name);
    }
    let output = command.env(INSIDE, "1").envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |name: &str| {
        let line = text.lines().find_map(|line| line.split_once(name).map(|(_, rest)| rest.to_owned()));
        line.unwrap_or_else(|| panic!("{text}"))
    };
    (line("from_env: "), line("from_env_or: "))
}

#[test]
fn the_environment_names_the_model() {
    let said = |model: Result<Model, agui_runtime::provider::ModelConfigError>| match model {
        Ok(model) => format!("{} {}", model.provider(), model.name()),
        Err(error) => error.to_string(),
    };
    if std::env::var_os(INSIDE).is_some() {
        println!("\nfrom_env: {}", said(Model::from_env()));
        let script = ScriptedModel::new([Reply::text("Hello!")]);
        println!("from_env_or: {}", said(Model::from_env_or(script)));
        return;
    }
    let both = |text: &str| (text.to_owned(), text.to_owned());
    let openai = [("AGUI_MODEL", " openai:gpt-5-mini "), ("OPENAI_API_KEY", "sk-1")];
    assert_eq!(outcome(&openai), both("openai gpt-5-mini"));
    assert_eq!(outcome(&[("AGUI_MODEL", "ollama:qwen3")]), both("ollama qwen3"));
    assert_eq!(outcome(&[("AGUI_MODEL", "https://llm.example.com/v1#m")]), both("llm.example.com m"));
    // Several models stand in for each other. Each must be usable.
    let two = [("AGUI_MODEL", "ollama:qwen3, anthropic:claude-sonnet-4-5"), ("ANTHROPIC_API_KEY", "sk-1")];
    assert_eq!(outcome(&two), both("ollama qwen3"));
    assert_eq!(outcome(&two[..1]), both("the model of `anthropic` needs a key in ANTHROPIC_API_KEY"));
    assert!(outcome(&[("AGUI_MODEL", "ollama:qwen3,")]).0.contains("names no model"));
    // A script is never taken for a model.
    let missing = "the model of `anthropic` needs a key in ANTHROPIC_API_KEY";
    assert_eq!(outcome(&[("AGUI_MODEL", "anthropic:claude-sonnet-4-5")]), both(missing));
    let (unset, script) = outcome(&[("AGUI_MODEL", " ")]);
    assert!(unset.starts_with("AGUI_MODEL is not set"), "{unset}");
    assert_eq!(script, "scripted script");
}
