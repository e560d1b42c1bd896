//! The descriptions of an agent's tools, as clients read them.

use agui_runtime::mcp::McpServer;
use agui_runtime::prelude::{Input, Run, Stop, agent, tool};
use rmcp::model::Tool;
use serde_json::{Value, json};

use crate::shop::{Shop, Waiting};
use crate::wired::{block_on, lifecycles, rmcp_client};

fn shop() -> McpServer {
    McpServer::new(Shop::new(Waiting::default()))
}

fn listed(name: &str) -> Value {
    let tools = block_on(async {
        let [handshake, _] = lifecycles();
        rmcp_client(shop(), handshake).await.list_all_tools().await.unwrap()
    });
    let tool: &Tool = tools.iter().find(|tool| tool.name == name).unwrap();
    serde_json::to_value(tool).unwrap()
}

#[test]
fn backend_tools_without_approval_are_listed_in_their_order() {
    let expected = [
        "price", "order", "note", "picture", "wait", "slow", "long", "bug", "hidden", "fatal", "whoami",
        "bake", "shelves", "crash",
    ];
    assert_eq!(shop().tools(), expected);
    let with = shop().client_approves().tools();
    assert_eq!(with.len(), expected.len() + 1);
    assert!(with.contains(&"refund") && !with.contains(&"checkout"));
    block_on(async {
        for lifecycle in lifecycles() {
            let client = rmcp_client(shop(), lifecycle).await;
            let names: Vec<_> =
                client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name).collect();
            assert_eq!(names, expected);
        }
    });
}

#[test]
fn a_tool_has_its_title_its_hints_and_the_schema_of_its_arguments() {
    assert_eq!(
        listed("price"),
        json!({
            "name": "price",
            "title": "Price",
            "description": "Looks up what an ingredient costs, in cents.",
            "inputSchema": {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "title": "PriceArguments",
                "type": "object",
                "properties": { "name": { "description": "Its name, singular.", "type": "string" } },
                "required": ["name"],
            },
            "annotations": {
                "title": "Price",
                "readOnlyHint": true,
                "idempotentHint": true,
                "openWorldHint": false,
            },
        })
    );
}

#[test]
fn nested_types_are_definitions_and_results_have_the_form_that_serde_writes() {
    let order = listed("order");
    assert_eq!(order["annotations"], json!({ "destructiveHint": true }));
    let input = &order["inputSchema"];
    assert_eq!(input["properties"]["lines"]["items"], json!({ "$ref": "#/$defs/Line" }));
    assert_eq!(input["$defs"]["Line"]["required"], json!(["item"]), "`count` has a default");
    let output = &order["outputSchema"];
    assert_eq!(output["type"], "object");
    assert_eq!(output["required"], json!(["number", "lines"]), "{output}");
    assert_eq!(output["properties"]["paidAt"]["type"], json!(["string", "null"]));
    assert_eq!(output["$defs"]["Line"]["required"], json!(["item", "count"]), "serde writes both");
    assert!(!output.to_string().contains("uint"), "{output}");
    for validator in [input, output] {
        assert!(jsonschema::validator_for(validator).is_ok(), "{validator}");
    }
}

#[test]
fn the_schemas_of_arguments_are_those_of_the_capabilities() {
    let declared = agui_runtime::capabilities(&<Shop as agui_runtime::Agent>::source());
    for tool in declared.tools.unwrap().items.unwrap().iter().filter(|tool| tool.name != "refund") {
        let listed = listed(&tool.name);
        assert_eq!(listed["description"], tool.description);
        assert_eq!(listed["inputSchema"], serde_json::to_value(&tool.parameters).unwrap());
    }
}

#[test]
fn a_result_that_is_no_object_has_no_schema() {
    for tool in ["price", "note", "picture", "whoami"] {
        assert_eq!(listed(tool).get("outputSchema"), None, "{tool}");
    }
}

/// Answers questions about invoices.
#[agent]
async fn billing(run: &mut Run<Billing>, _: Input<Billing>) -> Result<(), Stop> {
    run.say("It is paid.").await;
    Ok(())
}

/// Looks up what rice costs.
#[tool]
async fn rice() -> u32 {
    180
}

/// Greets customers.
#[agent(tools = [rice], handoffs = [Billing])]
async fn reception(
    run: &mut Run<Reception>,
    _: Input<Reception>,
    billing: &std::sync::Arc<Billing>,
) -> Result<(), Stop> {
    run.say("Hello.").await;
    Ok(())
}

/// A call of it would say that another agent answers from here on, and no agent would.
#[test]
fn a_handoff_is_not_exported() {
    let server = McpServer::new(Reception::new(std::sync::Arc::new(Billing::new())));
    assert_eq!(server.tools(), ["rice"]);
}
