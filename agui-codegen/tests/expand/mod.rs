//! `agui-codegen expand` without a macro, and in a program that does not compile. `real_runtime.rs` has the macros.

use std::fs;

use super::{run, workspace};

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
