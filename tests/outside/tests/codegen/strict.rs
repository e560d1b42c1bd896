//! Generated code under the strictest checkers, and React hooks in use.

use std::fs;

use agui_tests::{
    need,
    outside::{Checkers, Python},
};
use serde_json::Value;

use super::{cases, folder, generate_with};

/// A component, as TypeScript without JSX.
const COMPONENT: &str = r#"
import {
  useAskNamePrompt,
  useConfirmOrderPrompt,
  useConfirmOrderView,
  useKitchenAgent,
  useKitchenTools,
  usePriceView,
} from "./kitchen/react.js";

export function Kitchen(): string {
  const { agent, state, setState, isReady } = useKitchenAgent({ throttleMs: 50 });
  setState({ title: "Risotto", ingredients: [] });
  // @ts-expect-error: the state has a type
  setState({ title: 1, ingredients: [] });
  const title: string | undefined = state?.title;
  // @ts-expect-error: the state has no such member
  state?.titel;
  useKitchenTools({
    confirm_order: ({ total }) => (total.cents < 1000 ? { answer: "yes" } : { answer: "no", reason: "dear" }),
    ask_name: async (_args, { id }) => id,
    ring: ({ times }) => {
      console.log(times.toFixed());
    },
  });
  // @ts-expect-error: a handler is missing
  useKitchenTools({ ask_name: () => "Ada", ring: () => {} });
  useConfirmOrderPrompt((prompt) => {
    if (prompt.status === "executing") {
      void prompt.respond({ answer: "no", reason: String(prompt.args.total.cents) });
      // @ts-expect-error: an answer has its type
      void prompt.respond({ answer: "perhaps" });
    } else if (prompt.status === "inProgress") {
      // @ts-expect-error: arriving arguments may be missing
      prompt.args.total.cents;
    }
    return null;
  }, []);
  useAskNamePrompt((prompt) => {
    if (prompt.status === "executing") void prompt.respond("Ada");
    return null;
  });
  usePriceView((call) => {
    if (call.status === "complete") console.log(call.result?.cents.toFixed(), call.error);
    return null;
  });
  useConfirmOrderView(() => null, [title]);
  return `${agent.threadId} ${String(isReady)}`;
}
"#;

/// A component that asks the agent's questions.
const ASKING: &str = r#"
import { createElement } from "react";
import { useKeeperInterrupts } from "./keeper/react.js";

export function Questions(): null {
  useKeeperInterrupts((question) => {
    switch (question.reason) {
      case "confirm_delete":
        // @ts-expect-error: the answer has a type
        void question.resolve({ approved: "yes" });
        void question.resolve({ approved: question.payload.entries.length < 3 });
        return createElement("b", null, question.message, question.payload.path);
      case "acme.destination":
        void question.resolve(null);
        // @ts-expect-error: that answers another question
        void question.resolve({ approved: true });
        return null;
      default:
        void question.cancel();
        return null;
    }
  }, (other, { cancel }) => {
    // @ts-expect-error: the payload is unknown
    other.payload;
    void cancel();
    return createElement("b", null, other.reason);
  });
  return null;
}
"#;

/// A branded type differs from a string.
const LINKS: &str = r#"
import { Link, type Library } from "./std_types/index.js";

export const link: Library["link"] = Link("https://example.com");
export const text: string = link;
// @ts-expect-error: a string has to be converted
export const wrong: Library["link"] = "https://example.com";
"#;

const FIRST_COMPONENT: &str = r#"
import { useKitchenAgent } from "./kitchen/react.js";

export function Kitchen(): string {
  const { state, setState, running } = useKitchenAgent({ title: "", ingredients: [] });
  setState({ title: "Risotto", ingredients: [] });
  // @ts-expect-error: the state has a type
  setState({ title: 1 });
  return running ? "" : (state?.title ?? "");
}
"#;

/// eslint rules that generated code does not follow, and the reason.
const OFF: [(&str, &str); 10] = [
    ("@typescript-eslint/consistent-type-definitions", "an interface does not fit `Record<string, unknown>`"),
    ("@typescript-eslint/consistent-indexed-object-style", "a type that contains itself cannot say `Record`"),
    ("@typescript-eslint/dot-notation", "brackets work with `noPropertyAccessFromIndexSignature` too"),
    ("@typescript-eslint/restrict-template-expressions", "a number in a message is its digits"),
    (
        "@typescript-eslint/no-generated-empty-object-type",
        "in an intersection it forbids nothing, as it should",
    ),
    ("@typescript-eslint/no-deprecated", "a schema has the members of its type, and old ones are members"),
    ("@typescript-eslint/no-invalid-void-type", "what a handler answers that answers nothing"),
    ("@typescript-eslint/no-unnecessary-type-parameters", "the caller says what was checked"),
    ("@typescript-eslint/no-unused-vars", "what a copy leaves out is named to leave it out"),
    ("@typescript-eslint/no-useless-constructor", "it narrows what the class is made from"),
];

/// Reports of eslint about correct code: the file, the rule, and the reason. Each occurs.
const RIGHT: [(&str, &str, &str); 6] = [
    (
        "/_surfaces.ts",
        "@typescript-eslint/no-explicit-any",
        "a renderer of A2UI infers types from schemas, which a catalog has as values alone",
    ),
    ("single/seller/catalogs.ts", "@typescript-eslint/no-explicit-any", "the same in one file"),
    (
        "lists/types.ts",
        "@typescript-eslint/no-duplicate-type-constituents",
        "an `Option` of a unit struct is `null` under both names",
    ),
    ("lists/index.ts", "@typescript-eslint/no-duplicate-type-constituents", "the same in one file"),
    (
        "structs_dict/structs/types.py",
        "reportGeneralTypeIssues",
        "a member without a name is one for Python and mypy, but not for pyright",
    ),
    ("structs_dict_samples.py", "reportAssignmentType", "and so it has not the samples' members"),
];

/// Fails if `said` has a report, by file, rule and message, that is not among those.
fn nothing_but_what_is_right(said: &[(String, String, String)], ending: &str) {
    let known = |(file, rule, _): &(String, String, String)| {
        RIGHT.iter().any(|(place, right, _)| file.ends_with(place) && rule == right)
    };
    let wrong: Vec<_> = said.iter().filter(|one| !known(one)).collect();
    assert!(wrong.is_empty(), "{} of them: {:#?}", wrong.len(), &wrong[..wrong.len().min(60)]);
    for (place, right, _) in RIGHT.iter().filter(|(place, ..)| place.ends_with(ending)) {
        let is_said = said.iter().any(|(file, rule, _)| file.ends_with(place) && rule == right);
        assert!(is_said, "{right} is not said of {place} any more");
    }
}

/// The choices whose TypeScript is checked, for every case. The others have the same files, or Python.
const TYPESCRIPT: [&str; 4] = ["hooks", "older", "react", "single"];

/// The choices whose Python is checked.
const PYTHON: [&str; 4] = ["plain", "dict", "enum", "formats"];

#[test]
fn every_choice_is_checked() {
    let mut all = [&TYPESCRIPT[..], &PYTHON[..]].concat();
    all.sort_unstable();
    let mut known = cases::CHOICES.map(|(name, _)| name);
    known.sort_unstable();
    assert_eq!(all, known);
}

/// The component of the generator's README, beside the generated hooks. `e2e a2ui` has the catalog, `copilotkit` the catalog
/// of its pages.
fn readme_component() -> String {
    let text = include_str!("../../../../agui-codegen/README.md");
    let blocks: Vec<&str> = text.split("```tsx\n").skip(1).collect();
    let [block, _catalog, _of_copilotkit] = blocks.as_slice() else {
        panic!("{} components in the README", blocks.len())
    };
    let component = block.split_once("```").unwrap().0;
    assert!(component.contains("\"./agui/keeper/"), "{component}");
    component.replace("./agui/", "./")
}

#[test]
fn hooks_and_lints() {
    let checkers = need!(Checkers::ready());
    let folder = folder("typescript-strict");
    for (name, choose) in cases::CHOICES.into_iter().filter(|(name, _)| TYPESCRIPT.contains(name)) {
        for case in cases::all() {
            drop(generate_with(&case, "ts", &folder.join(name), choose));
        }
    }
    let readme = readme_component();
    let people = [
        ("hooks/component.ts", COMPONENT),
        ("older/component.ts", FIRST_COMPONENT),
        ("single/component.ts", COMPONENT),
        ("hooks/asking.ts", ASKING),
        ("single/asking.ts", ASKING),
        ("hooks/readme.tsx", &readme),
        ("single/readme.tsx", &readme),
        ("single/links.ts", LINKS),
    ];
    for (path, text) in people {
        fs::write(folder.join(path), text).unwrap();
    }
    drop(checkers.type_check(&folder).assert_success());

    // Handwritten code is not linted here.
    people.iter().for_each(|(path, _)| fs::remove_file(folder.join(path)).unwrap());
    let found = checkers.eslint(&folder, &OFF.map(|(rule, _)| rule));
    let mut said = Vec::new();
    for file in found.as_array().unwrap() {
        let name = file["filePath"].as_str().unwrap().replace('\\', "/");
        // A file that tries to switch rules off itself is not a mistake.
        for message in file["messages"].as_array().unwrap().iter().filter(|one| !one["ruleId"].is_null()) {
            let rule = message["ruleId"].as_str().unwrap().to_owned();
            said.push((name.clone(), rule, format!("{}: {}", message["line"], message["message"])));
        }
    }
    nothing_but_what_is_right(&said, ".ts");
}

#[test]
fn pyright_and_ruff_find_nothing_to_say() {
    let (checkers, python) = (need!(Checkers::ready()), need!(Python::ready()));
    let folder = folder("python-strict");
    for (name, choose) in cases::CHOICES.into_iter().filter(|(name, _)| PYTHON.contains(name)) {
        for case in cases::all() {
            drop(generate_with(&case, "python", &folder.join(format!("{}_{name}", case.name)), choose));
        }
    }
    for case in cases::all() {
        super::python::samples(&case, &folder);
    }
    drop(python.ruff(&folder).assert_success());
    let report = checkers.pyright(&python, &folder);
    let said = report["generalDiagnostics"].as_array().unwrap().iter().map(|one| {
        let rule = one.get("rule").and_then(Value::as_str).unwrap_or("");
        let file = one["file"].as_str().unwrap().replace('\\', "/");
        (file, rule.to_owned(), format!("{}: {}", one["range"]["start"]["line"], one["message"]))
    });
    let files = report["summary"]["filesAnalyzed"].as_u64();
    assert!(files > Some(200), "{files:?} files");
    nothing_but_what_is_right(&said.collect::<Vec<_>>(), ".py");
}
