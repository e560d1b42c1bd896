//! `agui-codegen dev`: the requests that it refuses before it starts a process. `tests/outside` has the rest, with a page.

use std::net::TcpListener;
use std::process::Command;

use super::{ANSWERS, run, workspace};

#[test]
fn a_request_that_cannot_be_done_ends_at_once() {
    let folder = workspace("dev-refused", &[("answers", ANSWERS)]);
    run(&folder, &["dev", "--manifest-path", "nowhere/Cargo.toml"]).assert(3, &["error: ", "Cargo.toml"]);
    run(&folder, &["dev", "-p", "other"]).assert(2, &["there is no package `other`"]);
    run(&folder, &["dev", "--bin", "other"]).assert(2, &["has no binary `other`"]);
    run(&folder, &["dev", "--at", "chef"])
        .assert(2, &["the path `chef` of an agent does not begin with `/`"]);

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    for (address, error) in [
        (taken.local_addr().unwrap().to_string(), "in use: stop the program"),
        ("nowhere".to_owned(), "expected an address such as `127.0.0.1:8000`"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
        let ended = command.arg("dev").current_dir(&folder).env("AGUI_ADDR", &address).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.code() == Some(2) && said.contains(&address) && said.contains(error), "{said}");
    }
}
