//! The page's side of a catalog: what fits compiles, what does not fit does not, and calls of functions are checked.

use std::fs;

use agui_tests::need;
use agui_tests::outside::{Generation, Node};
use serde_json::{Value, json};

use super::typescript::run;
use super::{cases, folder, generate};

/// A page, as its author writes it; each mistake is announced.
const PAGE: &str = r#"
import { answerCall, callAgent, agentValue, implement } from "./_surfaces.js";
import type { CatalogComponents, CatalogFunctions, ComponentProps } from "./_surfaces.js";
import { functionCall_Catalog, shopCatalog, type FunctionCall_, type Shop } from "./seller/catalogs.js";

type Drawing = CatalogComponents<Shop, string>;

const components: Drawing = {
  Stack: ({ props, buildChild }) =>
    props.children.map((child) => (typeof child === "string" ? buildChild(child) : buildChild(child.id, child.basePath))).join(),
  // A property that follows the data has no value until the data has one.
  Label: ({ props }) => `${props.text ?? ""} ${props.itemCount?.toFixed() ?? ""} ${props.tone ?? "plain"} ${props.tags?.join() ?? ""}`,
  Button: ({ props, buildChild }) => {
    props.action();
    props.setEnabled(false);
    return buildChild(props.child);
  },
  Tabs: ({ props, buildChild }) => {
    for (const tab of props.tabs) tab.opened?.();
    return props.tabs.map((tab) => `${tab.title}: ${buildChild(tab.child)}`).join() + (props.footer ?? "");
  },
  Divider: () => "---",
  Stepper: ({ props }) => {
    props.setValue((props.value ?? 0) + 1);
    const tone: "loud" | "quiet" | undefined = props["tone/of voice"];
    return `${tone ?? ""} ${String(props.anything)}`;
  },
};

const functions: CatalogFunctions<Shop> = {
  countItems: ({ cart, limit }) => Math.min(cart.length, limit ?? 10),
  openCart: () => {},
};

export const answered = answerCall(shopCatalog, functions, { functionCallId: "f", callFunction: { call: "openCart" } });
export const called = callAgent(shopCatalog, "order", "quotePrice", { itemName: "Bread" });
const quoted = agentValue(shopCatalog, "quotePrice", { functionCallId: "f", value: { cents: 3, valid_until: null } });
export const cents: number | undefined = quoted.issues === undefined ? quoted.value.cents : undefined;
const known = { components: new Map<string, { name: string }>(), functions: new Map<string, { name: string }>() };
export const made = implement(shopCatalog, known, components, functions, (api, draw) => ({ ...api, draw }));
export const charts: CatalogComponents<FunctionCall_, string> = { Bars: ({ props }) => (props.heights ?? []).join() };
export const none: CatalogFunctions<FunctionCall_> = {};
export const id: string = functionCall_Catalog.id;
export type Text = ComponentProps<Shop, "Label">["text"];

// @ts-expect-error: `Divider` and `Stepper` are missing
export const missing: Drawing = { Stack: components.Stack, Label: components.Label, Button: components.Button, Tabs: components.Tabs };
export const another: Drawing = {
  ...components,
  // @ts-expect-error: the catalog has no such component
  Chart: () => "",
};
export const wrong: Drawing = {
  ...components,
  // @ts-expect-error: a label has no such property
  Label: ({ props }) => props.caption,
  // @ts-expect-error: the text may have no value yet
  Button: ({ props }) => (props.enabled satisfies boolean ? "on" : "off"),
  // @ts-expect-error: a component is drawn by its id
  Tabs: ({ props, buildChild }) => buildChild(props.tabs),
  Stepper: ({ props }) => {
    // @ts-expect-error: the value is a number
    props.setValue("one");
    // @ts-expect-error: a page does not write the properties of its components
    props.value = 1;
    return "";
  },
};
// @ts-expect-error: a stack does not follow the data
export type Setter = ComponentProps<Shop, "Stack">["setChildren"];
// @ts-expect-error: `openCart` is missing
export const fewer: CatalogFunctions<Shop> = { countItems: functions.countItems };
export const mistaken: CatalogFunctions<Shop> = {
  ...functions,
  // @ts-expect-error: the cart is a text
  countItems: ({ cart }: { cart: number }) => cart,
};
export const texts: CatalogFunctions<Shop> = {
  ...functions,
  // @ts-expect-error: the value is a number
  countItems: ({ cart }) => cart,
};
export const late: CatalogFunctions<Shop> = {
  ...functions,
  // @ts-expect-error: a surface shows the value at once
  countItems: async ({ cart }) => cart.length,
};
export const more: CatalogFunctions<Shop> = {
  ...functions,
  // @ts-expect-error: the agent has this function
  quotePrice: () => ({ cents: 3, valid_until: null }),
};
// @ts-expect-error: the page has this function
export const own = callAgent(shopCatalog, "order", "countItems", { cart: "c" });
// @ts-expect-error: the name is a text
export const unnamed = callAgent(shopCatalog, "order", "quotePrice", { itemName: 7 });
"#;

#[test]
fn what_does_not_fit_the_catalog_does_not_compile() {
    let node = need!(Node::ready());
    let folder = folder("catalogs");
    let case = cases::all().into_iter().find(|case| case.name == "seller").unwrap();
    let mut files = generate(&case, "ts", &folder);
    let page = folder.join("page.ts");
    fs::write(&page, PAGE).unwrap();
    files.push(page);
    for generation in Generation::ALL {
        let checked = node.type_check("catalogs", generation, &files);
        assert!(checked.status.success(), "{checked}");
    }
}

/// Answers the calls of stdin.
const CALLS: &str = r#"
import { readFileSync } from "node:fs";
import { agentResponses, agentValue, answerCall, callAgent, implement, rendererCalls } from "./_surfaces.js";
import { shopCatalog } from "./seller/catalogs.js";

const functions = {
  countItems: ({ cart }: { cart: string }) => {
    if (cart === "lost") throw new Error("the cart is lost");
    return cart.length;
  },
  openCart: () => {},
};
const { surface } = JSON.parse(readFileSync(0, "utf8"));
// As on a page from an address that is not secure.
Object.defineProperty(crypto, "randomUUID", { value: undefined });
const ids = [1, 2].map((count) => {
  const message = callAgent(shopCatalog, "order", "quotePrice", { itemName: `Bread ${count}` });
  return "callAgentFunction" in message ? message.callAgentFunction.functionCallId : "";
});
let unknown = "";
try {
  implement(shopCatalog, { components: new Map(), functions: new Map() }, { Divider: () => "" } as never, functions, () => 0);
} catch (error) {
  unknown = String(error);
}
process.stdout.write(JSON.stringify({
  answers: rendererCalls(surface).map((call) => answerCall(shopCatalog, functions, call)),
  values: agentResponses(surface).map((response) => agentValue(shopCatalog, "quotePrice", response)),
  nothing: [rendererCalls({}), agentResponses({ a2ui_operations: [null, 3] })],
  called: callAgent(shopCatalog, "order", "quotePrice", { itemName: "Bread" }, "f-1"),
  ids,
  unknown,
}));
"#;

#[test]
fn calls_are_checked_before_the_page_s_functions_run() {
    let node = need!(Node::ready());
    let folder = folder("catalog-calls");
    let case = cases::all().into_iter().find(|case| case.name == "seller").unwrap();
    drop(generate(&case, "ts", &folder));
    fs::write(folder.join("calls.ts"), CALLS).unwrap();
    let call = |id: &str, function: Value| json!({ "version": "v1.0", "callRendererFunction": { "functionCallId": id, "callFunction": function } });
    let response = |response: Value| json!({ "version": "v1.0", "agentFunctionResponse": response });
    let shop = "https://shop.example/catalog.json";
    let operations = json!([
        call("counted", json!({ "call": "countItems", "catalogId": shop, "args": { "cart": "c-1" } })),
        call("opened", json!({ "call": "openCart" })),
        call("failed", json!({ "call": "countItems", "args": { "cart": "lost" } })),
        call("misread", json!({ "call": "countItems", "args": { "cart": 7 } })),
        call("of the agent", json!({ "call": "quotePrice", "args": { "itemName": "Bread" } })),
        call("of another", json!({ "call": "openCart", "catalogId": "https://else.example" })),
        call("inherited", json!({ "call": "toString" })),
        { "version": "v0.9", "callRendererFunction": { "functionCallId": "old", "callFunction": { "call": "openCart" } } },
        { "version": "v2.0", "somethingNew": { "functionCallId": "new" } },
        { "version": "v1.0", "callRendererFunction": 3 },
        response(json!({ "functionCallId": "f", "value": { "cents": 3, "valid_until": null } })),
        response(json!({ "functionCallId": "f", "value": { "cents": "three", "valid_until": null } })),
        response(json!({ "functionCallId": "f", "error": { "code": "SOLD_OUT", "message": "No bread." } })),
    ]);
    let report = run(
        &node,
        &folder,
        "calls.ts",
        Generation::V1,
        &json!({ "surface": { "a2ui_operations": operations } }),
    );
    let responses: Vec<&Value> = report["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| &answer["rendererFunctionResponse"])
        .collect();
    assert_eq!(*responses[0], json!({ "functionCallId": "counted", "value": 3 }));
    assert_eq!(*responses[1], json!({ "functionCallId": "opened", "value": null }));
    let codes: Vec<&Value> = responses[2..].iter().map(|response| &response["error"]["code"]).collect();
    let unknown = "UNKNOWN_FUNCTION";
    assert_eq!(codes, ["EXECUTION_FAILED", "INVALID_ARGUMENTS", unknown, unknown, unknown]);
    assert!(responses[3]["error"]["message"].as_str().unwrap().contains("cart: "), "{report:#}");
    assert_eq!(report["values"][0]["value"], json!({ "cents": 3, "valid_until": null }));
    assert_eq!(report["values"][1]["issues"][0]["path"], json!(["cents"]));
    assert_eq!(report["ids"][0].as_str().map(str::len), Some(32), "{report:#}");
    assert_ne!(report["ids"][0], report["ids"][1]);
    assert_eq!(report["values"][2]["issues"][0]["message"], "No bread. (SOLD_OUT)");
    assert_eq!(report["nothing"], json!([[], []]));
    let called = &report["called"]["callAgentFunction"];
    assert_eq!(called["callFunction"]["args"], json!({ "itemName": "Bread" }));
    assert_eq!((&called["surfaceId"], &called["functionCallId"]), (&json!("order"), &json!("f-1")));
    assert!(report["unknown"].as_str().unwrap().contains("does not know Divider"), "{report:#}");
}
