//! A Postgres of a test.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::service::{OwnServer, unprivileged};
use crate::{Missing, Program, finish};

const POSTGRES: Program = Program {
    name: "postgres",
    variable: "AGUI_POSTGRES",
    at_least: (12, 0),
    how_to_get_it: "install PostgreSQL (postgresql on Debian)",
};

impl OwnServer {
    /// Makes a database cluster in a temporary folder, and starts its server. It ends with the value or the process.
    ///
    /// # Errors
    /// [`Missing`] if Postgres is not on the machine; see [`need!`](crate::need).
    pub fn postgres() -> Result<Self, Missing> {
        let (program, _) = POSTGRES.find_also_in(debian_folders())?;
        let program = fs::canonicalize(&program).unwrap_or(program);
        Ok(Self::start("postgres", "database system is ready to accept connections", |folder, port| {
            let data = folder.join("data");
            let mut init = unprivileged(&program.with_file_name("initdb"));
            init.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "-D"])
                .arg(&data);
            init.current_dir(folder);
            drop(finish(init, "", Duration::from_secs(120)).assert_success());
            let mut server = unprivileged(&program);
            server.arg("-D").arg(&data).args(["-p", &port.to_string()]);
            for setting in ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"] {
                server.args(["-c", setting]);
            }
            server
        }))
    }

    /// The settings of a connection, through this port, to the schema of a test.
    #[must_use]
    pub fn postgres_url(port: u16, schema: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/postgres?options=-csearch_path%3D{schema}")
    }
}

/// Debian does not put the server on the path.
fn debian_folders() -> Vec<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin")).collect()
}
