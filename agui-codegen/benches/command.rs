//! The time of the whole command for a program with 50 types: with a manifest at hand, with nothing to build, and after
//! an edit of one of them. The time of cargo alone after the edit is printed beside it.
//!
//! `cargo bench -p agui-codegen --bench command`. Fails if one of them misses its goal. The program is built as a
//! developer builds it, in a folder of the workspace's target.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::panic)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The goal of each.
const GOALS: [(&str, Duration); 3] = [
    ("with the manifest at hand, nothing to write", Duration::from_millis(20)),
    ("nothing to build, nothing to write", Duration::from_millis(100)),
    ("after an edit", Duration::from_millis(1_200)),
];

/// A program with one agent and 50 types, all of which it needs.
fn program() -> String {
    let mut text = String::from(
        "use agui_runtime::{Finished, Input, Run, Stop, agent};\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n",
    );
    for index in 0..50 {
        let inner =
            (0..8).filter(|bit| index * 2 + bit + 1 < 50 && *bit < 2).fold(String::new(), |mut all, bit| {
                let other = index * 2 + bit + 1;
                writeln!(all, "    part{bit}: Vec<Type{other}>,").unwrap();
                all
            });
        let derive = "#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]";
        let rest =
            "    id: u32,\n    name: Option<String>,\n    values: std::collections::BTreeMap<String, f64>,\n";
        writeln!(text, "\n/// One of many.\n{derive}\nstruct Type{index} {{\n{rest}{inner}}}").unwrap();
    }
    text += "
#[derive(Clone, Serialize, JsonSchema, agui_runtime::CustomEvent)]
struct Everything(Type0);

struct Chef;

#[agent(events = [Everything])]
impl Chef {
    async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
        run.custom(Everything(Type0::default())).await?;
        Ok(())
    }
}

#[agui_runtime::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(agui_runtime::serve(Chef).await?)
}
";
    text
}

fn project() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fifty");
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"fifty\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nagui-runtime = {{ path = {:?} }}\n\
         schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n\n[profile.dev]\ndebug = false\n\n[workspace]\n",
        workspace.join("agui-runtime")
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    fs::write(folder.join("src/main.rs"), program()).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Duration {
    time(folder, Command::new(env!("CARGO_BIN_EXE_agui-codegen")).args(arguments))
}

fn cargo(folder: &Path) -> Duration {
    time(folder, Command::new(env!("CARGO")).args(["build", "--quiet"]))
}

fn time(folder: &Path, command: &mut Command) -> Duration {
    command.current_dir(folder);
    // The same environment as a developer's.
    for name in ["CARGO_TARGET_DIR", "CARGO_INCREMENTAL", "CARGO_MANIFEST_DIR"] {
        command.env_remove(name);
    }
    let start = Instant::now();
    let output = command.output().unwrap();
    let time = start.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    time
}

/// The minimum of some measurements: other load on the machine only adds to it.
fn least(times: usize, mut work: impl FnMut() -> Duration) -> Duration {
    (0..times).map(|_| work()).min().unwrap()
}

fn main() {
    let folder = project();
    let both = ["--ts", "web", "--python", "client"];
    let generate = |more: &[&str]| run(&folder, &[&["generate"], more, both.as_slice()].concat());
    let file = ["--manifest", "agui.manifest.json"];
    run(&folder, &["manifest", "-o", file[1]]);
    generate(&file);
    let at_hand = least(20, || generate(&file));
    generate(&[]);
    let nothing = least(20, || generate(&[]));
    let mut edits = 0;
    let mut edit = || {
        edits += 1;
        let changed =
            program().replacen("    id: u32,\n    name", &format!("    id{edits}: u32,\n    name"), 1);
        fs::write(folder.join("src/main.rs"), changed).unwrap();
    };
    let built = least(5, || {
        edit();
        cargo(&folder)
    });
    let edited = least(5, || {
        edit();
        generate(&[])
    });
    println!("cargo alone, after an edit: {built:.1?}");
    let mut missed = false;
    for ((what, goal), time) in GOALS.into_iter().zip([at_hand, nothing, edited]) {
        println!("{what}: {time:.1?} (goal {goal:?})");
        missed |= time > goal;
    }
    if missed {
        std::process::exit(1);
    }
}
