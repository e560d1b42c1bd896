//! The routes of CopilotKit's pages, one by one; the pages themselves are in `outside`.

mod ids;
mod limits;

use agui_runtime::Server;
use agui_runtime::a2ui::Surface;
use agui_runtime::model::{Model, Prompt, Reply, ScriptedModel, ToolChoice};
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use agui_tests::http::{Request, Whole};
use serde_json::{Value, json};

use crate::thread_server::{
    Bells, Clerk, ThreadServer, asking, events, identified, is_legal, is_refused, types,
};

const BASE: &str = "/api/copilotkit";

/// Calls the tool that is forced, or says hello.
#[agent]
async fn talker(run: &mut Run<Talker>, _: Input<Talker>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

fn reply(prompt: &Prompt) -> Reply {
    match &prompt.tool_choice {
        ToolChoice::Tool(tool) => {
            Reply::call(tool.as_str(), json!({ "suggestions": [{ "title": "More", "message": "More?" }] }))
        }
        _ => Reply::text("Hello."),
    }
}

async fn server(bells: &Bells) -> ThreadServer {
    let server = Server::new()
        .threads(Memory::new())
        .agent("/kitchen/clerk", Clerk::new(bells.clone()))
        .agent("/", Talker::new(ScriptedModel::from_fn(reply).into()))
        .copilotkit(BASE);
    ThreadServer::serve(identified(server)).await
}

fn as_ada(request: Request) -> Request {
    request.header("x-name", "ada")
}

async fn get(server: &ThreadServer, path: &str) -> Whole {
    as_ada(Request::new("GET", &format!("{BASE}{path}"))).send(server.address).await
}

async fn post(server: &ThreadServer, path: &str, body: &Value) -> Whole {
    as_ada(Request::run(&format!("{BASE}{path}"), body.to_string())).send(server.address).await
}

/// The same over the one address.
async fn single(server: &ThreadServer, method: &str, params: Value, body: Value) -> Whole {
    post(server, "", &json!({ "method": method, "params": params, "body": body })).await
}

fn suggesting(thread: &str) -> Value {
    let mut input = asking("s", "hello");
    input["threadId"] = json!(thread);
    input["tools"] = json!([{ "name": "copilotkitSuggest", "description": "Suggests.", "parameters": { "type": "object" } }]);
    input["forwardedProps"] =
        json!({ "toolChoice": { "type": "function", "function": { "name": "copilotkitSuggest" } } });
    input
}

#[tokio::test]
async fn the_server_says_who_is_there() {
    let server = server(&Bells::default()).await;
    let info = get(&server, "/info").await.json();
    assert_eq!(info["agents"].as_object().unwrap().keys().collect::<Vec<_>>(), ["default", "kitchen.clerk"]);
    let clerk = &info["agents"]["kitchen.clerk"];
    assert_eq!(
        (&clerk["name"], &clerk["description"]),
        (&json!("kitchen.clerk"), &json!("Does what the last message says."))
    );
    assert_eq!(clerk["capabilities"]["transport"]["resumable"], true);
    assert_eq!(
        info["threadEndpoints"],
        json!({ "list": true, "inspect": true, "mutations": true, "realtimeMetadata": false })
    );
    assert_eq!(
        (&info["mode"], &info["suggestions"], info.get("singleRoute")),
        (&json!("sse"), &json!(true), None)
    );
    let single = single(&server, "info", json!({}), Value::Null).await.json();
    assert_eq!(single["agents"], info["agents"]);
    assert_eq!(single["singleRoute"]["resourceOperations"], true);
    assert_eq!(single["singleRoute"]["threadEndpoints"], info["threadEndpoints"]);
}

/// Draws surfaces.
#[agent(activities = [Surface])]
async fn painter(_: &mut Run<Painter>, _: Input<Painter>) -> Result<(), Stop> {
    Ok(())
}

/// A page draws surfaces only if the server says so, and sends its catalog to the agents that draw.
#[tokio::test]
async fn the_server_says_which_agents_draw() {
    let info = get(&server(&Bells::default()).await, "/info").await.json();
    assert_eq!((&info["a2uiEnabled"], info.get("a2ui")), (&json!(false), None));
    let drawing = Server::new()
        .agent("/painter", Painter::new())
        .agent("/clerk", Clerk::new(Bells::default()))
        .copilotkit(BASE);
    let info = get(&ThreadServer::serve(drawing).await, "/info").await.json();
    assert_eq!(info["a2uiEnabled"], true, "pages before `a2ui`");
    assert_eq!(info["a2ui"], json!({ "enabled": true, "agents": ["painter"] }));
}

#[tokio::test]
async fn a_run_is_stored_and_read_again() {
    let server = server(&Bells::default()).await;
    let empty = post(&server, "/agent/kitchen.clerk/connect", &asking("c", "")).await;
    assert_eq!((empty.status, empty.text()), (200, ""), "a thread without events is a stream without events");
    assert_eq!(empty.header("content-type"), Some("text/event-stream"));
    let run = post(&server, "/agent/kitchen.clerk/run", &asking("1", "count")).await;
    is_legal(run.text());
    let again = post(&server, "/agent/kitchen.clerk/connect", &asking("c", "")).await;
    is_legal(again.text());
    assert_eq!(types(again.text()), "RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT RUN_FINISHED");
    // The agent's own route has the same thread.
    let own = as_ada(Request::run("/kitchen/clerk/connect", asking("c", "").to_string()))
        .send(server.address)
        .await;
    assert_eq!(events(own.text()), events(again.text()));

    let list = get(&server, "/threads?agentId=kitchen.clerk&limit=10").await.json();
    let [thread] = &list["threads"].as_array().unwrap()[..] else { panic!("{list}") };
    assert_eq!(
        (&thread["id"], &thread["agentId"], &thread["name"]),
        (&json!("t"), &json!("kitchen.clerk"), &json!(null))
    );
    for time in ["createdAt", "updatedAt"] {
        assert!(thread[time].as_str().unwrap().ends_with('Z'), "{thread}");
    }
    assert!(thread["createdAt"].as_str() <= thread["updatedAt"].as_str(), "{thread}");
    let messages = get(&server, "/threads/t/messages").await.json();
    assert_eq!(messages["messages"][0], json!({ "id": "u-1", "role": "user", "content": "count" }));
    assert_eq!(messages["messages"][1]["content"], "One more.");
    assert_eq!(get(&server, "/threads/t/state").await.json(), json!({ "state": { "count": 1 } }));
    let stored = get(&server, "/threads/t/events?protocolVersion=1.0").await.json();
    assert_eq!(stored["events"][0]["protocolVersion"], "1.0", "{stored}");
    let stored = get(&server, "/threads/t/events").await.json();
    assert_ne!(stored["events"][0]["protocolVersion"], "1.0", "{stored}");
    assert_eq!(stored["events"].as_array().unwrap().len(), 4, "{stored}");

    let delete =
        Request::new("DELETE", &format!("{BASE}/threads/t")).header("content-type", "application/json");
    let delete = as_ada(delete.body(json!({ "agentId": "kitchen.clerk" }).to_string()));
    assert_eq!(delete.clone().send(server.address).await.json(), json!({ "threadId": "t", "deleted": true }));
    is_refused(&delete.send(server.address).await, 404, "thread_not_found");
    is_refused(&get(&server, "/threads/t/state").await, 404, "thread_not_found");
}

#[tokio::test]
async fn a_thread_of_another_is_nowhere() {
    let server = server(&Bells::default()).await;
    post(&server, "/agent/kitchen.clerk/run", &asking("1", "count")).await;
    let as_bob = |request: Request| request.header("x-name", "bob");
    for path in ["/threads/t/messages", "/threads/t/events", "/threads/t/state"] {
        let read = as_bob(Request::new("GET", &format!("{BASE}{path}"))).send(server.address).await;
        is_refused(&read, 404, "thread_not_found");
    }
    let connect = Request::run(&format!("{BASE}/agent/kitchen.clerk/connect"), asking("c", "").to_string());
    assert_eq!(as_bob(connect).send(server.address).await.text(), "");
    let stop = Request::run(&format!("{BASE}/agent/kitchen.clerk/stop/t"), "{}");
    assert_eq!(as_bob(stop).send(server.address).await.json()["stopped"], false);
    let list = Request::new("GET", &format!("{BASE}/threads?agentId=kitchen.clerk"));
    assert_eq!(
        as_bob(list.clone()).send(server.address).await.json(),
        json!({ "threads": [], "nextCursor": null })
    );
    is_refused(&list.send(server.address).await, 403, "identity_needed");
}

async fn send(server: &ThreadServer, method: &str, path: &str, body: &str) -> Whole {
    let request = Request::new(method, &format!("{BASE}{path}")).header("content-type", "application/json");
    as_ada(request.body(body)).send(server.address).await
}

#[tokio::test]
async fn a_thread_is_renamed_and_archived() {
    let server = server(&Bells::default()).await;
    post(&server, "/agent/kitchen.clerk/run", &asking("1", "count")).await;
    let clerk = |more: Value| {
        let mut body = json!({ "agentId": "kitchen.clerk" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body.to_string()
    };
    let renamed =
        send(&server, "PATCH", "/threads/t", &clerk(json!({ "name": "Counting", "other": 7 }))).await;
    assert_eq!(renamed.status, 200, "{}", renamed.text());
    let list = get(&server, "/threads?agentId=kitchen.clerk").await.json();
    assert_eq!(list["threads"], json!([renamed.json()]));
    let thread = &list["threads"][0];
    assert_eq!(
        (&thread["id"], &thread["name"], &thread["archived"], &thread["agentId"]),
        (&json!("t"), &json!("Counting"), &json!(false), &json!("kitchen.clerk"))
    );
    let archived = send(&server, "POST", "/threads/t/archive", &clerk(json!({}))).await;
    assert_eq!(archived.json(), json!({ "threadId": "t", "archived": true }));
    assert_eq!(get(&server, "/threads?agentId=kitchen.clerk").await.json()["threads"], json!([]));
    let list = get(&server, "/threads?agentId=kitchen.clerk&includeArchived=true").await.json();
    assert_eq!(
        (&list["threads"][0]["name"], &list["threads"][0]["archived"]),
        (&json!("Counting"), &json!(true))
    );
    // The agent's own route says the same.
    let own = as_ada(Request::new("GET", "/kitchen/clerk/threads/t")).send(server.address).await.json();
    assert_eq!((&own["title"], &own["archived"]), (&json!("Counting"), &json!(true)));
    let opened =
        send(&server, "PATCH", "/threads/t", &clerk(json!({ "archived": false, "name": null }))).await;
    assert_eq!((&opened.json()["name"], &opened.json()["archived"]), (&json!(null), &json!(false)));

    // Over the one address.
    let resource = |path: &str, method: &str| json!({ "path": path, "httpMethod": method });
    let body = json!({ "agentId": "kitchen.clerk", "name": "Again" });
    let renamed = single(&server, "resource/request", resource("/threads/t", "PATCH"), body.clone()).await;
    assert_eq!(renamed.json()["name"], "Again");
    let archived =
        single(&server, "resource/request", resource("/threads/t/archive", "POST"), body.clone()).await;
    assert_eq!(archived.json(), json!({ "threadId": "t", "archived": true }));
    let deleted = single(&server, "resource/request", resource("/threads/t", "DELETE"), body).await;
    assert_eq!(deleted.json(), json!({ "threadId": "t", "deleted": true }));
}

#[tokio::test]
async fn a_thread_is_changed_by_its_owner_alone_and_bad_requests_are_refused() {
    let server = server(&Bells::default()).await;
    post(&server, "/agent/kitchen.clerk/run", &asking("1", "count")).await;
    let named = json!({ "agentId": "kitchen.clerk", "name": "Mine" }).to_string();
    let changes = [("PATCH", ""), ("POST", "/archive"), ("DELETE", "")];
    for (method, below) in changes {
        let path = |thread: &str| format!("/threads/{thread}{below}");
        for name in ["bob", ""] {
            let foreign = Request::new(method, &format!("{BASE}{}", path("t"))).body(named.clone());
            let foreign = foreign.header("content-type", "application/json");
            let foreign = if name.is_empty() { foreign } else { foreign.header("x-name", name) };
            is_refused(&foreign.send(server.address).await, 404, "thread_not_found");
        }
        for thread in ["nothing", "a%2F..%2Fb", "%2E%2E", "100%25", "%252F", &"x".repeat(10_000)] {
            is_refused(&send(&server, method, &path(thread), &named).await, 404, "thread_not_found");
        }
        assert_eq!(send(&server, method, &path("%FF"), &named).await.status, 400);
        for (wrong, status, error) in [
            ("", 400, "invalid_request"),
            ("{", 400, "invalid_request"),
            ("[]", 400, "invalid_request"),
            ("{}", 400, "invalid_request"),
            (r#"{"agentId":7}"#, 400, "invalid_request"),
            (r#"{"agentId":" "}"#, 400, "invalid_request"),
            (r#"{"agentId":"desk"}"#, 404, "Agent not found"),
        ] {
            let refused = send(&server, method, &path("t"), wrong).await;
            assert_eq!(
                (refused.status, &refused.json()["error"]),
                (status, &json!(error)),
                "{method} {wrong}"
            );
        }
        let large = format!(r#"{{"agentId":"kitchen.clerk","name":"{}"}}"#, "x".repeat(5_000));
        assert_eq!(send(&server, method, &path("t"), &large).await.status, 413, "{method}");
    }
    for wrong in [
        json!({ "name": 7 }),
        json!({ "name": ["a"] }),
        json!({ "archived": "yes" }),
        json!({ "archived": null }),
    ] {
        let mut body = wrong.clone();
        body["agentId"] = json!("kitchen.clerk");
        let refused = send(&server, "PATCH", "/threads/t", &body.to_string()).await;
        assert_eq!((refused.status, &refused.json()["error"]), (400, &json!("invalid_request")), "{wrong}");
    }
    let long = json!({ "agentId": "kitchen.clerk", "name": "x".repeat(201) }).to_string();
    is_refused(&send(&server, "PATCH", "/threads/t", &long).await, 400, "invalid_thread");
    let thread = &get(&server, "/threads?agentId=kitchen.clerk").await.json()["threads"][0];
    assert_eq!((&thread["name"], &thread["archived"]), (&json!(null), &json!(false)));
}

#[tokio::test]
async fn a_stop_ends_the_run_that_it_names() {
    let server = server(&Bells::default()).await;
    let run =
        Request::run(&format!("{BASE}/agent/kitchen.clerk/run"), asking("1", "wait for ever").to_string());
    let mut run = as_ada(run).open(server.address).await;
    run.until("waiting").await;
    let stop = async |body: &str| {
        as_ada(Request::run(&format!("{BASE}/agent/kitchen.clerk/stop/t"), body)).send(server.address).await
    };
    for wrong in ["[]", "7", r#"{"run":"1"}"#, "{", r#"{"runId":1}"#] {
        let refused = stop(wrong).await;
        assert_eq!((refused.status, &refused.json()["error"]), (400, &json!("invalid_request")), "{wrong}");
    }
    let other = stop(r#"{"runId":"2"}"#).await.json();
    assert_eq!(
        other,
        json!({ "stopped": false, "message": "Run '2' is not the active run for thread 't'." })
    );
    let interrupt = json!({ "type": "RUN_ERROR", "message": "Run stopped by user", "code": "STOPPED" });
    assert_eq!(stop(r#"{"runId":"1"}"#).await.json(), json!({ "stopped": true, "interrupt": interrupt }));
    let rest = run.whole().await;
    assert!(rest.text().contains(r#""outcome":{"type":"cancelled"}"#), "{}", rest.text());
    assert_eq!(
        stop("").await.json(),
        json!({ "stopped": false, "message": "No active run for thread 't'." })
    );
}

#[tokio::test]
async fn suggestions_leave_no_trace() {
    let server = server(&Bells::default()).await;
    let over_one = single(&server, "agent/run", json!({ "agentId": "default" }), suggesting("s")).await;
    // Pages that know no route for suggestions.
    let older = post(&server, "/agent/default/run", &suggesting("s")).await;
    for run in [post(&server, "/agent/default/suggest", &suggesting("s")).await, over_one, older] {
        is_legal(run.text());
        assert_eq!(
            types(run.text()),
            "RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END RUN_FINISHED"
        );
        assert_eq!(events(run.text())[1]["toolCallName"], "copilotkitSuggest");
    }
    assert_eq!(get(&server, "/threads?agentId=default").await.json()["threads"], json!([]));
    is_refused(&get(&server, "/threads/s/messages").await, 404, "thread_not_found");
    // Nothing is resumed, and no tool is forced that the page does not bring: nothing would remember what it did.
    let mut resuming = suggesting("s");
    resuming["resume"] = json!([{ "interruptId": "i", "status": "resolved" }]);
    let mut foreign = suggesting("s");
    foreign["forwardedProps"]["toolChoice"]["function"]["name"] = json!("refund");
    let mut free = suggesting("s");
    free["forwardedProps"] = json!({});
    for wrong in [&resuming, &foreign, &free] {
        is_refused(&post(&server, "/agent/default/suggest", wrong).await, 400, "invalid_suggestions");
    }
    is_refused(&post(&server, "/agent/default/run", &resuming).await, 400, "invalid_suggestions");
    // Another run's props force nothing.
    let mut plain = suggesting("p");
    plain["forwardedProps"] = json!({ "toolChoice": { "function": { "name": "other" } } });
    let run = single(&server, "agent/run", json!({ "agentId": "default" }), plain).await;
    assert!(run.text().contains("Hello."), "{}", run.text());
}

#[tokio::test]
async fn one_address_has_all_routes() {
    let server = server(&Bells::default()).await;
    let clerk = json!({ "agentId": "kitchen.clerk" });
    is_legal(single(&server, "agent/run", clerk.clone(), asking("1", "count")).await.text());
    is_legal(single(&server, "agent/connect", clerk.clone(), asking("c", "")).await.text());
    let stop =
        single(&server, "agent/stop", json!({ "agentId": "kitchen.clerk", "threadId": "t" }), Value::Null)
            .await;
    assert_eq!(stop.json()["stopped"], false);
    let resource = |path: &str| json!({ "path": path, "httpMethod": "GET" });
    let state = single(&server, "resource/request", resource("/threads/t/state"), Value::Null).await;
    assert_eq!(state.json(), json!({ "state": { "count": 1 } }));
    for path in [
        "//evil.example/threads",
        "https://evil.example/threads",
        "/agent/default/run",
        "threads",
        "/../kitchen/clerk",
        "",
    ] {
        assert_eq!(
            single(&server, "resource/request", resource(path), Value::Null).await.status,
            400,
            "{path}"
        );
    }
    assert_eq!(
        single(&server, "resource/request", resource("/threads/../../info"), Value::Null).await.status,
        404
    );
    for (method, status) in [("agent/fly", 400), ("transcribe", 422), ("", 400)] {
        assert_eq!(single(&server, method, json!({}), Value::Null).await.status, status, "{method}");
    }
    let unknown =
        single(&server, "agent/run", json!({ "agentId": "nobody/../%2e" }), asking("1", "count")).await;
    assert_eq!((unknown.status, &unknown.json()["error"]), (404, &json!("Agent not found")));
    for wrong in [json!([]), json!({}), json!({ "method": 7 }), json!({ "method": "agent/run", "params": 7 })]
    {
        assert_eq!(post(&server, "", &wrong).await.status, 400, "{wrong}");
    }
    let text = as_ada(Request::new("POST", BASE).header("content-type", "text/plain").body("{}"));
    is_refused(&text.send(server.address).await, 415, "unsupported_media_type");
}

#[tokio::test]
async fn routes_of_the_platform_are_refused_and_odd_paths_are_not_found() {
    let server = server(&Bells::default()).await;
    for path in ["/threads/subscribe", "/annotate", "/transcribe"] {
        assert_eq!(post(&server, path, &json!({})).await.status, 422, "{path}");
    }
    for path in ["/memories", "/agent/desk/run", "/agent/%2E%2E/run", "/agent//run", "/nothing"] {
        assert_eq!(post(&server, path, &asking("1", "count")).await.status, 404, "{path}");
    }
    assert_eq!(post(&server, "/agent/%FF/run", &asking("1", "count")).await.status, 400);
    assert_eq!(get(&server, "/agent/default/run").await.status, 405);
    let long = format!("/threads/{}/state", "a%2F..%25".repeat(500));
    is_refused(&get(&server, &long).await, 404, "thread_not_found");
    let page = as_ada(Request::new("GET", &format!("{BASE}/info")).header("origin", "https://evil.example"));
    is_refused(&page.send(server.address).await, 403, "origin_not_allowed");
}

/// CopilotKit's local runtime deletes all threads of all users, because it keeps them for a developer.
#[tokio::test]
async fn threads_are_never_cleared() {
    let server = server(&Bells::default()).await;
    post(&server, "/agent/kitchen.clerk/run", &asking("1", "count")).await;
    let resource = json!({ "path": "/threads/clear", "httpMethod": "POST" });
    for refused in [
        post(&server, "/threads/clear", &json!({})).await,
        single(&server, "resource/request", resource, json!({})).await,
    ] {
        assert_eq!((refused.status, &refused.json()["error"]), (422, &json!("Threads are stored")));
    }
    assert_eq!(get(&server, "/threads/clear").await.status, 405);
    assert_eq!(get(&server, "/threads/t/state").await.json(), json!({ "state": { "count": 1 } }));
}

#[tokio::test]
async fn without_a_store_conversations_are_remembered() {
    let server =
        ThreadServer::serve(Server::new().agent("/clerk", Clerk::new(Bells::default())).copilotkit(BASE))
            .await;
    let run = Request::run(&format!("{BASE}/agent/clerk/run"), asking("1", "count").to_string());
    is_legal(run.send(server.address).await.text());
    let connect = Request::run(&format!("{BASE}/agent/clerk/connect"), asking("c", "").to_string());
    is_legal(connect.send(server.address).await.text());
    let info = Request::new("GET", &format!("{BASE}/info")).send(server.address).await.json();
    assert_eq!(info["threadEndpoints"]["list"], false, "a list would show the threads of all");
    assert_eq!(info["threadEndpoints"]["mutations"], false);
    let own = Request::run("/clerk/connect", asking("c", "").to_string()).send(server.address).await;
    assert_eq!(own.status, 204, "the agent's own route stores nothing");
}

#[test]
fn paths_that_cannot_be_served_are_errors() {
    let with = |agent: &str, path: &str| {
        Server::new().agent(agent, Clerk::new(Bells::default())).copilotkit(path).router().map(drop)
    };
    for (agent, path) in [("/clerk", "/"), ("/clerk", "/api/"), ("/api/clerk", "/api"), ("/api", "/api")] {
        assert!(with(agent, path).is_err(), "{agent} {path}");
    }
    let below = Server::new()
        .agent("/clerk", Clerk::new(Bells::default()))
        .copilotkit("/api")
        .copilotkit("/api/threads");
    assert!(below.router().is_err());
    let info = axum::Router::new().route("/api/info", axum::routing::get(async || "mine"));
    assert!(Server::new().copilotkit("/api").routes(info).router().is_err());
    let twins =
        Server::new().agent("/a.b", Clerk::new(Bells::default())).agent("/a/b", Clerk::new(Bells::default()));
    assert!(twins.copilotkit("/api").router().is_err());
    assert!(with("/clerk", "/api").is_ok());
}
