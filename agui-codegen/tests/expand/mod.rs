//! `agui-codegen expand`: what the macros themselves write down.

use std::fs;
use std::path::Path;

use super::{Ended, run, workspace};

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

/// Writes down what a macro would.
const BUILD: &str = "fn main() {
    println!(\"cargo:rerun-if-env-changed=AGUI_EXPAND_OUT\");
    assert_eq!(std::env::var(\"AGUI_EXPAND_CRATE\").unwrap(), \"shop shop other\");
    let tokens = \"struct price { name : String , }\";
    let record = format!(\"{}\\t#[tool]\\tprice\\t3\\tsrc/main.rs\\n{tokens}\\n\", tokens.len());
    std::fs::write(std::env::var(\"AGUI_EXPAND_OUT\").unwrap(), record).unwrap();
}
";

#[test]
fn there_may_be_nothing_to_say() {
    let folder = workspace("expand", &[("shop", "fn main() {}")]);
    let expand = |more: &[&str]| run(&folder, &[&["expand", "-p", "shop", "--offline"], more].concat());
    let none = "none of agui-runtime's macros is used in package `shop` (--bin shop)";
    expand(&[]).assert(2, &[none, "`--lib`"]);
    expand(&["--bin", "till"]).assert(2, &["no binary `till`; it has: shop"]);
    run(&folder, &["expand", "-p", "till"]).assert(2, &["no package `till`"]);

    fs::write(folder.join("shop/src/main.rs"), "fn main() { nobody_knows() }").unwrap();
    expand(&[]).assert(3, &["nobody_knows", "package `shop` does not build"]);
    // Where a program does not compile, what the macros gave is what one wants to see.
    fs::write(folder.join("shop/build.rs"), BUILD).unwrap();
    let shown = "// #[tool] on `price`, src/main.rs:3\nstruct price {\n    name: String,\n}\n";
    expand(&["price"]).assert(3, &[shown, "nobody_knows", "package `shop` does not build"]);
    let left = fs::read_dir(folder.join("target/agui-codegen")).unwrap().count();
    assert_eq!(left, 0, "what was written down is gone");
}
