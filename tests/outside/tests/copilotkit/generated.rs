//! The TypeScript of an agent with the hooks of CopilotKit, and that of the generator's README.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_tests::outside::{built, finish, target_dir};

const LIMIT: Duration = Duration::from_secs(60);

/// Makes an empty folder for a page.
pub fn empty(name: &str) -> PathBuf {
    let folder = target_dir().join("outside").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the TypeScript of a program's agent below `folder`, with the hooks of CopilotKit, and returns its place.
pub fn generated(program: &Path, folder: &Path) -> PathBuf {
    let manifest = folder.join("agui.manifest.json");
    write_manifest(program, &manifest);
    let mut generator = Command::new(built("agui-codegen"));
    generator.args(["generate", "--react", "v2", "--manifest"]).arg(&manifest);
    generator.arg("--ts").arg(folder.join("ts"));
    drop(finish(generator, "", LIMIT).assert_success());
    folder.join("ts")
}

/// The code of the generator's README for CopilotKit's runtime: a runner, and its use.
pub fn runner_of_readme() -> [&'static str; 2] {
    let readme = include_str!("../../../../agui-codegen/README.md");
    let blocks = readme.split("```ts\n").skip(1).filter_map(|block| block.split_once("```"));
    let found: Vec<_> =
        blocks.map(|(block, _)| block).filter(|block| block.contains("ThreadRunner")).collect();
    found.try_into().unwrap()
}

/// Writes the manifest of the agents of a program.
pub fn write_manifest(program: &Path, manifest: &Path) {
    let mut agent = Command::new(program);
    agent.env("AGUI_MANIFEST_OUT", manifest);
    drop(finish(agent, "", LIMIT).assert_success());
}
