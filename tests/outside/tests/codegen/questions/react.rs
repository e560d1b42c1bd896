//! The hook of CopilotKit.

use std::fs;

use agui_tests::{
    need,
    outside::{Generation, Node},
};
use serde_json::json;

use super::super::typescript::run;
use super::{DELETE, DESTINATION, FOREIGN, STRANGE, asking, folder, generate_with, keeper};

/// Stubs of CopilotKit and React for the hooks: the module, the file instead, its content.
const STUBS: [(&str, &str, &str); 2] = [
    (
        "@copilotkit/react-core/v2",
        "copilotkit.js",
        "export const configs = [];
export const useInterrupt = (config) => void configs.push(config);
export const useAgent = () => ({}), useFrontendTools = () => {}, useHumanInTheLoop = () => {}, useRenderTool = () => {};",
    ),
    (
        "react",
        "react.js",
        "export const Fragment = 'fragment';
export const createElement = (type, props, ...children) => ({ type, key: props?.key, children });",
    ),
];

const HOOK: &str = r#"
import { readFileSync } from "node:fs";
import { useKeeperInterrupts } from "./keeper/react.js";
// @ts-ignore: only the stub has it
import { configs } from "@copilotkit/react-core/v2";

const interrupts = JSON.parse(readFileSync(0, "utf8"));
const warnings: string[] = [];
console.error = () => {};
console.warn = (...words) => warnings.push(words.join(" "));
const asked: any[] = [];
const sent: unknown[] = [];
useKeeperInterrupts((question) => {
  asked.push(question);
  return null;
});
useKeeperInterrupts(() => null, (interrupt, { cancel }) => {
  asked.push({ id: interrupt.id, cancel });
  return null;
});
const [config, withOthers] = configs;
const props = {
  interrupts,
  resolve: async (payload: unknown, id: string) => void sent.push([id, payload ?? "nothing"]),
  cancel: async (id: string) => void sent.push([id]),
};
// Twice, as CopilotKit does in development.
config.handler(props);
config.handler(props);
const cancelled = sent.splice(0);
const drawn = config.render(props);
const [first, second] = asked;
const refused = await first.resolve({ approved: "yes" }).catch((error: Error) => error.message);
await first.resolve({ approved: true });
await second.resolve(null);
await second.cancel();
const answers = sent.splice(0);
asked.length = 0;
withOthers.handler(props);
const untouched = sent.length === 0;
const allDrawn = withOthers.render(props).children.map((child: any) => child.key);
for (const other of asked) await other.cancel();
console.log(JSON.stringify({
  warnings, cancelled, untouched, allDrawn, others: sent,
  agentId: config.agentId, keys: drawn.children.map((child: any) => child.key), refused, sent: answers,
  paths: [first.payload.path, second.payload.names],
}));
"#;

#[test]
fn the_hook_of_copilotkit_answers() {
    let node = need!(Node::ready());
    let folder = folder("questions-hook");
    generate_with(&keeper(), "ts", &folder, |options| {
        options.react = Some(agui_codegen::ir::ReactPackage::V2);
    });
    fs::write(folder.join("hook.ts"), HOOK).unwrap();
    for (_, file, module) in STUBS {
        fs::write(folder.join(file), module).unwrap();
    }
    for path in ["hook.ts", "_react.ts", "_react_interrupts.ts", "keeper/react.ts"] {
        let mut text = fs::read_to_string(folder.join(path)).unwrap();
        for (package, file, _) in STUBS {
            let here = folder.join(file);
            text = text.replace(&format!("\"{package}\""), &format!("\"{}\"", here.display()));
        }
        fs::write(folder.join(path), text).unwrap();
    }
    let asking = asking();
    let report = run(&node, &folder, "hook.ts", Generation::V1, &asking[1]["outcome"]["interrupts"]);
    assert_eq!(
        report,
        json!({
            "agentId": "keeper",
            "keys": [DELETE, DESTINATION],
            "warnings": [
                "agui: interrupt confirm_delete is cancelled: it is not declared, or its payload has another type",
                "agui: interrupt constructor is cancelled: it is not declared, or its payload has another type",
            ],
            "cancelled": [[STRANGE], [FOREIGN], [STRANGE], [FOREIGN]],
            "untouched": true,
            "allDrawn": [DELETE, DESTINATION, STRANGE, FOREIGN],
            "others": [[STRANGE], [FOREIGN]],
            "refused": format!("the response to {DELETE} does not fit: approved: expected boolean, found string"),
            "sent": [[DELETE, {"approved": true}], [DESTINATION, "nothing"], [DESTINATION]],
            "paths": ["/tmp", ["attic"]],
        })
    );
}
