//! Generated code under the strictest checkers there are, and React hooks in the hands of those who use them.

use std::{fs, path::Path};

use agui_codegen::ir::{Options, React, Zod};
use agui_tests::{
    need,
    outside::{Checkers, Python},
};
use serde_json::Value;

use super::{cases, folder, generate, generate_with};

/// A component, as far as TypeScript without JSX shows one.
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
      // @ts-expect-error: what comes in may not be there yet
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

/// A component that asks what the agent asks.
const ASKING: &str = r#"
import { createElement } from "react";
import { useKeeperQuestions } from "./keeper/react.js";

export function Questions(): null {
  useKeeperQuestions((question) => {
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
  });
  return null;
}
"#;

/// What has a name of its own is not any text.
const LINKS: &str = r#"
import { Link, type Library } from "./std_types/index.js";

export const link: Library["link"] = Link("https://example.com");
export const text: string = link;
// @ts-expect-error: somebody has to say that it is one
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

/// Rules of eslint's that generated code does not follow, and why.
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

#[test]
fn hooks_and_lints() {
    let checkers = need!(Checkers::ready());
    let folder = folder("typescript-strict");
    let first = folder.join("first");
    let [kitchen, keeper] =
        ["kitchen", "keeper"].map(|name| cases::all().into_iter().find(|case| case.name == name).unwrap());
    for (folder, react, component) in
        [(folder.join("second"), React::V2, COMPONENT), (first.clone(), React::V1, FIRST_COMPONENT)]
    {
        fs::create_dir_all(&folder).unwrap();
        for case in [&kitchen, &keeper] {
            drop(generate_with(case, "ts", &folder, |options| options.react = Some(react)));
        }
        fs::write(folder.join("component.ts"), component).unwrap();
    }
    fs::write(folder.join("second/asking.ts"), ASKING).unwrap();
    for (version, place) in [(Zod::V3, "v3"), (Zod::V4, "v4")] {
        for case in cases::all() {
            // What is written for the older version differs in the objects alone.
            if version == Zod::V3 && ["matrix", "structs"].contains(&case.name) {
                continue;
            }
            drop(generate_with(&case, "ts", &folder.join(place), |options| options.zod = Some(version)));
        }
    }
    let single = folder.join("single");
    fs::create_dir_all(&single).unwrap();
    let everything = |options: &mut Options| {
        options.single_file = true;
        options.react = Some(React::V2);
        options.zod = Some(Zod::V4);
    };
    for case in [&kitchen, &keeper] {
        drop(generate_with(case, "ts", &single, everything));
    }
    fs::write(single.join("component.ts"), COMPONENT).unwrap();
    fs::write(single.join("asking.ts"), ASKING).unwrap();
    for case in cases::all() {
        if ["enums", "recursive", "std_types"].contains(&case.name) {
            drop(generate_with(&case, "ts", &single, |options| {
                options.single_file = true;
                options.formats = [("uri".to_owned(), "Link".to_owned())].into();
                options.brand = ["Link".to_owned()].into();
                options.zod = Some(Zod::V3);
            }));
        }
    }
    fs::write(single.join("links.ts"), LINKS).unwrap();
    drop(checkers.type_check(&folder).assert_success());

    // What people write is theirs to lint, and the old hooks need no second look at the same support files.
    for folder in [&folder.join("second"), &single] {
        fs::remove_file(folder.join("component.ts")).unwrap();
        fs::remove_file(folder.join("asking.ts")).unwrap();
    }
    fs::remove_file(single.join("links.ts")).unwrap();
    [&first, &folder.join("v3"), &folder.join("v4")]
        .into_iter()
        .for_each(|folder| fs::remove_dir_all(folder).unwrap());
    for case in cases::all() {
        if ["enums", "flatten", "matrix"].contains(&case.name) {
            drop(generate_with(&case, "ts", &folder.join("second"), |options| options.zod = Some(Zod::V4)));
        }
    }
    let found = checkers.eslint(&folder, &OFF.map(|(rule, _)| rule));
    let mut said: Vec<String> = Vec::new();
    for file in found.as_array().unwrap() {
        let name = Path::new(file["filePath"].as_str().unwrap()).file_name().unwrap().to_owned();
        // That a file may not switch rules off itself is no mistake of the file.
        for message in file["messages"].as_array().unwrap().iter().filter(|one| !one["ruleId"].is_null()) {
            said.push(format!(
                "{}:{} {} {}",
                name.display(),
                message["line"],
                message["ruleId"],
                message["message"]
            ));
        }
    }
    assert!(said.is_empty(), "{said:#?}");
}

#[test]
fn pyright_and_ruff_find_nothing_to_say() {
    let (checkers, python) = (need!(Checkers::ready()), need!(Python::ready()));
    let folder = folder("python-strict");
    for case in cases::all() {
        // Some have nothing that others have not, and pyright takes its time.
        if !["directions", "lists", "std_types", "structs"].contains(&case.name) {
            drop(generate(&case, "python", &folder.join(format!("{}_api", case.name))));
        }
        if ["enums", "kitchen", "flatten", "recursive"].contains(&case.name) {
            let _ = super::python::other_styles(&case, &folder);
        }
    }
    drop(python.ruff(&folder).assert_success());
    let report = checkers.pyright(&python, &folder);
    let said: Vec<String> = report["generalDiagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let file = Path::new(one["file"].as_str().unwrap());
            let file = file.strip_prefix(&folder).unwrap_or(file).display();
            let rule = one.get("rule").and_then(Value::as_str).unwrap_or("");
            format!("{file}:{} {rule} {}", one["range"]["start"]["line"], one["message"])
        })
        .collect();
    assert!(report["summary"]["filesAnalyzed"].as_u64() > Some(40), "{report:#}");
    assert!(said.is_empty(), "{} of them: {:#?}", said.len(), &said[..said.len().min(60)]);
}
