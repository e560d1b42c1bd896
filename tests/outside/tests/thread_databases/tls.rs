//! Engines whose servers answer only over TLS.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use agui_runtime::thread::{LogAppend, LogPosition, OpenError, Postgres, Redis, ThreadKey, ThreadLog};
use agui_tests::need;
use agui_tests::outside::{OwnServer, authority};

use crate::executor::block_on;

/// The URL that the process of a test connects to. The process is its own, because the environment names the trusted certificates.
const URL: &str = "AGUI_TEST_URL";

/// Returns this program. Another test may build it again while it runs.
fn own_program() -> PathBuf {
    if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { env::current_exe().unwrap() }
}

/// Runs a test of this file in a process that trusts the authority of the tests, or does not.
#[track_caller]
fn run(test: &str, url: &str, trusts: bool) {
    let mut process = Command::new(own_program());
    process.args(["--exact", test, "--nocapture"]).env(URL, url);
    if trusts {
        process.env("SSL_CERT_FILE", authority());
    } else {
        process.env_remove("SSL_CERT_FILE");
    }
    let output = process.output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.contains("refused"), !trusts, "{said}");
}

/// Writes and reads a record, or says why it cannot connect.
fn use_it<L: ThreadLog>(opened: Result<L, OpenError>) {
    let log = match opened {
        Ok(log) => log,
        Err(error) => {
            assert!(error.to_string().contains("certificate"), "{error}");
            println!("refused: {error}");
            return;
        }
    };
    let key = ThreadKey::new("", "/", "t");
    let append = LogAppend {
        at: LogPosition::default(),
        epoch: 1,
        records: vec!["a".into()],
        note: None,
        lease: None,
    };
    block_on(log.append(&key, append)).unwrap();
    assert_eq!(block_on(log.read(&key, 0, 99)).unwrap().records, [(1, "a".into())]);
}

fn url() -> Option<String> {
    env::var(URL).ok()
}

#[test]
fn connects_to_postgres() {
    if let Some(url) = url() {
        use_it(block_on(Postgres::connect(&url)));
    }
}

#[test]
fn connects_to_redis() {
    if let Some(url) = url() {
        use_it(block_on(Redis::connect(&url)));
    }
}

#[test]
fn postgres_is_reached_over_tls_if_its_certificate_is_trusted() {
    let server = need!(OwnServer::postgres_over_tls());
    let plain = OwnServer::postgres_url(server.port(), "public");
    let refused = block_on(Postgres::connect(&plain)).unwrap_err();
    assert!(refused.to_string().contains("no encryption"), "{refused}");
    let url = format!("{plain}&sslmode=require");
    run("tls::connects_to_postgres", &url, true);
    run("tls::connects_to_postgres", &url, false);
}

#[test]
fn redis_is_reached_over_tls_if_its_certificate_is_trusted() {
    let server = need!(OwnServer::redis_over_tls());
    let url = OwnServer::redis_url(server.port(), 0).replace("redis:", "rediss:");
    run("tls::connects_to_redis", &url, true);
    run("tls::connects_to_redis", &url, false);
}
