//! Mistakes in one program could hide errors of each other, so each is compiled alone too: one of three kinds, one of each
//! kind with `AGUI_EXHAUSTIVE`, as in CI, or all of them with `AGUI_UI_ALONE=all`.

mod said;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use said::{Message, PROGRAMS, errors, faults, folder, mistakes, modules, read};

/// The folder of the programs, in the process that only writes the compiler's messages about them.
const FOLDER: &str = "AGUI_UI_ALONE_IN";

#[test]
fn a_mistake_alone_is_the_same_error() {
    if let Some(programs) = env::var_os(FOLDER) {
        return trybuild::TestCases::new().compile_fail(Path::new(&programs).join("*.rs"));
    }
    let programs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alone");
    let _ = fs::remove_dir_all(&programs);
    fs::create_dir_all(&programs).unwrap();
    let chosen = chosen();
    let written: Vec<PathBuf> = chosen.iter().map(|mistake| write_program(&programs, mistake)).collect();
    let done = Command::new(env::current_exe().unwrap())
        .args(["--exact", "a_mistake_alone_is_the_same_error"])
        .env(FOLDER, &programs)
        .env("TRYBUILD", "overwrite")
        .status()
        .unwrap();
    assert!(done.success(), "a mistake compiles");
    let mut wrong = Vec::new();
    for (mistake, program) in chosen.iter().zip(&written) {
        let said = read(&program.with_extension("stderr"));
        let messages: Vec<Message> = errors(&said).iter().map(|error| error.about(mistake)).collect();
        wrong.extend(faults(mistake, &messages));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("alone: {} of {} mistakes", chosen.len(), mistakes().len());
}

/// The mistakes to compile.
fn chosen() -> Vec<String> {
    let all = env::var_os("AGUI_UI_ALONE").is_some_and(|value| value == "all");
    let most = if env::var_os("AGUI_EXHAUSTIVE").is_some() { usize::MAX } else { 3 };
    let mut kinds = BTreeSet::new();
    let mut is_first =
        |mistake: &str| kinds.len() < most && kinds.insert(mistake.split('/').next().unwrap().to_owned());
    mistakes().into_iter().filter(|mistake| all || is_first(mistake)).collect()
}

/// Writes the program that has this mistake alone, with the attributes of the one that has it among others.
fn write_program(programs: &Path, mistake: &str) -> PathBuf {
    let others =
        PROGRAMS.iter().find(|program| modules(program).iter().any(|other| other == mistake)).unwrap();
    let others = read(&folder().join(format!("{others}.rs")));
    let attributes: Vec<&str> = others.lines().filter(|line| line.starts_with("#![")).collect();
    let (kind, name) = mistake.split_once('/').unwrap();
    let (kit, module) = (folder().join("kit/mod.rs"), folder().join(format!("{mistake}.rs")));
    let program = programs.join(format!("{kind}-{name}.rs"));
    let text = format!(
        "{}\n#[path = {kit:?}]\nmod kit;\nmod {kind} {{\n    #[path = {module:?}]\n    mod {name};\n}}\nfn main() {{}}\n",
        attributes.join("\n")
    );
    fs::write(&program, text).unwrap();
    program
}
