//! The client programs of an example, run against its server.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::{ExampleServer, Finished, Generation, Node, Python, finish, target_dir, workspace_dir};

const LIMIT: Duration = Duration::from_secs(60);

/// The address that the programs name.
const HERE: &str = "http://127.0.0.1:8000/";

/// The programs `ts/main.ts` and `python/main.py` of an example, as its readers see them.
#[derive(Clone, Copy, Debug)]
pub struct ClientPrograms(pub &'static str);

impl ClientPrograms {
    /// Returns a path in the folder of the example.
    pub fn path(self, path: &str) -> PathBuf {
        workspace_dir().join("examples").join(self.0).join(path)
    }

    /// Fails unless the TypeScript program type-checks with both generations of the official client.
    pub fn assert_typescript_checks(self, node: &Node) {
        for generation in Generation::ALL {
            drop(node.type_check(self.0, generation, &[self.path("ts/main.ts")]).assert_success());
        }
    }

    /// Type-checks the TypeScript program with one part replaced by another.
    pub fn type_check_with(self, node: &Node, part: &str, other: &str) -> Finished {
        let source = self.read("ts/main.ts");
        assert!(source.contains(part), "`{part}` is not in the program");
        let client = format!("agui/{}/client.js", self.0);
        let generated = self.path(&format!("ts/{client}"));
        let changed = source
            .replace(part, other)
            .replace(&format!("./{client}"), generated.to_str().unwrap_or_default());
        let name = format!("{}-changed", self.0);
        node.type_check(&name, Generation::V1, &[self.scratch("changed.ts", &changed)])
    }

    /// Runs the TypeScript program against a server, with one generation of the official client.
    pub fn run_typescript(self, node: &Node, generation: Generation, server: &ExampleServer) -> Finished {
        let bundle = addressed(&node.bundle(&self.path("ts/main.ts")), server);
        let name = format!("main-{}.mjs", generation.version());
        let bundle = generation.imported_by(&bundle);
        finish(node.command(self.scratch(&name, &bundle)), "", LIMIT).assert_success()
    }

    /// Fails unless the Python program and the generated package type-check.
    pub fn assert_python_checks(self, python: &Python) {
        drop(python.type_check(&self.path("python"), &["main.py", "agui"]).assert_success());
    }

    /// Runs the Python program against a server.
    pub fn run_python(self, python: &Python, server: &ExampleServer) -> Finished {
        let program = addressed(&self.read("python/main.py"), server);
        let mut command = python.command(self.scratch("main.py", &program));
        command.env("PYTHONPATH", self.path("python"));
        finish(command, "", LIMIT).assert_success()
    }

    fn read(self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn scratch(self, name: &str, text: &str) -> PathBuf {
        let folder = target_dir().join("outside").join(self.0);
        fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join(name), text)).unwrap_or_else(
            |error| {
                panic!("{}: {error}", folder.display());
            },
        );
        folder.join(name)
    }
}

/// Returns the program with the address of this test's server.
fn addressed(source: &str, server: &ExampleServer) -> String {
    assert!(source.contains(HERE), "the program does not name {HERE}");
    source.replace(HERE, &format!("{}/", server.url().trim_end_matches('/')))
}
