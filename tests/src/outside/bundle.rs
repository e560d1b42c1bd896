//! The scripts of pages: TypeScript bundled by esbuild, committed, and kept fresh.

use std::{fs, path::Path, time::Duration};

use super::{Node, finish};

const LIMIT: Duration = Duration::from_secs(120);

/// The form of a bundle: one small module for current browsers, the same bytes on every machine.
const OPTIONS: [&str; 7] = [
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--charset=utf8",
    "--legal-comments=none",
    "--minify",
    "--log-level=warning",
];

impl Node {
    /// The bundle of the page script `entry` with all its imports. Errors and warnings of esbuild fail the test.
    #[must_use]
    pub fn bundle(&self, entry: &Path) -> String {
        let mut command = self.bin("esbuild");
        // Comments in a bundle name files relative to where esbuild runs.
        command.args(OPTIONS).arg(entry).current_dir(super::workspace_dir());
        let finished = finish(command, "", LIMIT).assert_success();
        assert!(finished.stderr.is_empty(), "{finished}");
        finished.stdout
    }

    /// Fails the test unless the committed file `bundle` equals the [`bundle`](Self::bundle) of `entry`; with
    /// `AGUI_UPDATE=1` it is written instead.
    pub fn assert_bundle_fresh(&self, entry: &Path, bundle: &Path) {
        let made = self.bundle(entry);
        if std::env::var_os("AGUI_UPDATE").is_some() {
            let written = fs::write(bundle, &made);
            assert!(written.is_ok(), "{}: {written:?}", bundle.display());
            return;
        }
        let committed = fs::read_to_string(bundle).unwrap_or_default();
        assert!(
            committed == made,
            "{} is not what {} makes; run the same test with AGUI_UPDATE=1",
            bundle.display(),
            entry.display()
        );
    }
}
