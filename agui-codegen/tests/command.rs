//! The command: the files it writes, the input it refuses, its exit codes.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

#[path = "choices/mod.rs"]
mod choices;
#[path = "dev/mod.rs"]
mod dev;
#[path = "doctor/mod.rs"]
mod doctor;
#[path = "expand/mod.rs"]
mod expand;
#[cfg(feature = "frontend-tools")]
#[path = "frontend/mod.rs"]
mod frontend;
#[path = "libraries/mod.rs"]
mod libraries;
#[path = "new/mod.rs"]
mod new;
#[path = "programs/mod.rs"]
mod programs;
#[path = "watch/mod.rs"]
mod watch;

use std::fs;
use std::path::Path;

use crate::cases;
use crate::project::{Ended, folder, run, workspace};
use agui_codegen::Manifest;
use libraries::libraries;
use programs::ANSWERS;

fn kitchen() -> String {
    cases::all().into_iter().find(|case| case.name == "kitchen").unwrap().manifest().to_json()
}

const BOTH: [&str; 6] = ["--manifest", "agui.manifest.json", "--ts", "web/agui", "--python", "client/agui"];

fn generate(folder: &Path, more: &[&str]) -> Ended {
    run(folder, &[&["generate"], BOTH.as_slice(), more].concat())
}

#[test]
fn files_are_up_to_date_until_a_field_is_renamed() {
    let folder = folder("renamed-field");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &["--check"]).assert(1, &["kitchen/types.ts: is missing", "NOT up to date"]);
    assert!(!folder.join("web").exists(), "a check writes nothing");

    generate(&folder, &[]).assert(0, &["wrote web/agui/kitchen/types.ts", "wrote client/agui/py.typed"]);
    generate(&folder, &["--check"]).assert(0, &["TypeScript in web/agui is up to date"]);
    let written = |path: &str| fs::metadata(folder.join(path)).unwrap().modified().unwrap();
    let before = written("web/agui/kitchen/types.ts");
    generate(&folder, &[])
        .assert(0, &["TypeScript in web/agui is up to date", "Python in client/agui is up to date"]);
    assert_eq!(
        written("web/agui/kitchen/types.ts"),
        before,
        "a file that is up to date is not written again"
    );

    fs::write(folder.join("agui.manifest.json"), kitchen().replace("\"title\"", "\"name\"")).unwrap();
    generate(&folder, &["--check"]).assert(
        1,
        &["-  title: string;\n+  name: string;\n", "-    title: str\n+    name: str\n", "NOT up to date"],
    );
    let last = generate(&folder, &["--check"]).said;
    let last = last.lines().last().unwrap();
    let command = format!("agui-codegen generate {}", BOTH.join(" "));
    assert_eq!(last, format!("run: {command}"));
    let support = fs::read_to_string(folder.join("web/agui/_support.ts")).unwrap();
    assert!(support.contains(&format!("// Regenerate: {command}\n")), "{support}");

    // Only the affected files are written again.
    let ended = generate(&folder, &[]);
    let written: Vec<&str> = ended.said.lines().filter_map(|line| line.strip_prefix("wrote ")).collect();
    assert_eq!(
        written,
        [
            "web/agui/kitchen/agent.ts",
            "web/agui/kitchen/types.ts",
            "client/agui/kitchen/agent.py",
            "client/agui/kitchen/types.py",
        ]
    );
    generate(&folder, &["--check"]).assert(0, &["is up to date"]);
}

/// One line for each file would hide the warning.
#[test]
fn many_files_are_counted_and_a_warning_comes_last() {
    let folder = folder("many-files");
    let all = cases::all();
    let agents: Vec<_> = all.iter().filter(|case| ["matrix", "numbers"].contains(&case.name)).collect();
    let agents: Vec<_> = agents.into_iter().map(|case| case.agent.clone()).collect();
    let manifest = agui_codegen::Manifest::build("cases", "0.1.0", &agents).unwrap();
    fs::write(folder.join("agui.manifest.json"), manifest.to_json()).unwrap();
    let arguments = ["generate", "--manifest", "agui.manifest.json", "--ts", "web", "--schemas", "schemas"];
    let ended = run(&folder, &arguments);
    ended.assert(0, &["wrote web/numbers/types.ts", "cases: JSON Schema in schemas: changed "]);
    assert!(!ended.said.contains("wrote schemas"), "{}", ended.said);
    let warnings: Vec<_> = ended.err.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert!(matches!(warnings[..], [one] if one.contains("64-bit integers")), "{}", ended.err);
    assert!(ended.err.lines().last().unwrap().starts_with("warning: "), "{}", ended.err);
}

#[test]
fn a_formatter_may_have_gone_over_it() {
    let folder = folder("formatted");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &[]).assert(0, &[]);
    let path = folder.join("web/agui/kitchen/types.ts");
    let formatted = fs::read_to_string(&path).unwrap().replace("  ", "\t");
    fs::write(&path, formatted).unwrap();
    generate(&folder, &["--check"]).assert(0, &["is up to date"]);
}

#[test]
fn stale_files_are_found_and_removed() {
    let folder = folder("stale");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    generate(&folder, &[]).assert(0, &[]);
    let old = folder.join("web/agui/bakery/types.ts");
    let own = folder.join("web/agui/mine.ts");
    fs::create_dir_all(old.parent().unwrap()).unwrap();
    fs::copy(folder.join("web/agui/kitchen/types.ts"), &old).unwrap();
    fs::write(&own, "export {};\n").unwrap();
    generate(&folder, &["--check"]).assert(1, &["bakery/types.ts: is stale: it would not be generated now"]);
    assert!(old.exists());
    generate(&folder, &[]).assert(0, &["removed web/agui/bakery/types.ts"]);
    assert!(!old.parent().unwrap().exists() && own.exists());
}

#[test]
fn a_file_that_was_not_generated_is_not_overwritten() {
    let folder = folder("not-ours");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    let own = folder.join("web/agui/kitchen/types.ts");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "// my own types\n").unwrap();
    generate(&folder, &[]).assert(2, &["types.ts was not generated", "stays as it is"]);
    assert_eq!(fs::read_to_string(&own).unwrap(), "// my own types\n");
    assert!(!folder.join("web/agui/kitchen/agent.ts").exists(), "all or nothing");

    // A file of any language.
    fs::remove_file(&own).unwrap();
    let own = folder.join("client/agui/kitchen/types.py");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "# my own types\n").unwrap();
    generate(&folder, &[]).assert(2, &["types.py was not generated"]);
    assert_eq!(fs::read_dir(folder.join("web/agui/kitchen")).unwrap().count(), 0);
}

#[test]
fn manifests_that_cannot_be_used() {
    let folder = folder("manifests");
    for (text, expected) in [
        (
            kitchen().replace("\"agui_manifest\": 1", "\"agui_manifest\": 7"),
            "version 7, this program reads version 1",
        ),
        ("{}".into(), "not a manifest: missing field"),
        (
            kitchen().replace("\"minimum\": 0", "\"minimum\": 0, \"if\": {}"),
            "type `Euro` at `/properties/cents/if`: the keyword `if` is not supported",
        ),
    ] {
        fs::write(folder.join("agui.manifest.json"), text).unwrap();
        let code = if expected.starts_with("type ") { 2 } else { 3 };
        generate(&folder, &[]).assert(code, &[expected]);
    }
    fs::remove_file(folder.join("agui.manifest.json")).unwrap();
    generate(&folder, &[]).assert(3, &["agui.manifest.json: No such file"]);
}

#[test]
fn two_manifests_are_compared() {
    let folder = folder("diff");
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write("old.json", kitchen());
    write("same.json", kitchen().replace("\"description\": \"", "\"description\": \"Really: "));
    write("new.json", kitchen().replace("\"title\"", "\"name\""));
    run(&folder, &["diff", "old.json", "old.json"]).assert(0, &["compatible"]);
    run(&folder, &["diff", "old.json", "same.json", "--level", "source"]).assert(0, &["compatible"]);
    run(&folder, &["diff", "old.json", "new.json"]).assert(
        1,
        &[
            "breaking (wire) kitchen: OUT: the state $.title: is missing, and the reader needs it",
            "breaking (wire) kitchen: IN: the state $.name: is missing, and the reader needs it",
            "2 breaking changes",
        ],
    );
    run(&folder, &["diff", "old.json", "new.json", "--format", "github"]).assert(
        1,
        &["::error file=new.json,title=breaking for wire of agent kitchen::OUT: the state $.title"],
    );
    run(&folder, &["diff", "old.json", "new.json", "--format", "json", "--level", "source"])
        .assert(1, &["\"breaking\": ", "\"level\": \"source\"", "\"path\": \"$.title\""]);
    run(&folder, &["diff", "nowhere.json", "old.json"]).assert(3, &["nowhere.json"]);
    run(&folder, &["diff"]).assert(2, &["<OLD>"]);
}

#[test]
fn usage_errors() {
    let folder = folder("usage");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    run(&folder, &["generate", "--manifest", "agui.manifest.json"]).assert(2, &["--ts DIR"]);
    run(&folder, &["generate", "--manifest", "x", "-p", "y", "--ts", "z"])
        .assert(2, &["cannot be used with"]);
    run(&folder, &["generate", "--tss", "x"]).assert(2, &["unexpected argument"]);
}

#[test]
fn the_help_explains_the_command() {
    let folder = folder("help");
    for arguments in [["--help"].as_slice(), &["-h"], &["generate", "--help"]] {
        run(&folder, arguments).assert(
            0,
            &["AGUI_MANIFEST_OUT", "agui-codegen.toml", "features = [", "generate --check", "\n  2  "],
        );
    }
}

#[test]
fn a_server_is_asked() {
    use std::io::{Read as _, Write as _};

    let folder = folder("url");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/agui/manifest.json", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        for answer in [format!("200 OK\r\n\r\n{}", kitchen()), "404 Not Found\r\n\r\n".into()] {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = [0; 4096];
            let length = stream.read(&mut asked).unwrap();
            assert!(asked[..length].starts_with(b"GET /agui/manifest.json HTTP/1.1\r\n"));
            stream.write_all(format!("HTTP/1.1 {answer}").as_bytes()).unwrap();
        }
    });
    run(&folder, &["generate", "--url", &url, "--ts", "web"]).assert(0, &["wrote web/kitchen/types.ts"]);
    let text = fs::read_to_string(folder.join("web/kitchen/types.ts")).unwrap();
    assert!(text.contains(&format!("// Regenerate: agui-codegen generate --url {url} --ts web\n")), "{text}");
    run(&folder, &["generate", "--url", &url, "--ts", "web"]).assert(3, &["it answered 404 Not Found"]);
    server.join().unwrap();
    run(&folder, &["generate", "--url", "https://127.0.0.1:1/", "--ts", "web"])
        .assert(3, &["https://127.0.0.1:1/: "]);
}

#[test]
fn a_package_is_set_up() {
    let folder = libraries("init", &[("my-agents", "")]);
    let init = |more: &[&str]| run(&folder, &[&["init", "-p", "my-agents"], more].concat());
    let where_to = ["--ts", "web/agui", "--schemas", "schemas"];
    init(&[&where_to[..], &["--react", "v2"]].concat())
        .assert(0, &["agui-codegen.toml", "agui-codegen generate -p my-agents --check"]);
    // The command is in the folder beside the runtime.
    init(&where_to).assert(0, &["- run: cargo install --locked --path agui-codegen\n"]);
    let manifest = folder.join("my-agents/Cargo.toml");
    let said = fs::read_to_string(&manifest).unwrap();
    for (dependency, install) in [
        (
            "{ git = \"https://example.com/agui\", branch = \"main\" }",
            "--git https://example.com/agui --branch main agui-codegen",
        ),
        ("\"0.1.3\"", "--version \"^0.1.3\" agui-codegen"),
    ] {
        fs::write(&manifest, said.replace("{ workspace = true }", dependency)).unwrap();
        init(&where_to).assert(0, &[&format!("- run: cargo install --locked {install}\n")]);
    }
    fs::write(&manifest, said).unwrap();
    let read = |path: &str| fs::read_to_string(folder.join("my-agents").join(path)).unwrap();
    assert_eq!(read("agui-codegen.toml"), "ts = \"web/agui\"\nschemas = \"schemas\"\nreact = \"v2\"\n");
    let attributes = "web/agui/** linguist-generated=true\nschemas/** linguist-generated=true\n";
    assert_eq!(read(".gitattributes"), attributes);
    init(&["--ts", "web/agui", "--schemas", "schemas", "--program"])
        .assert(0, &["agui-codegen.toml exists already", "wrote", "agui_manifest.rs"]);
    assert_eq!(read(".gitattributes"), attributes, "said once");
    // The written program is the one that runs.
    run(&folder, &["generate", "-p", "my-agents", "--offline"])
        .assert(0, &["my-agents/schemas/kitchen/types/Recipe.json", "my-agents/web/agui/kitchen/types.ts"]);
    run(&folder, &["generate", "-p", "my-agents", "--offline", "--check"])
        .assert(0, &["JSON Schema in", "is up to date"]);
    assert!(!folder.join("target/agui-codegen/shim").exists());
    // An unreadable file is not overwritten.
    init(&["--ts", "my web"]).assert(0, &[".gitattributes"]);
    assert!(read(".gitattributes").ends_with("\n\"my web/**\" linguist-generated=true\n"));
    let attributes = folder.join("my-agents/.gitattributes");
    fs::write(&attributes, b"*.\xff text\n").unwrap();
    init(&where_to).assert(2, &[".gitattributes cannot be read or written"]);
    assert_eq!(fs::read(&attributes).unwrap(), b"*.\xff text\n");
}

#[test]
fn completions_are_printed_for_shells() {
    let folder = folder("completions");
    for shell in ["bash", "zsh", "fish"] {
        run(&folder, &["completions", shell]).assert(0, &["agui-codegen", "generate"]);
    }
}

/// The names in a manifest of others are shown, and command nothing.
#[test]
fn a_hostile_manifest_does_not_command_the_terminal() {
    let folder = folder("hostile-terminal");
    let hostile = "cases\\nforged\\u001b]0;owned\\u0007\\u001b[2J\\r\\u202e";
    let old = kitchen()
        .replace("\"Recipe\"", "\"Recipe\\nforged\\u001b[31m\"")
        .replace("chef", "chef\\nforged\\u001b[2J");
    fs::write(folder.join("old.json"), &old).unwrap();
    let new = kitchen().replace("\"cases\"", &format!("\"{hostile}\""));
    fs::write(folder.join("agui.manifest.json"), &new).unwrap();
    // A schema without a type, in a package with a hostile name, and an unknown member.
    fs::write(folder.join("odd.json"), new.replace("\"type\": \"string\"", "\"type\": \"a\\nforged\""))
        .unwrap();
    fs::write(folder.join("broken.json"), old.replace("\"agents\"", "\"agents\\nforged\"")).unwrap();
    let mut shown = String::new();
    for arguments in [
        vec!["diff", "old.json", "agui.manifest.json"],
        vec!["diff", "agui.manifest.json", "old.json"],
        [&["generate"], BOTH.as_slice()].concat(),
        vec!["generate", "--manifest", "old.json", "--ts", "web/old"],
        vec!["generate", "--manifest", "odd.json", "--ts", "web/odd"],
        vec!["generate", "--manifest", "old.json", "--ts", "web/old", "--rename", "Nothing=Something"],
        vec!["manifest", "--manifest", "broken.json"],
        vec!["manifest", "--manifest", "agui.manifest.json"],
    ] {
        let Ended { out, err, .. } = run(&folder, &arguments);
        let text = out + &err;
        let is_command =
            |char: char| char.is_control() && !['\n', '\t'].contains(&char) || char == '\u{202e}';
        assert!(!text.contains(is_command), "{arguments:?}: {text:?}");
        assert!(!text.lines().any(|line| line.starts_with("forged")), "{arguments:?}: {text}");
        shown.push_str(&text);
    }
    assert!(shown.contains("\\u001b") && shown.contains("\\u000aforged"), "{shown}");
    let Ended { out, .. } = run(&folder, &["manifest", "--manifest", "agui.manifest.json"]);
    assert!(Manifest::from_json(&out).unwrap().krate.name.ends_with("\r\u{202e}"), "{out}");
}
