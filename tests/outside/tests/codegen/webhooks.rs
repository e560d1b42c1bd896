//! Signed webhooks: those of the runtime at the packages of the Standard Webhooks specification and at the generated code, and
//! those of the packages at the runtime and at the generated code.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agui_runtime::webhook::VerifyError;
use agui_tests::need;
use agui_tests::outside::{Generation, Node, Python, finish};
use agui_tests::webhooks::{SECRET, secret};
use serde_json::{Value, json};

use crate::typescript::run as run_script;
use crate::{cases, folder, generate_with};

/// A message with text that is not ASCII, as a sender of ours signs it.
fn job() -> Value {
    let event = json!({ "type": "RUN_FINISHED", "threadId": "é 🦀", "runId": "r" });
    let data = json!({ "agent": "/chef", "threadId": "é 🦀", "runId": "r", "event": event });
    let body =
        json!({ "type": "run.finished", "timestamp": "2026-01-01T00:00:00Z", "data": data }).to_string();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let secret = secret();
    json!({ "secret": SECRET, "body": body, "now": now, "ours": secret.sign("msg_1", now, body.as_bytes()) })
}

/// Checks a report: the thread in the message as each reader gets it, the refusals, and the signature of the package.
fn check(job: &Value, report: &Value) {
    assert_eq!(report["threads"], json!(["é 🦀", "é 🦀", "é 🦀", "é 🦀"]), "{report:#}");
    assert_eq!(report["refused"], json!([true, true, true, true, true, true, true]), "{report:#}");
    let (body, now) = (job["body"].as_str().unwrap(), job["now"].as_u64().unwrap());
    let (time, theirs) = (now.to_string(), report["theirs"].as_str().unwrap());
    let secret = secret();
    let header = |name: &str| match name {
        "webhook-id" => Some("msg_1"),
        "webhook-timestamp" => Some(time.as_str()),
        _ => Some(theirs),
    };
    assert_eq!(secret.verify(header, body.as_bytes()), Ok("msg_1"));
    assert_eq!(secret.verify(header, b"{}"), Err(VerifyError::Signature));
}

const TYPESCRIPT: &str = r#"
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, WebhookVerificationError } from "./_webhooks.js";

const { secret, body, now, ours } = JSON.parse(readFileSync(0, "utf8"));
const official = new Webhook(secret);
const theirs = official.sign("msg_1", new Date(now * 1000), body);
const headers = (signature: string, id = "msg_1", at: number | string = now) =>
  new Headers({ "webhook-id": id, "webhook-timestamp": `${at}`, "webhook-signature": signature });
const threads = [];
for (const signature of [ours, theirs]) {
  const known = headers(`v1,AAAA v2,x ${signature}`);
  threads.push((await verifyWebhook(secret, known, body)).message.data.threadId);
  threads.push((official.verify(body, Object.fromEntries(known)) as any).data.threadId);
}
const refused = await Promise.all(
  [
    verifyWebhook(secret, headers(ours), `${body} `),
    verifyWebhook(secret, headers(ours, "msg_2"), body),
    verifyWebhook(secret, headers(ours, "msg_1", now - 400), body),
    verifyWebhook(secret, headers(ours, "msg_1", "9".repeat(5000)), body),
    verifyWebhook(secret, headers("v1,???"), body),
    verifyWebhook(secret, headers("v1,é"), body),
    verifyWebhook("whsec_" + btoa("another secret of enough bytes"), headers(ours), body),
  ].map((checked) => checked.then(() => false).catch((error) => error instanceof WebhookVerificationError)),
);
console.log(JSON.stringify({ threads, refused, theirs }));
"#;

#[test]
fn typescript_and_the_package_of_npm_check_what_the_runtime_signs() {
    let node = need!(Node::ready());
    let folder = folder("webhooks-typescript");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate_with(&kitchen, "ts", &folder, |options| options.webhooks = true));
    std::fs::write(folder.join("check.ts"), TYPESCRIPT).unwrap();
    let job = job();
    check(&job, &run_script(&node, &folder, "check.ts", Generation::V1, &job));
}

const PYTHON: &str = r#"
import base64, datetime, json, sys
from kitchen_api._webhooks import WebhookVerificationError, verify_webhook
from standardwebhooks.webhooks import Webhook

job = json.load(sys.stdin)
secret, body, now, ours = job["secret"], job["body"], job["now"], job["ours"]
official = Webhook(secret)
theirs = official.sign("msg_1", datetime.datetime.fromtimestamp(now, datetime.timezone.utc), body)


def headers(signature, id="msg_1", at=now):
    return {"Webhook-Id": id, "webhook-timestamp": str(at), "webhook-signature": signature}


def refuses(*arguments):
    try:
        verify_webhook(*arguments)
    except WebhookVerificationError:
        return True
    return False


threads = []
for signature in (ours, theirs):
    known = headers(f"v1,AAAA v2,x {signature}")
    threads.append(verify_webhook(secret, known, body.encode())[1].data.event.thread_id)
    threads.append(official.verify(body, {name.lower(): value for name, value in known.items()})["data"]["threadId"])
other = "whsec_" + base64.b64encode(b"another secret of enough bytes").decode()
refused = [
    refuses(secret, headers(ours), body.encode() + b" "),
    refuses(secret, headers(ours, "msg_2"), body.encode()),
    refuses(secret, headers(ours, at=now - 400), body.encode()),
    refuses(secret, headers(ours, at="9" * 5000), body.encode()),
    refuses(secret, headers("v1,???"), body.encode()),
    refuses(secret, headers("v1,é"), body.encode()),
    refuses(other, headers(ours), body.encode()),
]
json.dump({"threads": threads, "refused": refused, "theirs": theirs}, sys.stdout)
"#;

#[test]
fn python_and_the_package_of_pypi_check_what_the_runtime_signs() {
    let python = need!(Python::ready());
    let folder = folder("webhooks-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate_with(&kitchen, "python", &folder.join("kitchen_api"), |options| options.webhooks = true));
    let script = folder.join("check.py");
    std::fs::write(&script, PYTHON).unwrap();
    let job = job();
    let finished = finish(python.command(&script), &job.to_string(), Duration::from_secs(60));
    assert!(finished.stderr.is_empty(), "{finished}");
    check(&job, &finished.json());
}
