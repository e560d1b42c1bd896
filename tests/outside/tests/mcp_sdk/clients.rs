//! The official TypeScript clients, of both generations, with our server.

use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{ExampleServer, McpGeneration, McpPackages, McpReport, built};
use serde_json::{Value, json};

fn calls() -> Value {
    json!([
        { "name": "price", "arguments": { "name": "rice" } },
        { "name": "order", "arguments": { "lines": [{ "item": "rice", "count": 2 }] } },
        { "name": "picture", "arguments": {} },
        { "name": "price", "arguments": { "name": 7 } },
        { "name": "prize", "arguments": {} },
        { "name": "refund", "arguments": { "number": 7 } },
        { "name": "wait", "arguments": {}, "cancelAfterMs": 200 },
        { "name": "bake", "arguments": {}, "reports": true },
        { "name": "shelves", "arguments": { "count": 2 }, "reports": true },
        { "name": "price", "arguments": { "name": "salt" } },
    ])
}

/// The official clients lose the reports that arrive in one piece with the result: the last ones, and on a busy machine
/// all. `tests/tests/mcp` checks with another client that none is missing.
fn check_reports(result: &Value, expected: &[Value]) {
    let reported = result["reported"].as_array().unwrap();
    assert!(expected.starts_with(reported), "{result}");
}

fn check(generation: McpGeneration, report: &McpReport) {
    assert_eq!(report.server["name"], "shop", "{report:#?}");
    assert_eq!(report.instructions.as_deref(), Some("Prices are in cents."));
    let names: Vec<_> = report.tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names[0], names[1]), (14, "price", "order"));
    assert_eq!(report.tools[0]["annotations"]["readOnlyHint"], true);
    assert_eq!(report.tools[1]["inputSchema"]["$defs"]["Line"]["required"], json!(["item"]));
    let [price, order, picture, wrong, unknown, approval, cancelled, baked, shelves, last] =
        report.results.as_slice()
    else {
        panic!("{report:#?}")
    };
    assert_eq!(price["content"], json!([{ "type": "text", "text": "180" }]));
    // The client checks it with the schema of the result, and throws if it does not fit.
    let expected = json!({ "number": 7, "lines": [{ "item": "rice", "count": 2 }] });
    assert_eq!(order["structuredContent"], expected, "{order}");
    assert_eq!(
        picture["content"][1],
        json!({ "type": "image", "data": "aW1hZ2U=", "mimeType": "image/png" })
    );
    assert_eq!(wrong["isError"], true);
    assert!(wrong["content"][0]["text"].as_str().unwrap().contains("at `name`"), "{wrong}");
    for refused in [unknown, approval] {
        assert_eq!(refused["code"], -32602, "{refused}");
        assert!(refused["thrown"].as_str().unwrap().contains("there is no tool"), "{refused}");
    }
    assert!(cancelled["thrown"].is_string(), "{cancelled}");
    let bread =
        [json!({ "progress": 1, "total": 3, "message": "kneaded" }), json!({ "progress": 2.5, "total": 3 })];
    check_reports(baked, &bread);
    assert_eq!(baked["content"][0]["text"], "bread");
    let shelf = |count: u32| json!({ "progress": count, "message": json!({ "item": "shelf", "count": count }).to_string() });
    check_reports(shelves, &[shelf(1), shelf(2)]);
    assert_eq!(last["content"][0]["text"], "90");
    let version = match generation {
        McpGeneration::Sdk => "2025-11-25",
        McpGeneration::Client => "2026-07-28",
    };
    assert!(report.version.as_deref().is_none_or(|spoken| spoken == version), "{:?}", report.version);
}

#[test]
fn over_standard_input_and_output() {
    let packages = need!(McpPackages::ready());
    let connect = json!({ "command": built("mcp_shop"), "args": ["stdio"] });
    for generation in McpGeneration::ALL {
        check(generation, &packages.client(generation, &connect, &calls()));
    }
}

#[test]
fn over_streamable_http_beside_an_agent() {
    let packages = need!(McpPackages::ready());
    let mut command = Command::new(built("mcp_shop"));
    command.arg("http");
    let server = ExampleServer::spawn("mcp_shop", command, Duration::from_secs(60)).unwrap();
    let connect = json!({ "url": format!("{}/mcp", server.url()) });
    for generation in McpGeneration::ALL {
        let report = packages.client(generation, &connect, &calls());
        assert!(report.version.is_some(), "{report:#?}");
        check(generation, &report);
    }
}

/// A schema `true` is written as `{}`: the SDK that most clients are built with reads no list that has one.
#[test]
fn values_of_any_type_hide_no_tool() {
    let packages = need!(McpPackages::ready());
    let connect = json!({ "command": built("mcp_shop"), "args": ["values"] });
    let value = json!({ "deep": [1, null, { "er": true }] });
    let calls = json!([
        { "name": "keep", "arguments": { "key": "a", "value": value, "more": [1, "b"] } },
        { "name": "keep", "arguments": { "key": "b", "value": null } },
        { "name": "hello", "arguments": {} },
    ]);
    for generation in McpGeneration::ALL {
        let report = packages.client(generation, &connect, &calls);
        let names: Vec<_> = report.tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["keep", "hello"], "{report:#?}");
        let properties = &report.tools[0]["inputSchema"]["properties"];
        assert!(properties["value"].is_object(), "{properties}");
        let [kept, none, hello] = report.results.as_slice() else { panic!("{report:#?}") };
        let expected = json!({ "key": "a", "value": value, "more": { "all": [1, "b"] } });
        assert_eq!(kept["structuredContent"], expected, "{kept}");
        assert_eq!(none["structuredContent"]["value"], json!(null), "{none}");
        assert_eq!(hello["content"][0]["text"], "hello");
    }
}
