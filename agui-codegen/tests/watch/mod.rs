//! `agui-codegen generate --watch`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::{ANSWERS, kitchen, workspace};

#[test]
fn a_change_is_generated_at_once() {
    let folder = workspace("watch", &[("answers", ANSWERS)]);
    fs::write(folder.join("answers/src/manifest.json"), kitchen()).unwrap();
    fs::write(folder.join("answers/agui-codegen.toml"), "ts = \"agui\"\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
    command.args(["generate", "--watch"]).current_dir(&folder).env_remove("CARGO_TARGET_DIR");
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.ends_with("types.ts")), "it generates at first");
    let main = folder.join("answers/src/main.rs");
    let types = folder.join("answers/agui/kitchen/types.ts");
    let changed_at = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let mut after_the_build = Vec::new();
    for name in ["name", "label", "heading"] {
        let renamed = format!("include_str!(\"manifest.json\").replace(\"title\", \"{name}\")");
        fs::write(&main, ANSWERS.replace("include_str!(\"manifest.json\")", &renamed)).unwrap();
        assert!(lines.any(|line| line.ends_with("types.ts")), "and again");
        let text = fs::read_to_string(&types).unwrap();
        assert!(text.contains(&format!("  {name}: string;")), "{text}");
        let built = changed_at(&folder.join("target/debug/answers"));
        after_the_build.push(changed_at(&types).duration_since(built).unwrap_or_default());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The best of three, because the machine may be busy.
    let best = after_the_build.iter().min().unwrap();
    assert!(*best < std::time::Duration::from_secs(1), "{after_the_build:?} after the build");
}

/// Included files, a package outside of the workspace, and the files that its build script reads.
#[test]
fn everything_a_program_is_made_of_is_watched() {
    let main = ANSWERS.replace(
        "include_str!(\"manifest.json\")",
        "include_str!(\"manifest.json\").replace(\"title\", menu::TITLE).replace(\"ingredients\", menu::PARTS)",
    );
    let folder = workspace("watch-all/inside", &[("answers", &main)]);
    let write = |path: &str, text: &str| {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    };
    let manifest = fs::read_to_string(folder.join("answers/Cargo.toml")).unwrap();
    write("answers/Cargo.toml", &format!("{manifest}\n[dependencies]\nmenu = {{ path = \"../../menu\" }}\n"));
    write("answers/agui-codegen.toml", "ts = \"agui\"\n");
    write("answers/src/manifest.json", &kitchen());
    write("../menu/Cargo.toml", "[package]\nname = \"menu\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let library = |title: &str| {
        format!("pub const TITLE: &str = {title:?};\npub const PARTS: &str = env!(\"PARTS\");\n")
    };
    let script = "fn main() {
        println!(\"cargo::rerun-if-changed=parts\");
        let parts = std::fs::read_to_string(\"parts/name.txt\").unwrap();
        println!(\"cargo::rustc-env=PARTS={parts}\");
    }";
    write("../menu/build.rs", script);
    write("../menu/parts/name.txt", "ingredients");
    // At first, not even its dependency compiles.
    write("../menu/src/lib.rs", "no Rust");

    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
    command.args(["generate", "--watch", "--offline"]).current_dir(&folder).env_remove("CARGO_TARGET_DIR");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (sender, lines) = mpsc::channel();
    for output in [
        Box::new(child.stdout.take().unwrap()) as Box<dyn std::io::Read + Send>,
        Box::new(child.stderr.take().unwrap()),
    ] {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                drop(sender.send(line));
            }
        });
    }
    let mut said = Vec::new();
    let mut wait_for = |end: &str| {
        while let Ok(line) = lines.recv_timeout(Duration::from_secs(60)) {
            said.push(line.clone());
            if line.ends_with(end) {
                return Ok(());
            }
        }
        Err(format!("no {end} in {said:#?}"))
    };
    let mut steps = || -> Result<(), String> {
        wait_for("see the output of cargo above")?;
        for (path, text, member) in [
            ("../menu/src/lib.rs", library("name"), "name: string"),
            ("../menu/src/lib.rs", library("label"), "label: string"),
            ("answers/src/manifest.json", kitchen().replace("Ingredient", "Part"), "export type Part = {"),
            ("../menu/parts/name.txt", "things".into(), "things: "),
        ] {
            write(path, &text);
            wait_for("types.ts").map_err(|error| format!("{path}: {error}"))?;
            let types = fs::read_to_string(folder.join("answers/agui/kitchen/types.ts")).unwrap();
            assert!(types.contains(member), "{path}: no {member} in {types}");
        }
        Ok(())
    };
    let done = steps();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(done, Ok(()));
}
