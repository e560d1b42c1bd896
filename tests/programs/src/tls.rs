//! The certificate of servers of tests, which the authority of the tests has signed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::service::unprivileged;

const CERTIFICATE: &str = include_str!("../../fixtures/tls/server.pem");
const KEY: &str = include_str!("../../fixtures/tls/server.key");

/// The file with the certificate of the authority, for `SSL_CERT_FILE`.
#[must_use]
pub fn authority() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/tls/ca.pem")
}

/// Writes the certificate and its key into the folder of a server, and returns their files.
pub(super) fn write_certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let (certificate, key) = (folder.join("server.pem"), folder.join("server.key"));
    write_unprivileged(&certificate, CERTIFICATE);
    write_unprivileged(&key, KEY);
    (certificate, key)
}

/// Writes a file of the server's user that other users cannot read.
pub(super) fn write_unprivileged(file: &Path, content: &str) {
    let mut shell = unprivileged(Path::new("sh"));
    shell.args(["-c", "umask 077 && cat > \"$0\""]).arg(file).stdin(Stdio::piped());
    let written = shell.spawn().and_then(|mut child| {
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(content.as_bytes())?;
        }
        child.wait()
    });
    assert!(written.as_ref().is_ok_and(std::process::ExitStatus::success), "{}: {written:?}", file.display());
}
