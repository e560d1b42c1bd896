//! The checks of generated code beside the compilers: eslint, pyright, ruff, and the declarations of React hooks.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::{Value, json};

use agui_programs::{installed, tests_dir};

use super::{Finished, Missing, Python, finish};

const LIMIT: Duration = Duration::from_secs(300);

/// The packages of `tests/node/checkers`.
#[derive(Debug, Clone)]
pub struct Checkers {
    node: PathBuf,
    packages: PathBuf,
}

impl Checkers {
    /// Finds Node, and installs the packages of `tests/node/checkers/package-lock.json` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        // CopilotKit has peer dependencies that are not needed here.
        let (node, packages) =
            installed("checkers", &tests_dir().join("node/checkers"), &["--legacy-peer-deps"])?;
        Ok(Self { node, packages })
    }

    fn module(&self, path: &str) -> PathBuf {
        self.packages.join("node_modules").join(path)
    }

    fn run(&self, script: &str, folder: &Path) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(self.module(script)).current_dir(folder);
        command
    }

    /// The strict configuration for the files of `folder`, with CopilotKit beside them.
    fn tsconfig(&self, folder: &Path) -> PathBuf {
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
                "jsx": "react-jsx",
                "lib": ["es2022", "dom", "dom.iterable"],
                "types": [],
                // The packages' own declarations are not ours to check.
                "skipLibCheck": true,
                "paths": {
                    // The compiler does not look for subpaths below `*`.
                    "@copilotkit/react-core": [self.module("@copilotkit/react-core/dist/index.d.mts")],
                    "@copilotkit/react-core/v2": [self.module("@copilotkit/react-core/dist/v2/index.d.mts")],
                    "react": [self.module("@types/react")],
                    "react/jsx-runtime": [self.module("@types/react/jsx-runtime")],
                    "*": [self.module("*")],
                },
            },
            "include": [folder.join("**/*.ts"), folder.join("**/*.tsx")],
        });
        let path = folder.join("tsconfig.json");
        let written = fs::write(&path, config.to_string());
        assert!(written.is_ok(), "{}: {written:?}", path.display());
        path
    }

    /// Compiles the TypeScript in `folder`. The errors of `tsc` are in `stdout`.
    #[must_use]
    pub fn type_check(&self, folder: &Path) -> Finished {
        self.type_check_by("typescript", folder)
    }

    /// The compilers that generated code is promised for: the oldest, the one of our own checks, the newest.
    pub const COMPILERS: [&str; 3] = ["typescript-oldest", "typescript", "typescript-newest"];

    /// As [`type_check`](Self::type_check), by one of [`COMPILERS`](Self::COMPILERS).
    #[must_use]
    pub fn type_check_by(&self, compiler: &str, folder: &Path) -> Finished {
        let mut command = self.run(&format!("{compiler}/bin/tsc"), folder);
        if compiler == "typescript-oldest" {
            // It does not know this option; the others check it.
            let path = self.tsconfig(folder);
            let text = fs::read_to_string(&path).unwrap_or_default();
            drop(fs::write(&path, text.replace("\"erasableSyntaxOnly\":true,", "")));
            command.arg("--project").arg(path);
            return finish(command, "", LIMIT);
        }
        command.arg("--project").arg(self.tsconfig(folder));
        finish(command, "", LIMIT)
    }

    /// eslint's report on the TypeScript in `folder` with its strictest typed rules, except those in `off`. Comments
    /// for eslint in the files do not count.
    #[must_use]
    pub fn eslint(&self, folder: &Path, off: &[&str]) -> Value {
        drop(self.tsconfig(folder));
        let off: serde_json::Map<_, _> = off.iter().map(|rule| ((*rule).to_owned(), json!("off"))).collect();
        let config = format!(
            "import tseslint from {};
            export default tseslint.config(
                {{ linterOptions: {{ noInlineConfig: true, reportUnusedDisableDirectives: \"off\" }} }},
                ...tseslint.configs.strictTypeChecked,
                ...tseslint.configs.stylisticTypeChecked,
                {{ languageOptions: {{ parserOptions: {{ project: \"./tsconfig.json\", tsconfigRootDir: import.meta.dirname }} }} }},
                {{ rules: {} }},
            );",
            Value::from(self.module("typescript-eslint/dist/index.js").display().to_string()),
            Value::Object(off),
        );
        let written = fs::write(folder.join("eslint.config.mjs"), config);
        assert!(written.is_ok(), "{written:?}");
        let mut command = self.run("eslint/bin/eslint.js", folder);
        command.args(["--format", "json", "--no-warn-ignored", "**/*.ts"]);
        let finished = finish(command, "", LIMIT);
        serde_json::from_str(&finished.stdout).unwrap_or_else(|cause| panic!("{cause}: {finished}"))
    }

    /// pyright's strict report on the Python in `folder`, with imports from `python`'s packages.
    #[must_use]
    pub fn pyright(&self, python: &Python, folder: &Path) -> Value {
        let config = json!({"typeCheckingMode": "strict", "include": ["."], "pythonVersion": "3.11"});
        let written = fs::write(folder.join("pyrightconfig.json"), config.to_string());
        assert!(written.is_ok(), "{written:?}");
        let mut command = self.run("pyright/index.js", folder);
        command.arg("--outputjson").arg("--pythonpath").arg(python.program());
        let finished = finish(command, "", LIMIT);
        serde_json::from_str(&finished.stdout).unwrap_or_else(|cause| panic!("{cause}: {finished}"))
    }
}

impl Python {
    /// Checks the Python in `folder` with ruff. Comments for ruff in the files do not count.
    #[must_use]
    pub fn ruff(&self, folder: &Path) -> Finished {
        let mut command = self.module("ruff");
        command.args(["check", "--isolated", "--ignore-noqa", "--no-cache", "."]).current_dir(folder);
        finish(command, "", LIMIT)
    }
}
