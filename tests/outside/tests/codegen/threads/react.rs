//! The hook of React that gets a thread when its component mounts.

use agui_codegen::ir::ReactPackage;
use agui_tests::cut_server::CutServer;
use agui_tests::need;
use agui_tests::outside::Pages;
use serde_json::{Value, json};

use crate::{cases, folder, generate_with};

const PAGE: &str = r#"
import { readFileSync } from "node:fs";
import { Window } from "happy-dom";
const window = new Window({ url: "https://shop.example" });
const { document, navigator } = window;
Object.assign(globalThis, { window, document, navigator, IS_REACT_ACT_ENVIRONMENT: true });

const { act, createElement: h, StrictMode } = await import("react");
const { createRoot } = await import("react-dom/client");
const { renderToString } = await import("react-dom/server");
const { KitchenAgent } = await import("./kitchen/client.js");
const { useKitchenConnection, useKitchenMessages, useKitchenThread } = await import("./kitchen/react.js");
const { base } = JSON.parse(readFileSync(0, "utf8"));

console.error = () => undefined;
process.on("unhandledRejection", () => undefined);
const settle = () => act(async () => { await new Promise((resolve) => setTimeout(resolve, 300)); });

async function page(path: string, threadId = "t") {
  const agent = new KitchenAgent({ url: base + path, threadId: "t", reconnect: { attempts: 4, firstPause: 5 } });
  const [seen, connections]: string[][] = [[], []];
  let stop!: () => Promise<boolean>;
  function Thread() {
    const thread = useKitchenThread(agent as any, threadId);
    stop = thread.stop;
    if (seen.at(-1) !== thread.status) seen.push(thread.status);
    const connection: string = useKitchenConnection(agent as any);
    if (connections.at(-1) !== connection) connections.push(connection);
    return h("p", null, useKitchenMessages(agent as any).map((m: any) => m.content).join("|"));
  }
  const server = renderToString(h(Thread));
  seen.length = 0;
  const div = document.createElement("div");
  const root = createRoot(div as any);
  await act(async () => root.render(h(StrictMode, null, h(Thread))));
  await settle();
  const text = div.textContent;
  const stopped = path === "/stopped" ? await stop() : undefined;
  await act(async () => root.unmount());
  return { seen, connections, text, stopped, server, subscribers: agent.subscribers.length, connection: agent.connection };
}

console.log(JSON.stringify({
  late: await page("/late/12"),
  cut: await page("/abort/900"),
  empty: await page("/empty"),
  gone: await page("/refused/404"),
  stopped: await page("/stopped"),
}));
process.exit(0);
"#;

#[test]
fn a_component_gets_its_thread_when_it_mounts() {
    let pages = need!(Pages::ready());
    let folder = folder("threads-react");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    drop(generate_with(&kitchen, "ts", &folder, |options| options.react = Some(ReactPackage::Plain)));
    std::fs::write(folder.join("page.ts"), PAGE).unwrap();
    let server = CutServer::start();
    let shown: Value =
        pages.run(&folder, "page.ts", &json!({ "base": server.url("") }).to_string()).assert_success().json();
    let text = "A naïve plan 🦀.|Let me see … \n\n|{\"cents\":180}|It is 1.80.";
    assert_eq!([&shown["late"]["text"], &shown["cut"]["text"]], [text, text], "{shown:#}");
    for path in ["late", "cut", "empty", "gone", "stopped"] {
        assert_eq!(shown[path]["seen"][0], "connecting", "{shown:#}");
        assert_eq!(shown[path]["server"], "<p></p>", "{shown:#}");
        assert_eq!(
            (&shown[path]["subscribers"], &shown[path]["connection"]),
            (&json!(0), &json!("closed")),
            "{shown:#}"
        );
    }
    let last = |path: &str| shown[path]["seen"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(["late", "cut", "empty", "gone"].map(last), ["idle", "idle", "idle", "failed"], "{shown:#}");
    assert!(shown["cut"]["seen"].as_array().unwrap().contains(&json!("reconnecting")), "{shown:#}");
    let connections = ["closed", "connecting", "open", "reconnecting", "open", "closed"];
    assert_eq!(shown["cut"]["connections"], json!(connections), "{shown:#}");
    assert_eq!(shown["stopped"]["stopped"], true);
    assert_eq!(server.asked("/late/12").len(), 1, "strict mode mounts twice");
}
