//! The size of a page that imports a part of the generated code: bundlers leave the rest out.

use std::fs;

use agui_codegen::ir::{ReactPackage, ZodVersion};
use agui_tests::{
    need,
    outside::{Bundler, Pages},
};

use super::{cases, folder, generate_with};

/// A name of a generated module, the greatest size of a page that prints it, in bytes, and texts that are not in it.
const PAGES: [(&str, &str, usize, &[&str]); 7] = [
    ("several/kitchen/agent.js", "AGENT", 34, &["schema", "import"]),
    ("several/kitchen/types.js", "DIFFICULTY_VALUES", 40, &["import"]),
    // The import of the package stays: a bundler does not know what it does.
    ("single/kitchen/index.js", "AGENT", 130, &["schema", "class"]),
    // The schemas of the events are there, with the code that checks values and all definitions of their direction.
    ("several/kitchen/agent.js", "events", 8_800, &["confirm_order"]),
    ("several/kitchen/zod.js", "Euro", 210, &["Ingredient", "difficulty"]),
    ("several/kitchen/client.js", "KitchenAgent", 33_300, &["zod"]),
    ("several/kitchen/react.js", "useKitchenState", 12_150, &["confirm_order", "zod"]),
];

#[test]
fn a_page_has_the_code_that_it_uses_and_no_more() {
    let pages = need!(Pages::ready());
    let folder = folder("bundles");
    let kitchen = cases::all().into_iter().find(|case| case.name == "kitchen").unwrap();
    for (place, single_file) in [("several", false), ("single", true)] {
        drop(generate_with(&kitchen, "ts", &folder.join(place), |options| {
            options.single_file = single_file;
            options.zod = Some(ZodVersion::V4);
            options.react = Some(ReactPackage::Plain);
        }));
    }
    let mut wrong = Vec::new();
    for (index, (module, name, limit, absent)) in PAGES.into_iter().enumerate() {
        let entry = format!("page{index}.ts");
        let text = format!("import {{ {name} }} from \"./{module}\";\nconsole.log({name});\n");
        fs::write(folder.join(&entry), text).unwrap();
        for bundler in Bundler::ALL {
            let bundle = pages.bundle(bundler, &folder, &entry);
            let found: Vec<_> = absent.iter().filter(|text| bundle.contains(**text)).collect();
            eprintln!("{name} of {module} by {bundler:?}: {} bytes", bundle.len());
            assert!(bundle.contains("console.log"), "{bundle}");
            if bundle.len() > limit || !found.is_empty() {
                wrong.push(format!(
                    "{name} of {module} by {bundler:?}: {} of {limit} bytes, {found:?}",
                    bundle.len()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
