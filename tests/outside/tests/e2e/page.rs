//! The page of an example: its bundle, its types, and a user's session in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agui_tests::outside::{Chromium, Finished, Node, artefact, finish, target_dir, workspace_dir};
use serde_json::{Map, Value, json};

/// The page in the folder `web` of an example.
#[derive(Clone, Copy)]
pub struct Page(pub &'static str);

impl Page {
    /// Returns a path in the folder of the example.
    pub fn path(self, path: &str) -> PathBuf {
        workspace_dir().join("examples").join(self.0).join(path)
    }

    /// Fails unless the committed bundle is made from the sources; with `AGUI_UPDATE=1` it is written.
    pub fn assert_bundle_fresh(self, node: &Node) {
        node.assert_bundle_fresh(&self.path("web/src/main.ts"), &self.path("web/dist/app.js"));
        node.assert_bundle_fresh(&self.path("web/app.css"), &self.path("web/dist/app.css"));
    }

    /// Type-checks the page in the folder of the example.
    pub fn type_check(self, node: &Node) -> Finished {
        type_check(node, &format!("{}-page", self.0), &self.path("web"))
    }

    /// Talks with the server in a browser. The script gets a path for each of the pictures, which it must take.
    pub fn browse(self, chromium: &Chromium, script: &str, url: &str, pictures: &[&str], job: &Value) {
        let name = script.trim_end_matches(".mjs");
        let pictures: Map<String, Value> = pictures
            .iter()
            .map(|picture| ((*picture).to_owned(), json!(artefact(&format!("{name}-page-{picture}.png")))))
            .collect();
        let mut job = job.as_object().cloned().unwrap_or_default();
        job.insert("pictures".to_owned(), json!(pictures));
        chromium.browse(&format!("{name}-page"), script, url, &Value::Object(job)).assert_ok();
        for (picture, path) in pictures {
            let taken = fs::read(path.as_str().unwrap_or_default()).unwrap_or_default();
            assert!(taken.starts_with(b"\x89PNG"), "no picture {picture}");
        }
    }
}

/// Type-checks the page in a folder with its own settings, except that the packages are those of the tests.
pub fn type_check(node: &Node, name: &str, web: &Path) -> Finished {
    let config = json!({
        "extends": web.join("tsconfig.json"),
        "compilerOptions": { "paths": { "*": [node.node_modules().join("*")] } },
        "include": [web.join("src")],
    });
    let folder = target_dir().join("outside/tsc");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.json"));
    fs::write(&path, config.to_string()).unwrap();
    let mut command = node.bin("tsc");
    command.arg("--project").arg(path);
    finish(command, "", Duration::from_secs(300))
}
