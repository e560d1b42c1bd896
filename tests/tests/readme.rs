//! The README never lies: its blocks are files of the repository, which other tests compile and run, and its commands work.
//!
//! A block stands under a comment that names its file: `<!-- whole: path -->` or `<!-- part: path -->`. Console blocks have
//! none; each of their commands is tried here.

use std::fs;
use std::process::Command;

use agui_tests::outside::{ExampleServer, workspace_dir};

struct Block {
    line: usize,
    language: String,
    marker: Option<(String, String)>,
    text: String,
}

fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut marker = None;
    let mut lines = markdown.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<_> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with("```")).collect();
            blocks.push(Block {
                line: number + 1,
                language: language.to_owned(),
                marker: marker.take(),
                text: text.join("\n"),
            });
        } else if let Some(comment) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")) {
            let (kind, path) =
                comment.split_once(": ").expect("a comment of the README is `whole: path` or `part: path`");
            marker = Some((kind.to_owned(), path.to_owned()));
        }
    }
    blocks
}

fn readme() -> Vec<Block> {
    blocks(&fs::read_to_string(workspace_dir().join("README.md")).unwrap())
}

#[test]
fn every_block_is_a_file_of_the_repository() {
    let mut languages = Vec::new();
    for block in readme().iter().filter(|block| block.language != "console") {
        let place = format!("README.md:{}", block.line);
        let (kind, path) =
            block.marker.as_ref().unwrap_or_else(|| panic!("{place}: which file is this block?"));
        let file =
            fs::read_to_string(workspace_dir().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        match kind.as_str() {
            "whole" => assert_eq!(block.text.trim_end(), file.trim_end(), "{place} is not {path}"),
            "part" => assert!(file.contains(&block.text), "{place} is not in {path}:\n{}", block.text),
            other => panic!("{place}: `{other}` is neither `whole` nor `part`"),
        }
        languages.push(block.language.clone());
    }
    for language in ["rust", "ts", "python"] {
        assert!(languages.iter().any(|other| other == language), "the README shows no {language}");
    }
}

#[test]
fn the_first_agent_is_under_forty_lines() {
    let agent = readme().into_iter().find(|block| block.language == "rust").unwrap();
    assert!(agent.text.lines().count() < 40, "{} lines", agent.text.lines().count());
}

#[test]
fn every_command_works() {
    let mut tried = 0;
    for block in readme().iter().filter(|block| block.language == "console") {
        for command in block.text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let words: Vec<&str> = command.split_whitespace().collect();
            match words.as_slice() {
                // Running it is how this test runs.
                ["cargo", "test", "--workspace"] => {}
                ["cargo", "run", "-p", "agui-codegen", "--", "generate", rest @ ..] => {
                    generated_is_fresh(rest);
                }
                ["cargo", "run", "-p", example] => drop(ExampleServer::start(example)),
                _ => panic!("README.md:{}: nothing tries `{command}`", block.line),
            }
            tried += 1;
        }
    }
    assert!(tried >= 3, "only {tried} commands in the README");
}

fn generated_is_fresh(rest: &[&str]) {
    let output = Command::new(env!("CARGO"))
        .current_dir(workspace_dir())
        .args(["run", "--quiet", "-p", "agui-codegen", "--", "generate", "--check"])
        .args(rest)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "agui-codegen generate --check {}:\n{}{}",
        rest.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
