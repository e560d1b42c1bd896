//! Generated code stands on its own feet: it compiles where the runtime has another name and the usual names mean
//! something else.

use std::fs;
use std::path::Path;

use agui_tests::outside::cargo;

#[test]
fn a_crate_that_renames_the_runtime_and_takes_every_name() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("renamed");
    fs::create_dir_all(&folder).unwrap();
    let manifest = format!(
        r#"
            [package]
            name = "renamed"
            version = "0.1.0"
            edition = "2024"
            publish = false

            [lib]
            path = {source:?}

            [dependencies]
            kitchen = {{ package = "agui-runtime", path = {runtime:?}, default-features = false }}
            schemars = "1"
            serde = {{ version = "1", features = ["derive"] }}

            [workspace]
        "#,
        source = workspace.join("tests/tests/renamed/lib.rs"),
        runtime = workspace.join("agui-runtime"),
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    // The versions the workspace was tested with, and no need for a network.
    fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let check = cargo()
        .args(["check", "--offline", "--quiet", "--target-dir"])
        .arg(folder.join("target"))
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}
