//! Type checkers and the bundler.

use std::{fs, panic, path::PathBuf};

use agui_tests::{
    need,
    outside::{Generation, Node, Python, target_dir},
};

/// A new folder for a test's own files.
fn folder(name: &str) -> PathBuf {
    let folder = target_dir().join("outside/compilers").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(folder: &str, name: &str, text: &str) -> PathBuf {
    let path = self::folder(folder).join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn typescript_is_checked_against_the_client_of_either_generation() {
    let node = need!(Node::ready());
    let right = "import { HttpAgent } from '@ag-ui/client';
        export const agent: HttpAgent = new HttpAgent({ url: '/', threadId: 't' });
        export const ids: string[] = agent.messages.map((message) => message.id);";
    let wrong = "import { HttpAgent } from '@ag-ui/client';
        export const agent = new HttpAgent({ url: 7 });
        export const late: { at?: string } = { at: undefined };";
    // Only the newer client knows this one.
    let newer = "import type { RunFinishedCancelledOutcome } from '@ag-ui/core';
        export const outcome: RunFinishedCancelledOutcome = { type: 'cancelled' };";
    let check = |name: &str, generation: Generation, text| {
        let name = format!("{name}-{}", generation.version());
        node.type_check(&name, generation, &[file(&name, "main.ts", text)])
    };
    for generation in Generation::ALL {
        let _ = check("right", generation, right).assert_success();
        let refused = check("wrong", generation, wrong);
        assert!(!refused.status.success());
        assert!(refused.stdout.contains("main.ts(2,46): error TS2322"), "{refused}");
        assert!(refused.stdout.contains("exactOptionalPropertyTypes"), "{refused}");
    }
    let _ = check("newer", Generation::V1, newer).assert_success();
    assert!(!check("newer", Generation::Legacy, newer).status.success());
}

#[test]
fn python_is_checked_strictly() {
    let python = need!(Python::ready());
    let folder = folder("mypy");
    fs::write(folder.join("right.py"), "from ag_ui.core import Tool\n\ntools: list[Tool] = []\n").unwrap();
    fs::write(folder.join("wrong.py"), "def f(x):\n    return x\n").unwrap();
    let _ = python.type_check(&folder, &["right.py"]).assert_success();
    let refused = python.type_check(&folder, &["wrong.py"]);
    assert!(refused.stdout.contains("Function is missing a type annotation"), "{refused}");
}

#[test]
fn a_bundle_contains_its_packages_and_an_old_one_is_found() {
    let node = need!(Node::ready());
    let entry = file(
        "bundle",
        "main.ts",
        "import { HttpAgent } from '@ag-ui/client';\nconsole.log(HttpAgent as unknown);\n",
    );
    let bundle = entry.with_file_name("main.js");
    let made = node.bundle(&entry);
    assert!(made.len() > 50_000, "{} bytes", made.len());
    assert_eq!(made, node.bundle(&entry));

    fs::write(&bundle, &made).unwrap();
    node.assert_bundle_fresh(&entry, &bundle);
    fs::write(&bundle, "// old").unwrap();
    assert!(panic::catch_unwind(|| node.assert_bundle_fresh(&entry, &bundle)).is_err());
}
