//! The TypeScript of an agent, and the code for pages in the generator's README.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{built, finish, target_dir};

const LIMIT: Duration = Duration::from_secs(60);
const README: &str = include_str!("../../../agui-codegen/README.md");

/// Makes an empty folder for a page.
#[must_use]
pub fn empty(name: &str) -> PathBuf {
    let folder = target_dir().join("outside").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the TypeScript of a program's agent below `folder`, with the hooks of CopilotKit, and returns its place.
#[must_use]
pub fn generated(program: &Path, folder: &Path) -> PathBuf {
    let manifest = folder.join("agui.manifest.json");
    write_manifest(program, &manifest);
    let mut generator = Command::new(built("agui-codegen"));
    generator.args(["generate", "--react", "v2", "--manifest"]).arg(&manifest);
    generator.arg("--ts").arg(folder.join("ts"));
    drop(finish(generator, "", LIMIT).assert_success());
    folder.join("ts")
}

/// Writes the manifest of the agents of a program.
pub fn write_manifest(program: &Path, manifest: &Path) {
    let mut agent = Command::new(program);
    agent.env("AGUI_MANIFEST_OUT", manifest);
    drop(finish(agent, "", LIMIT).assert_success());
}

/// The code of the generator's README for CopilotKit's runtime: a runner, and its use.
#[must_use]
pub fn runner_of_readme() -> [&'static str; 2] {
    blocks_with("ThreadRunner").try_into().unwrap()
}

/// The adapter of the generator's README for assistant-ui's list of threads.
#[must_use]
pub fn thread_list_adapter_of_readme() -> &'static str {
    let [adapter] = blocks_with("RemoteThreadListAdapter").try_into().unwrap();
    adapter
}

fn blocks_with(name: &str) -> Vec<&'static str> {
    let blocks = README.split("```ts\n").skip(1).filter_map(|block| block.split_once("```"));
    blocks.map(|(block, _)| block).filter(|block| block.contains(name)).collect()
}
