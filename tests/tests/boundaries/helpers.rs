//! An example of the docs that defines a helper also calls it: only a call shows how it is used.

use std::fs;

use agui_tests::outside::workspace_dir;

use crate::source::rust_files;

/// Returns the examples in the doc comments of a file, each as the lines of its Rust. A line that readers do not see
/// keeps its `# `.
fn examples(text: &str) -> Vec<Vec<&str>> {
    let mut examples = Vec::new();
    let mut example: Option<(bool, Vec<&str>)> = None;
    for line in text.lines() {
        let line = line.trim_start();
        let Some(line) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            example = None;
            continue;
        };
        let line = line.strip_prefix(' ').unwrap_or(line);
        match (line.strip_prefix("```"), &mut example) {
            (Some(info), None) => {
                let is_rust =
                    info.is_empty() || info.starts_with("no_run") || info.starts_with("compile_fail");
                example = Some((is_rust, Vec::new()));
            }
            (Some(_), Some(_)) => {
                examples.extend(example.take().filter(|(is_rust, _)| *is_rust).map(|(_, lines)| lines));
            }
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    examples
}

/// Returns the helpers of an example that nothing in it calls: functions outside of `impl`s that no macro makes into
/// more.
fn idle_helpers<'a>(example: &[&'a str]) -> Vec<&'a str> {
    let mut idle = Vec::new();
    let mut has_macro = false;
    for line in example {
        if line.starts_with("#[") {
            has_macro |= ["agent", "tool", "main", "agui_runtime::main"]
                .iter()
                .any(|name| line.strip_prefix("#[").is_some_and(|rest| rest.starts_with(name)));
            continue;
        }
        let declared = line.strip_prefix("pub ").unwrap_or(line);
        let declared = declared.strip_prefix("async ").unwrap_or(declared);
        if let Some(rest) = declared.strip_prefix("fn ") {
            let name = rest.split(['(', '<']).next().unwrap_or(rest);
            let uses = example.iter().flat_map(|line| words(line)).filter(|word| *word == name).count();
            if !has_macro && name != "main" && uses < 2 {
                idle.push(name);
            }
        }
        has_macro &= line.starts_with("//");
    }
    idle
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

#[test]
fn every_helper_of_an_example_is_called() {
    let src = workspace_dir().join("agui-runtime/src");
    let mut count = 0;
    let mut wrong = Vec::new();
    for path in rust_files(&src) {
        let text = fs::read_to_string(&path).unwrap();
        for example in examples(&text) {
            count += 1;
            let file = path.strip_prefix(&src).unwrap().display();
            wrong.extend(idle_helpers(&example).into_iter().map(|name| format!("{file}: `{name}`")));
        }
    }
    assert!(count > 300, "only {count} examples: are they somewhere else?");
    assert_eq!(wrong, [""; 0], "call these helpers in their examples, or write what they do without them");
}

#[test]
fn an_idle_helper_is_found() {
    let text = "/// ```\n/// fn idle(n: u8) {}\n/// fn used() {}\n/// used();\n/// #[agent]\n/// async fn chef() {}\n/// ```\n";
    let examples = examples(text);
    assert_eq!(idle_helpers(&examples[0]), ["idle"]);
}
