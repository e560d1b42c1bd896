//! `agui-codegen expand`: the records of the macros.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Ended, over_the_runtime, run, workspace};

#[test]
fn the_macros_say_what_they_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let expand = |item: &str| -> Ended { run(root, &["expand", "-p", "shopper", "--locked", item]) };
    let tool = expand("price");
    tool.assert(
        0,
        &[
            "// #[tool] on `price`, examples/shopper/src/main.rs:",
            "impl ::agui_runtime::__private::Tool for price {\n",
        ],
    );
    assert!(!tool.said.contains("AGUI_EXPAND") && !tool.said.contains("Shopper"), "{}", tool.said);
    assert_eq!(expand("shopper::price").said, tool.said, "nothing changed, and it is said again");
    let file = expand("src/main.rs").said;
    for head in
        ["#[tool] on `price`", "#[tool] on `checkout`", "#[agent] on `shopper`", "#[derive(State)] on `List`"]
    {
        assert!(file.contains(&format!("// {head}, examples/shopper/src/main.rs:")), "{head}: {file}");
    }
    assert!(file.contains(tool.said.trim_end()), "{file}");
    expand("Shopper").assert(0, &["// #[agent] on `shopper`, ", "struct Shopper {}\n"]);
    expand("cost").assert(
        2,
        &[
            "no macro of agui-runtime is on `cost` in package `shopper` (--bin shopper)",
            "#[tool] on `checkout`",
        ],
    );
}

/// A library and a program with one name are two crates: the record of one does not hold the other, and the library of
/// the ordinary build is not recorded.
#[test]
fn a_library_and_a_program_may_have_one_name() {
    let (folder, target) =
        over_the_runtime("expand-twice", "agui-runtime = { path = \"RUNTIME\", default-features = false }");
    fs::create_dir_all(folder.join("src")).unwrap();
    let event = |name: &str| {
        format!(
            "#[derive(serde::Serialize, schemars::JsonSchema, agui_runtime::CustomEvent)]\npub struct {name} {{ pub heat: u8 }}\n"
        )
    };
    fs::write(folder.join("src/lib.rs"), event("InLibrary")).unwrap();
    fs::write(
        folder.join("src/main.rs"),
        event("InProgram") + "fn main() { drop(expand_twice::InLibrary { heat: 1 }) }\n",
    )
    .unwrap();
    let build = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--lib", "--offline", "--target-dir"]).arg(&target).current_dir(&folder);
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let expand = |part: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
        command.current_dir(&folder).env("CARGO_TARGET_DIR", &target).args(["expand", "--offline"]);
        let output = command.args(part).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        ["InLibrary", "InProgram"].map(|name| said.matches(&format!("on `{name}`, src/")).count())
    };
    // The library is built on the way, as in an ordinary build.
    assert_eq!(expand(&["--bin", "expand-twice"]), [0, 1]);
    let again = build();
    assert!(!again.contains("Compiling"), "{again}");
    assert_eq!(expand(&["--lib"]), [1, 0]);
    assert_eq!(expand(&[]), [1, 1]);
}

/// Writes a record as a macro would.
const BUILD: &str = "fn main() {
    println!(\"cargo:rerun-if-env-changed=AGUI_EXPAND_OUT\");
    let tokens = \"struct price { name : String , }\";
    let record = format!(\"{}\\t#[tool]\\tprice\\t3\\tsrc/main.rs\\n{tokens}\\n\", tokens.len());
    std::fs::write(std::env::var(\"AGUI_EXPAND_OUT\").unwrap(), record).unwrap();
}
";

#[test]
fn there_may_be_nothing_to_say() {
    let folder = workspace("expand", &[("shop", "fn main() {}")]);
    let expand = |more: &[&str]| run(&folder, &[&["expand", "-p", "shop", "--offline"], more].concat());
    let none = "package `shop` (--bin shop) uses no macro of agui-runtime";
    expand(&[]).assert(2, &[none, "`--lib`"]);
    expand(&["--bin", "till"]).assert(2, &["no binary `till`; it has: shop"]);
    run(&folder, &["expand", "-p", "till"]).assert(2, &["no package `till`"]);

    fs::write(folder.join("shop/src/main.rs"), "fn main() { nobody_knows() }").unwrap();
    expand(&[]).assert(3, &["nobody_knows", "package `shop` does not build"]);
    // If a program does not compile, the output of the macros is of most use.
    fs::write(folder.join("shop/build.rs"), BUILD).unwrap();
    let shown = "// #[tool] on `price`, src/main.rs:3\nstruct price {\n    name: String,\n}\n";
    expand(&["price"]).assert(3, &[shown, "nobody_knows", "package `shop` does not build"]);
    let left = fs::read_dir(folder.join("target/agui-codegen")).unwrap().count();
    assert_eq!(left, 0, "what was written down is gone");
}
