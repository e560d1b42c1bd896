//! The compile time of `#[derive(State)]`: 200 structs of 8 fields, in a release build, beside the same structs without and with
//! serde alone.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agui_programs::{target_dir, workspace_dir};

use crate::package::{worked, write};

const STRUCTS: usize = 200;

/// The derives, and the use of them in the program.
struct Variant {
    name: &'static str,
    derives: &'static str,
    uses: &'static str,
}

const PLAIN: Variant = Variant {
    name: "plain",
    derives: "Clone, Default, PartialEq",
    uses: "let (a, b) = (All::default(), All::default()); std::hint::black_box((a.clone(), a == b));",
};

const SERDE: Variant = Variant {
    name: "serde",
    derives: "Clone, Default, PartialEq, serde::Serialize, serde::Deserialize",
    uses: "let a = All::default(); let text = serde_json::to_string(&a).unwrap(); \
           let b: All = serde_json::from_str(&text).unwrap(); std::hint::black_box(a == b);",
};

/// Everything a state needs, unused: the cost of the other derives alone.
const BESIDE: Variant = Variant {
    name: "beside",
    derives: "Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema",
    uses: PLAIN.uses,
};

const STATE: Variant = Variant {
    name: "state",
    derives: "Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema, agui_runtime::State",
    uses: "let (mut a, b) = (All::default(), All::default()); \
           let (mut shadow, text) = agui_runtime::state::Shadow::start(&a).unwrap(); a.f0.push(Default::default()); \
           std::hint::black_box((shadow.flush(&a).is_ok(), text, b));",
};

/// Prints the cost of the derive. Returns true if it is at most that of serde's derives, and 12 kB of code for each
/// struct.
pub(crate) fn is_met() -> bool {
    let folder = target_dir().join("compile-time");
    let [plain, serde, beside, state] =
        [PLAIN, SERDE, BESIDE, STATE].map(|variant| measure(&variant, &folder));
    let kb = |of: &Measured, without: &Measured| {
        (of.text.saturating_sub(without.text)) as f64 / STRUCTS as f64 / 1e3
    };
    println!("of {STRUCTS} structs, release:");
    for (name, measured) in [("plain", &plain), ("serde", &serde), ("beside", &beside), ("state", &state)] {
        println!("{name:7} {:6.1} s  {:8} B of text", measured.took.as_secs_f64(), measured.text);
    }
    println!("serde's derive: {:.1} s, {:.1} kB each", seconds(&serde, &plain), kb(&serde, &plain));
    println!("our derive:     {:.1} s, {:.1} kB each", seconds(&state, &beside), kb(&state, &beside));
    let met = seconds(&state, &beside) <= seconds(&serde, &plain) && kb(&state, &beside) <= 12.0;
    println!("state   {}", if met { "pass" } else { "MISS" });
    met
}

struct Measured {
    took: Duration,
    text: u64,
}

fn seconds(of: &Measured, without: &Measured) -> f64 {
    of.took.as_secs_f64() - without.took.as_secs_f64()
}

fn measure(variant: &Variant, folder: &Path) -> Measured {
    let package = folder.join(variant.name);
    let source = package.join("src");
    fs::create_dir_all(&source).unwrap_or_else(|cause| panic!("{cause}"));
    let runtime = workspace_dir().join("agui-runtime");
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         agui-runtime = {{ path = {runtime:?}, default-features = false }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\nschemars = \"1\"\n",
        variant.name
    );
    write(&package.join("Cargo.toml"), &manifest);
    let lock = workspace_dir().join("Cargo.lock");
    fs::copy(&lock, package.join("Cargo.lock")).unwrap_or_else(|cause| panic!("{}: {cause}", lock.display()));
    // First the dependencies, with a program that does nothing.
    write(&source.join("main.rs"), "fn main() {}\n");
    build(&package, folder);
    write(&source.join("main.rs"), &program(variant));
    let (start, worked) = (Instant::now(), worked());
    build(&package, folder);
    let took = match (worked, self::worked()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed(),
    };
    let binary = folder.join("target/release").join(variant.name);
    Measured { took, text: text_of(&binary) }
}

fn program(variant: &Variant) -> String {
    let mut source = String::from("#![allow(dead_code)]\n");
    for i in 0..STRUCTS {
        let _ = writeln!(
            source,
            "#[derive({})]\npub struct S{i} {{ pub f0: String, pub f1: u32, pub f2: bool, pub f3: Option<String>, \
             pub f4: f64, pub f5: Vec<String>, pub f6: Vec<u64>, pub f7: Option<i64> }}",
            variant.derives
        );
    }
    // Groups, so that no struct has more fields than in practice.
    for group in 0..STRUCTS / 20 {
        let fields: String = (0..20).fold(String::new(), |mut fields, i| {
            let _ = write!(fields, "pub f{i}: Vec<S{}>, ", group * 20 + i);
            fields
        });
        let _ = writeln!(source, "#[derive({})]\npub struct G{group} {{ {fields} }}", variant.derives);
    }
    let fields: String = (0..STRUCTS / 20).fold(String::new(), |mut fields, i| {
        let _ = write!(fields, "pub g{i}: G{i}, ");
        fields
    });
    let uses = variant.uses.replace("a.f0.", "a.g0.f0.");
    let _ = writeln!(
        source,
        "#[derive({})]\npub struct All {{ {fields} }}\nfn main() {{ {uses} }}",
        variant.derives
    );
    source
}

fn build(package: &Path, folder: &Path) {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--release", "--quiet", "-j1"]).current_dir(package);
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env("CARGO_INCREMENTAL", "0");
    let status = cargo.status().unwrap_or_else(|cause| panic!("cargo: {cause}"));
    assert!(status.success(), "cargo build in {} failed", package.display());
}

/// The size of the code: the `.text` of its ELF file by `size`, else the whole file.
fn text_of(binary: &Path) -> u64 {
    let sized = Command::new("size").arg(binary).output().ok().filter(|output| output.status.success());
    let text = sized.and_then(|output| {
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        lines.lines().nth(1)?.split_whitespace().next()?.parse().ok()
    });
    text.unwrap_or_else(|| fs::metadata(binary).map_or(0, |file| file.len()))
}
