//! Python.

use std::fs;

use agui_tests::{
    need,
    outside::{Python, finish},
};
use serde_json::{Value, json};

use super::{
    DELETE, DESTINATION, FOREIGN, LIMIT, STRANGE, answered, asking, both, done, folder, generate,
    interrupted, keeper, question,
};

/// The server of an agent that ends its runs as the test wants.
const SERVER: &str = r#"
import json
from typing import Any

import httpx


class Server:
    def __init__(self, runs: list[list[dict[str, Any]]]) -> None:
        self.runs = runs
        self.inputs: list[Any] = []

    async def respond(self, request: httpx.Request) -> httpx.Response:
        input = json.loads(await request.aread())
        self.inputs.append(input)
        body = ""
        for event in self.runs[len(self.inputs) - 1]:
            event = {**event, "threadId": input["threadId"], "runId": input["runId"]}
            body += "data: " + json.dumps(event) + "\n\n"
        headers = {"content-type": "text/event-stream"}
        return httpx.Response(200, headers=headers, content=body.encode())

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.MockTransport(self.respond))
"#;

/// Checks the program `text` beside the generated client, runs it on `job`, and returns its output.
fn answer(python: &Python, name: &str, text: &str, job: &Value) -> Value {
    let folder = folder(&format!("questions-python-{name}"));
    generate(&keeper(), "python", &folder.join("keeper_api"));
    fs::write(folder.join("server.py"), SERVER).unwrap();
    fs::write(folder.join("talk.py"), text).unwrap();
    drop(python.type_check(&folder, &["talk.py"]).assert_success());
    finish(python.command(folder.join("talk.py")), &job.to_string(), LIMIT).json()
}

const PYTHON: &str = r#"
import asyncio, json, sys
from typing import Any

from ag_ui.core import ResumeEntry, RunFinishedEvent
from typing_extensions import assert_type

from keeper_api.keeper import (
    AcmeDestinationInterrupt,
    ConfirmDeleteInterrupt,
    InputRequiredInterrupt,
    KeeperClient,
    Problem,
    UnansweredError,
    types,
)
from server import Server

job = json.load(sys.stdin)
server = Server(job["runs"])
told: list[Any] = []


class Hands:
    async def look(self, args: types.LookArguments) -> bool:
        return True

    async def confirm_delete(self, interrupt: ConfirmDeleteInterrupt) -> types.Approval:
        assert_type(interrupt.payload, types.ConfirmDelete)
        names = [entry.name for entry in interrupt.payload.entries]
        return types.Approval(approved=True, but_not=[types.EntryInput(name=name) for name in names])

    async def acme_destination(self, interrupt: AcmeDestinationInterrupt) -> types.AcmeDestinationResponse:
        if interrupt.payload.kind == "any":
            raise ValueError("cannot decide")
        return None

    async def input_required(
        self, interrupt: InputRequiredInterrupt
    ) -> types.Result_of_uint8_or_string:
        raise ValueError("never asked")


async def main() -> None:
    client = KeeperClient("http://keeper.test/", client=server.client())
    async for item in client.converse(client.input([], thread_id="t"), Hands()):
        if isinstance(item, ConfirmDeleteInterrupt):
            told.append([item.interrupt.id, item.payload.path, item.contract.message, item.subagent_run_id])
        elif isinstance(item, AcmeDestinationInterrupt):
            told.append([item.interrupt.id, item.payload.kind, item.subagent_run_id])
        elif isinstance(item, Problem):
            told.append([item.what, item.name])
        elif isinstance(item, RunFinishedEvent):
            told.append(item.result)

    # By hand, in two requests of one thread.
    resume: list[ResumeEntry] = []
    async for item in client.run(client.input([], thread_id="u")):
        if isinstance(item, ConfirmDeleteInterrupt):
            resume.append(item.resolve(types.Approval(approved=False)))
        elif isinstance(item, AcmeDestinationInterrupt):
            resume.append(item.cancel())
    refused: list[list[str]] = []
    for partial in [[], resume]:
        try:
            async for item in client.run(client.input([], thread_id="u", resume=partial)):
                pass
        except UnansweredError as error:
            refused.append([interrupt.id for interrupt in error.interrupts])
            refused.append([str(error)])
    answered = {entry.interrupt_id for entry in resume}
    for interrupt in client.pending_interrupts("u"):
        if interrupt.id not in answered:
            resume.append(client.cancel(interrupt))
    async for item in client.run(client.input([], thread_id="u", resume=resume)):
        pass
    left = len(client.pending_interrupts("u"))
    json.dump({"inputs": server.inputs, "told": told, "refused": refused, "left": left}, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
"#;

/// Each line with a mistake, and mypy's message about it.
const MISTAKES: [(&str, &str); 4] = [
    ("delete.resolve(True)", "arg-type"),
    ("delete.resolve(types.Approval())", "call-arg"),
    ("delete.payload.paths", "attr-defined"),
    ("KeeperClient('x').converse(KeeperClient('x').input([]), Handless())", "arg-type"),
];

#[test]
fn the_python_client_answers() {
    let python = need!(Python::ready());
    let runs = json!({"runs": [asking(), done(), asking(), done()]});
    let report = answer(&python, "talk", PYTHON, &runs);
    assert_eq!(
        report["told"],
        json!([
            null,
            [DELETE, "/tmp", "Delete it for good?", "s-1"],
            [DESTINATION, "oneof", null],
            ["interrupt", "confirm_delete"],
            "done",
        ]),
        "{report:#}"
    );
    assert_eq!(
        report["inputs"][1]["resume"],
        json!([
            {"interruptId": DELETE, "status": "resolved",
             "payload": {"approved": true, "butNot": [{"name": "a.txt"}]}},
            {"interruptId": DESTINATION, "status": "resolved"},
            {"interruptId": STRANGE, "status": "cancelled"},
            {"interruptId": FOREIGN, "status": "cancelled"},
        ])
    );
    assert_eq!(report["inputs"].as_array().unwrap().len(), 4);
    assert!(report["inputs"][2].get("resume").is_none(), "{:#}", report["inputs"][2]);
    assert_eq!(
        report["inputs"][3]["resume"],
        json!([
            {"interruptId": DELETE, "status": "resolved", "payload": {"approved": false}},
            {"interruptId": DESTINATION, "status": "cancelled"},
            {"interruptId": STRANGE, "status": "cancelled"},
            {"interruptId": FOREIGN, "status": "cancelled"},
        ])
    );
    let missing = |ids: &[&str]| format!("pending interrupts have no entry in resume: {}", ids.join(", "));
    assert_eq!(
        report["refused"],
        json!([
            [DELETE, DESTINATION, STRANGE, FOREIGN],
            [missing(&[DELETE, DESTINATION, STRANGE, FOREIGN])],
            [STRANGE, FOREIGN],
            [missing(&[STRANGE, FOREIGN])],
        ])
    );
    assert_eq!(report["left"], 0);
}

/// Talks to that agent, with a client that knows the questions and with one that does not.
const BOTH: &str = r#"
import asyncio, json, sys
from typing import Any

from ag_ui.core import RunAgentInput
from keeper_api._support import AgentClient
from keeper_api.keeper import KeeperClient, types
from server import Server

job = json.load(sys.stdin)


class Plain(AgentClient[Any, Any]):
    contract = KeeperClient.contract


class Hands:
    looks = 0

    async def look(self, args: types.LookArguments) -> bool:
        self.looks += 1
        return True

    async def confirm_delete(self, interrupt: Any) -> types.Approval:
        return types.Approval(approved=False)

    async def acme_destination(self, interrupt: Any) -> None:
        return None

    async def input_required(self, interrupt: Any) -> Any:
        return None


async def main() -> None:
    told: list[Any] = []
    for kind in [KeeperClient, Plain]:
        server, hands = Server(job["runs"]), Hands()
        client: Any = kind("http://keeper.test/", client=server.client())
        async for item in client.converse(RunAgentInput(thread_id="t", run_id="r", messages=[]), hands):
            pass
        told.append([server.inputs, hands.looks, len(client.pending_interrupts("t"))])
    json.dump(told, sys.stdout)


asyncio.run(main())
"#;

#[test]
fn the_tools_of_the_page_wait_for_what_is_asked_in_python() {
    let python = need!(Python::ready());
    let told = answer(&python, "both", BOTH, &json!({"runs": [both(), done(), done()]}));
    let inputs = told[0][0].as_array().unwrap();
    assert_eq!(inputs.len(), 3, "{told:#}");
    let said: Vec<_> = inputs[1]["resume"].as_array().unwrap().iter().map(|entry| &entry["status"]).collect();
    assert_eq!(said, ["resolved", "resolved"]);
    assert_eq!(answered(&inputs[1]), ["free"], "what is asked about is not done");
    assert_eq!(answered(&inputs[2]), ["free", "asked"], "until that has an answer");
    assert_eq!((&told[0][1], &told[0][2]), (&json!(2), &json!(0)));
    // The caller answers unknown questions, and the calls beside them.
    assert_eq!(told[1][0].as_array().unwrap().len(), 1);
    assert_eq!((&told[1][1], &told[1][2]), (&json!(0), &json!(2)));
}

/// Expired questions, each alone, and invalid dates.
const LATE: &str = r#"
import asyncio, json, sys
from datetime import datetime
from typing import Any

from ag_ui.core import Interrupt, ResumeEntry
from pydantic import TypeAdapter

from keeper_api._resume import is_expired
from keeper_api.keeper import ConfirmDeleteInterrupt, ExpiredError, KeeperClient, types
from server import Server

job = json.load(sys.stdin)
server = Server(job["runs"])


class Hands:
    async def look(self, args: types.LookArguments) -> bool:
        return True

    async def confirm_delete(self, interrupt: ConfirmDeleteInterrupt) -> types.Approval:
        return types.Approval(approved=True)

    async def acme_destination(self, interrupt: Any) -> None:
        return None

    async def input_required(self, interrupt: Any) -> Any:
        return None


async def main() -> None:
    client = KeeperClient("http://keeper.test/", client=server.client())
    refused: list[list[Any]] = []
    async for item in client.run(client.input([], thread_id="t")):
        if isinstance(item, ConfirmDeleteInterrupt):
            try:
                item.resolve(types.Approval(approved=True))
            except ExpiredError as error:
                refused.append([error.interrupts[0].id, str(error)])
    by_hand = [ResumeEntry(interrupt_id=i.id, status="resolved") for i in client.pending_interrupts("t")]
    try:
        async for item in client.run(client.input([], thread_id="t", resume=by_hand)):
            pass
    except ExpiredError as error:
        refused.append([error.interrupts[0].id, str(error)])
    sent = len(server.inputs)
    given_up = [client.cancel(interrupt) for interrupt in client.pending_interrupts("t")]
    async for item in client.run(client.input([], thread_id="t", resume=given_up)):
        pass
    async for item in client.converse(client.input([], thread_id="u"), Hands()):
        pass
    now = TypeAdapter(datetime).validate_python(job["now"])
    dates = [is_expired(Interrupt(id="1", reason="r", expires_at=date), now) for date in job["dates"]]
    json.dump({"refused": refused, "sent": sent, "inputs": server.inputs, "dates": dates}, sys.stdout)


asyncio.run(main())
"#;

#[test]
fn an_expired_interrupt_can_only_be_cancelled_in_python() {
    let python = need!(Python::ready());
    let mut late = question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": []}));
    late["expiresAt"] = json!("2020-01-01T00:00:00Z");
    let asking = interrupted(&[late]);
    // At that moment, each is expired or not.
    let dates = [
        ("2026-09-17T12:30:00Z", true),
        ("2026-09-17t12:30z", true),
        ("2026-09-17 14:30:00.000+02:00", true),
        ("2026-09-17", true),
        ("2026-09-17T07:00:00-05:30", true),
        ("2026-09-17T12:30:00.000001Z", false),
        ("2026-09-17T12:30:60Z", false),
        ("2026-09-17T12:29:60Z", true),
        ("2026-09-17T12:30:01Z", false),
        ("2020-01-01T00:00:00", false),
        ("2020-02-30", false),
        ("2020-01-01T25:00Z", false),
        ("2020-01-01T00:00:00+0200", false),
        ("20200101T000000Z", false),
        ("soon", false),
        ("", false),
    ];
    let job = json!({
        "runs": [asking, done(), asking, done()],
        "now": "2026-09-17T12:30:00Z",
        "dates": dates.map(|(date, _)| date),
    });
    let report = answer(&python, "late", LATE, &job);
    let said = format!("the interrupt {DELETE} expired at 2020-01-01T00:00:00Z and can only be cancelled");
    assert_eq!(report["refused"], json!([[DELETE, said], [DELETE, said]]), "{report:#}");
    assert_eq!(report["sent"], 1, "what is too late is not sent");
    let cancelled = json!([{"interruptId": DELETE, "status": "cancelled"}]);
    assert_eq!(report["inputs"][1]["resume"], cancelled);
    assert_eq!(report["inputs"][3]["resume"], cancelled, "nor by those who are asked");
    assert_eq!(report["dates"], json!(dates.map(|(_, expired)| expired)));
}

/// Responses of the right type that the agent would refuse.
const UNFIT: &str = r#"
import json, sys

from keeper_api.keeper import ConfirmDeleteInterrupt, InputRequiredInterrupt, KeeperClient, types
from server import Server

server = Server(json.load(sys.stdin)["runs"])
told: list[object] = []


async def main() -> None:
    client = KeeperClient("http://keeper.test/", client=server.client())
    async for item in client.run(client.input([])):
        if isinstance(item, InputRequiredInterrupt):
            for number in [-5, 256, 255]:
                try:
                    answer = types.Result_of_uint8_or_stringOk(ok=1)
                    answer.ok = number
                    told.append(item.resolve(answer).payload)
                except ValueError as error:
                    told.append(type(error).__name__)
        elif isinstance(item, ConfirmDeleteInterrupt):
            approval = types.Approval(approved=True)
            approval.approved = "yes"  # type: ignore[assignment]
            try:
                told.append(item.resolve(approval).payload)
            except ValueError as error:
                told.append(type(error).__name__)
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    import asyncio

    asyncio.run(main())
"#;

#[test]
fn a_response_that_does_not_fit_is_refused_in_python() {
    let python = need!(Python::ready());
    let asked = [
        question("n", "input-required", &json!([1])),
        question(DELETE, "confirm_delete", &json!({"path": "/tmp", "entries": []})),
    ];
    let runs = json!({"runs": [interrupted(&asked)]});
    let told = answer(&python, "unfit", UNFIT, &runs);
    let refused = "PydanticSerializationError";
    assert_eq!(told, json!(["ValidationError", "ValidationError", {"Ok": 255}, refused]));
}

#[test]
fn a_wrong_answer_is_a_type_error() {
    let python = need!(Python::ready());
    let folder = folder("questions-mistakes");
    generate(&keeper(), "python", &folder.join("keeper_api"));
    let head = "from keeper_api.keeper import ConfirmDeleteInterrupt, KeeperClient, types\n\n\nclass Handless:\n    pass\n\n\n\
                def wrong(delete: ConfirmDeleteInterrupt) -> None:\n";
    let lines: String = MISTAKES.iter().map(|(line, _)| format!("    {line}\n")).collect();
    fs::write(folder.join("mistakes.py"), format!("{head}{lines}")).unwrap();
    let found = python.type_check(&folder, &["mistakes.py"]);
    for (index, (line, code)) in MISTAKES.iter().enumerate() {
        let place = format!("mistakes.py:{}: error:", head.lines().count() + index + 1);
        let said = found.stdout.lines().any(|said| said.starts_with(&place) && said.contains(code));
        assert!(said, "no {code} for {line}: {found}");
    }
}
