//! Python.

use std::time::Duration;

use agui_tests::cut_server::CutServer;
use agui_tests::need;
use agui_tests::outside::{Python, finish};
use serde_json::json;

use super::{check, check_requests, job};
use crate::{cases, folder, generate};

const SCRIPT: &str = r#"
import asyncio, json, sys
import httpx
from kitchen_api.kitchen import ConnectionLostError, KitchenClient, Reconnect, RefusedError

job = json.load(sys.stdin)
soon = Reconnect(attempts=4, first_pause=0.001, longest_pause=5)
wrong, counts = [], {}


def client_at(path, pool, **options):
    return KitchenClient(job["base"] + path, **{"client": pool, "reconnect": soon, **options})


def dumped(items):
    return [item.model_dump(mode="json", by_alias=True) for item in items if hasattr(item, "type")]


async def run(path, pool, **options):
    client = client_at(path, pool, **options)
    return dumped([event async for event in client.events(client.input([], thread_id="t", run_id="r"))])


async def folded(path, pool):
    from kitchen_api._support import History, State
    history, state, starts = History([]), State(None), 0
    client = client_at(path, pool)
    async for event in client.events(client.input([], thread_id="t", run_id="r")):
        history.apply(event)
        starts += event.type == "RUN_STARTED"
        if event.type in ("STATE_SNAPSHOT", "STATE_DELTA"):
            state.apply(event)
    return dumped_thread(history.messages, state.value), starts


def dumped_thread(messages, state):
    return [[message.model_dump(mode="json", by_alias=True) for message in messages], state]


async def each(jobs, check):
    left = iter(jobs)

    async def work():
        for one in left:
            try:
                found = await check(one)
            except Exception as error:
                found = repr(error)
            if found is not None:
                wrong.append({"job": one, "found": found})

    await asyncio.gather(*(work() for _ in range(8)))
    return len(jobs)


async def main():
    pool = httpx.AsyncClient(trust_env=False)
    whole = await run("/whole", pool)
    end, _ = await folded("/whole", pool)
    counts["delivered"] = len(whole)

    async def cut(one):
        way, at = one
        # Before the first id, only a client that knows the server asks again.
        found = await run(f"/{way}/{at}", pool, resumable=at < job["first"])
        return None if found == whole else found

    ways = [(way, at) for way in ("abort", "close") for at in range(job["bytes"] + 1)]
    counts["cuts"] = await each(ways, cut)
    for path in ("/each", "/busy/900"):
        if (found := await run(path, pool)) != whole:
            wrong.append({"path": path, "found": found})

    async def gap(one):
        found, starts = await folded("/trimmed/{}/{}".format(*one), pool)
        return None if (found, starts) == (end, 1) else [found, starts]

    gaps = [(cut, kept) for cut in range(1, job["events"]) for kept in range(cut, job["events"] + 1)]
    counts["gaps"] = await each(gaps, gap)

    async def joined(at):
        thread = client_at(f"/late/{at}", pool).connect("t")
        async for _ in thread:
            pass
        found = dumped_thread(thread.messages, thread.state)
        return None if found == end else found

    counts["joins"] = await each(range(1, job["events"] + 1), joined)

    counts["refused"], counts["lost"] = [], 0
    for status in (400, 401, 404, 409):
        try:
            await run(f"/refused/{status}", pool)
        except RefusedError as error:
            counts["refused"].append(error.status)
            counts["code"] = error.code
    for path in ("/refused/503", "/gone"):
        try:
            await run(path, pool)
        except ConnectionLostError:
            counts["lost"] += 1
    empty = client_at("/empty", pool).connect("t")
    counts["empty"] = len([item async for item in empty])
    counts["plain"] = []
    for path in ("/counted/700", "/plain/700"):
        # Half a frame is no event, and the stream ends there, as always.
        counts["plain"].append("failed" if len(await run(path, pool)) < len(whole) else "ended")
    counts["stopped"] = await client_at("/stopped", pool).stop("t")

    waiting = client_at("/abort/700/left", pool, reconnect=Reconnect(first_pause=60, longest_pause=60))

    async def follow():
        async for _ in waiting.events(waiting.input([], thread_id="t", run_id="r")):
            pass

    task = asyncio.create_task(follow())
    await asyncio.sleep(0.3)
    task.cancel()
    await asyncio.wait([task], timeout=1)
    counts["left"] = task.cancelled()
    await pool.aclose()


asyncio.run(main())
json.dump({"wrong": wrong[:5], "counts": counts}, sys.stdout)
"#;

/// A client without a network, whose clock runs as fast as the client waits.
const TUNNEL: &str = r#"
import asyncio, json, sys, time
import anyio, httpx
from kitchen_api.kitchen import ConnectionLostError, ConnectionStatus, KitchenClient, Reconnect

job = json.load(sys.stdin)
ahead, now = [0.0], time.monotonic
time.monotonic = lambda: now() + ahead[0]


async def passes(pause):
    ahead[0] += pause

anyio.sleep = passes


class Network(httpx.AsyncBaseTransport):
    def __init__(self):
        self.inner, self.way, self.requests = httpx.AsyncHTTPTransport(), "whole", 0

    async def handle_async_request(self, request):
        self.requests += 1
        if self.way == "gone":
            raise httpx.ConnectError("no network")
        self.way = "gone"
        return await self.inner.handle_async_request(request)


class Client(KitchenClient):
    def on_connection(self, thread_id: str, status: ConnectionStatus) -> None:
        seen.append(f"{thread_id} {status}")


async def run(path, run_id, network, **options):
    async with httpx.AsyncClient(transport=network) as pool:
        client = Client(job["base"] + path, client=pool, **options)
        begun = time.monotonic()
        try:
            async for _ in client.events(client.input([], thread_id="t", run_id=run_id)):
                pass
            return "ended", 0
        except ConnectionLostError:
            return "lost", time.monotonic() - begun


async def main():
    global seen
    found, seen = {}, []
    network = Network()
    end, waited = await run("/abort/900/minutes", "r", network)
    found["minutes"] = [end, round(waited / 60), network.requests > 30]
    found["seen"], network.way = seen, "whole"
    seen = []
    # Saying it again begins as always.
    found["again"] = [(await run("/abort/900/minutes", "again", network))[0], list(seen)]
    end, waited = await run("/abort/900/soon", "r", Network(), reconnect=Reconnect(give_up_after=3))
    found["soon"] = [end, waited < 8]
    json.dump(found, sys.stdout)


asyncio.run(main())
"#;

#[test]
fn a_client_without_a_network_goes_on_for_minutes() {
    let python = need!(Python::ready());
    let folder = folder("threads-python-tunnel");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "python", &folder.join("kitchen_api")));
    let script = folder.join("tunnel.py");
    std::fs::write(&script, TUNNEL).unwrap();
    let server = CutServer::start();
    let finished = finish(python.command(&script), &job(&server).to_string(), Duration::from_secs(60));
    assert_eq!(
        finished.assert_success().json::<serde_json::Value>(),
        json!({
            "minutes": ["lost", 5, true],
            "seen": ["t connecting", "t open", "t reconnecting", "t closed"],
            "again": ["ended", ["t connecting", "t open", "t closed"]],
            "soon": ["lost", true],
        })
    );
}

#[test]
fn a_run_that_is_cut_anywhere_is_delivered_as_if_it_were_not() {
    let python = need!(Python::ready());
    let folder = folder("threads-python");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate(&kitchen, "python", &folder.join("kitchen_api")));
    let script = folder.join("threads.py");
    std::fs::write(&script, SCRIPT).unwrap();
    let server = CutServer::start();
    // For a program that hangs: it has 19 s of work, and seven tests beside it may take the processors.
    let finished = finish(python.command(&script), &job(&server).to_string(), Duration::from_secs(600));
    assert!(finished.stderr.is_empty(), "{finished}");
    check(&finished.json());
    check_requests(&server);
}
