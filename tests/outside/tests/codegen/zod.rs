//! The test tools of `agui-codegen rust` are Zod's output for a page's declarations.

use std::fs;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Node, finish, workspace_dir};

const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn the_declared_tools_are_what_zod_makes() {
    let node = need!(Node::ready());
    let folder = workspace_dir().join("agui-codegen/tests/frontend");
    for draft in ["draft-7", "draft-2020-12"] {
        let mut command = node.command(folder.join("zod.mjs"));
        command.arg(draft);
        let made = finish(command, "", LIMIT).assert_success().stdout;
        let path = folder.join(format!("zod-{draft}.json"));
        if std::env::var_os("AGUI_UPDATE").is_some() {
            fs::write(&path, &made).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), made, "AGUI_UPDATE=1 writes {}", path.display());
    }
}
