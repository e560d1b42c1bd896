//! A Postgres of a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::service::{OwnServer, unprivileged};
use crate::tls::{write_certificate, write_unprivileged};
use crate::{Missing, Program, finish};

const POSTGRES: Program = Program {
    name: "postgres",
    variable: "AGUI_POSTGRES",
    at_least: (12, 0),
    how_to_get_it: "install PostgreSQL (postgresql on Debian)",
};

const PGBOUNCER: Program = Program {
    name: "pgbouncer",
    variable: "AGUI_PGBOUNCER",
    at_least: (1, 12),
    how_to_get_it: "install PgBouncer (pgbouncer on Debian)",
};

impl OwnServer {
    /// Makes a database cluster in a temporary folder, and starts its server. It ends with the value or the process.
    ///
    /// # Errors
    /// [`Missing`] if Postgres is not on the machine; see [`need!`](crate::need).
    pub fn postgres() -> Result<Self, Missing> {
        Self::postgres_with(&[])
    }

    /// Does the same, and answers only over TLS, with the certificate of the tests.
    ///
    /// # Errors
    /// As [`postgres`](Self::postgres).
    pub fn postgres_over_tls() -> Result<Self, Missing> {
        let settings = ["ssl=on", "ssl_cert_file=server.pem", "ssl_key_file=server.key"];
        Self::postgres_with(&settings)
    }

    fn postgres_with(settings: &[&str]) -> Result<Self, Missing> {
        let (program, _) = POSTGRES.find_also_in(debian_folders())?;
        let program = fs::canonicalize(&program).unwrap_or(program);
        Ok(Self::start("postgres", "database system is ready to accept connections", |folder, port| {
            let data = folder.join("data");
            let mut init = unprivileged(&program.with_file_name("initdb"));
            init.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "-D"])
                .arg(&data);
            init.current_dir(folder);
            drop(finish(init, "", Duration::from_secs(120)).assert_success());
            if !settings.is_empty() {
                // Over plain connections it refuses everyone.
                write_certificate(&data);
                write_unprivileged(&data.join("pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\n");
            }
            let mut server = server_of(&program, &data, port);
            settings.iter().for_each(|setting| _ = server.args(["-c", setting]));
            server
        }))
    }

    /// Makes a copy of a running server, and starts the copy as its replica.
    ///
    /// # Errors
    /// As [`postgres`](Self::postgres).
    pub fn postgres_replica(primary: &Self) -> Result<Self, Missing> {
        let (program, _) = POSTGRES.find_also_in(debian_folders())?;
        let program = fs::canonicalize(&program).unwrap_or(program);
        Ok(Self::start("replica", "ready to accept read-only connections", |folder, port| {
            let data = folder.join("data");
            let mut copy = unprivileged(&program.with_file_name("pg_basebackup"));
            copy.args([
                "--username=postgres",
                "--host=127.0.0.1",
                "--write-recovery-conf",
                "--checkpoint=fast",
            ]);
            copy.arg(format!("--port={}", primary.port())).arg("-D").arg(&data).current_dir(folder);
            drop(finish(copy, "", Duration::from_secs(120)).assert_success());
            server_of(&program, &data, port)
        }))
    }

    /// Starts PgBouncer before a server, in the mode in which each transaction gets any session of the database.
    ///
    /// # Errors
    /// [`Missing`] if PgBouncer is not on the machine; see [`need!`](crate::need).
    pub fn pgbouncer(server: u16, settings: &str) -> Result<Self, Missing> {
        let (program, _) = PGBOUNCER.find_also_in(vec![PathBuf::from("/usr/sbin")])?;
        Ok(Self::start("pgbouncer", "process up", |folder, port| {
            let file = folder.join("pgbouncer.ini");
            let text = format!(
                "[databases]\npostgres = host=127.0.0.1 port={server} user=postgres\n[pgbouncer]\n\
                 listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
                 pool_mode = transaction\ndefault_pool_size = 4\nserver_login_retry = 0\n{settings}\n"
            );
            write_unprivileged(&file, &text);
            let mut pooler = unprivileged(&program);
            pooler.arg(&file);
            pooler
        }))
    }

    /// The settings of a connection, through this port, to the schema of a test.
    #[must_use]
    pub fn postgres_url(port: u16, schema: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/postgres?options=-csearch_path%3D{schema}")
    }
}

/// The command that serves a cluster.
fn server_of(program: &Path, data: &Path, port: u16) -> Command {
    let mut server = unprivileged(program);
    server.arg("-D").arg(data).args(["-p", &port.to_string()]);
    for setting in ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"] {
        server.args(["-c", setting]);
    }
    server
}

/// Debian does not put the server on the path.
fn debian_folders() -> Vec<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin")).collect()
}
