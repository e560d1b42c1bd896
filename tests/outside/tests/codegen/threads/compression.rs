//! Clients that offer compression for a WebSocket, as Node and the package `websockets` do by default, get one without it.

use std::io::Read as _;
use std::net::TcpListener;
use std::process::Command;
use std::thread;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Node, Python, finish};
use serde_json::{Value, json};

use super::stored::serve;
use crate::folder;

/// Runs a client at a listener that notes its handshake, and at a server. Returns what it offered, and its report.
fn connect(command: Command) -> (String, Value) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let noted = listener.local_addr().unwrap();
    let noting = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        String::from_utf8(head).unwrap().to_lowercase()
    });
    let input = json!({
        "threadId": "t", "runId": "r", "protocolVersion": "1.0",
        "messages": [{ "id": "m", "role": "user", "content": "speak" }],
    });
    let job = json!({
        "noted": format!("ws://{noted}/agui/ws"),
        "server": format!("ws://{}/agui/ws", serve()),
        "frame": json!({ "type": "run", "id": "1", "path": "/", "input": input }).to_string(),
    });
    let finished = finish(command, &job.to_string(), Duration::from_secs(60));
    assert!(finished.stderr.is_empty(), "{finished}");
    (noting.join().unwrap(), finished.json())
}

fn check((offered, report): (String, Value)) {
    assert!(offered.contains("sec-websocket-extensions: permessage-deflate"), "{offered}");
    assert_eq!(report["extensions"], 0, "{report}");
    assert_eq!(
        (&report["protocol"], &report["last"]),
        (&json!("agui-runtime.v1"), &json!("end")),
        "{report}"
    );
    assert!(report["frames"].as_u64().unwrap() > 30, "{report}");
}

const NODE: &str = r#"
import { readFileSync } from "node:fs";

const { noted, server, frame } = JSON.parse(readFileSync(0, "utf8"));
await new Promise((resolve) => (new WebSocket(noted, "agui-runtime.v1").onerror = resolve));
const socket = new WebSocket(server, "agui-runtime.v1");
let frames = 0;
socket.onopen = () => socket.send(frame);
socket.onmessage = ({ data }) => {
  frames += 1;
  const last = JSON.parse(data).type;
  if (last !== "end") return;
  console.log(JSON.stringify({ extensions: socket.extensions.length, protocol: socket.protocol, last, frames }));
  process.exit(0);
};
"#;

#[test]
fn node_gets_a_socket_without_the_compression_that_it_offers() {
    let node = need!(Node::ready());
    let script = folder("compression-node").join("client.mjs");
    std::fs::write(&script, NODE).unwrap();
    let mut command = node.command(&script);
    command.env("NODE_OPTIONS", "--experimental-websocket --no-warnings");
    check(connect(command));
}

const PYTHON: &str = r#"
import asyncio, json, sys
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage

job = json.load(sys.stdin)


async def main():
    try:
        await connect(job["noted"], subprotocols=["agui-runtime.v1"], proxy=None)
    except (InvalidMessage, OSError):
        pass
    async with connect(job["server"], subprotocols=["agui-runtime.v1"], proxy=None) as socket:
        await socket.send(job["frame"])
        frames, last = 0, None
        while last != "end":
            last = json.loads(await socket.recv())["type"]
            frames += 1
        extensions = len(socket.protocol.extensions)
        print(json.dumps({"extensions": extensions, "protocol": socket.subprotocol, "last": last, "frames": frames}))


asyncio.run(main())
"#;

#[test]
fn python_gets_a_socket_without_the_compression_that_it_offers() {
    let python = need!(Python::ready());
    let script = folder("compression-python").join("client.py");
    std::fs::write(&script, PYTHON).unwrap();
    check(connect(python.command(&script)));
}
