//! Type checkers over generated code: TypeScript against either client, mypy.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};

use agui_programs::outside_dir;

use super::{Finished, Generation, Node, Python, finish};

const LIMIT: Duration = Duration::from_secs(300);

impl Node {
    /// Checks TypeScript files, and their imports, with all strict options; `@ag-ui/client` and `@ag-ui/core` are those
    /// of `generation`. `name` tells parallel checks apart.
    ///
    /// The caller judges the result; the errors of `tsc` are in its `stdout`.
    #[must_use]
    pub fn type_check(&self, name: &str, generation: Generation, files: &[PathBuf]) -> Finished {
        let packages = self.node_modules();
        let (client, core) = match generation {
            Generation::V1 => (packages.join("@ag-ui/client"), packages.join("@ag-ui/core")),
            Generation::Legacy => {
                let client = packages.join("ag-ui-client-legacy");
                let core = client.join("node_modules/@ag-ui/core");
                (client, core)
            }
        };
        let packages = json!({
            "@ag-ui/client": [client],
            "@ag-ui/core": [core],
            "*": [packages.join("*")],
        });
        self.type_check_with(&format!("{name}-{}", generation.version()), &packages, files)
    }

    /// Does the same with packages from other places, as the option `paths` of `tsc`.
    #[must_use]
    pub fn type_check_with(&self, name: &str, packages: &Value, files: &[PathBuf]) -> Finished {
        let config = json!({
            "compilerOptions": {
                "strict": true,
                "exactOptionalPropertyTypes": true,
                "noImplicitOverride": true,
                "noUncheckedIndexedAccess": true,
                "noUnusedLocals": true,
                "noEmit": true,
                "target": "es2022",
                "module": "esnext",
                "moduleResolution": "bundler",
                "verbatimModuleSyntax": true,
                "isolatedModules": true,
                "erasableSyntaxOnly": true,
                "lib": ["es2022", "dom", "dom.iterable"],
                "jsx": "react-jsx",
                "types": [],
                // The packages' own declarations are not ours to check.
                "skipLibCheck": true,
                "paths": packages,
            },
            "files": files,
        });
        let folder = outside_dir().join("tsc");
        let path = folder.join(format!("{name}.json"));
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, config.to_string()));
        assert!(written.is_ok(), "{}: {written:?}", path.display());
        let mut command = self.bin("tsc");
        command.arg("--project").arg(&path);
        finish(command, "", LIMIT)
    }
}

impl Python {
    /// Checks Python files and packages with `mypy --strict`, run in `folder`, where imports start.
    ///
    /// The caller judges the result; the errors of mypy are in its `stdout`.
    #[must_use]
    pub fn type_check(&self, folder: &Path, paths: &[&str]) -> Finished {
        let mut command = self.module("mypy");
        command.arg("--strict").arg("--cache-dir").arg(outside_dir().join("mypy"));
        command.args(paths).current_dir(folder);
        finish(command, "", LIMIT)
    }
}
