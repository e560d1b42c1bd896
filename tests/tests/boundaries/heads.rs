//! Every file says at its head what it is about.

use std::fs;

use agui_tests::outside::workspace_dir;

use crate::source::rust_files;

#[test]
fn every_file_begins_with_a_sentence() {
    let root = workspace_dir();
    let mut files = 0;
    let mut silent = Vec::new();
    for folder in ["agui-macros/src", "agui-runtime/src", "agui-codegen/src", "tests/src"] {
        for path in rust_files(&root.join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            files += 1;
            if !text.starts_with("//! ") && !text.starts_with("// This file is @generated") {
                silent.push(path.strip_prefix(root).unwrap().display().to_string());
            }
        }
    }
    assert!(files > 400, "only {files} files: are they somewhere else?");
    assert_eq!(silent, [""; 0]);
}
