//! The files in a new project. They are files in this package that compile unchanged, apart from lines that exclude each
//! other. A line that belongs to one part ends with a comment that names the part: `//+threads`.

use super::choice::ProjectParts;
use super::name::PackageName;

/// The package name in the template.
const NAME: &str = "my-agent";

/// The template line that contains the runtime source.
const RUNTIME: &str = "version = \"0.0.0\"";

/// A file in a new project.
#[derive(Debug)]
pub(super) struct ProjectFile {
    /// The path in the project.
    pub(super) path: &'static str,
    pub(super) text: String,
}

/// A template file, or a piece from a file: the path in the project, the part that the piece belongs to, and the text.
type TemplatePiece = (&'static str, Option<&'static str>, &'static str);

macro_rules! piece {
    ($path:literal, $part:expr, $file:literal) => {
        ($path, $part, include_str!(concat!("../../template/", $file)))
    };
}

/// All pieces; pieces from one file are adjacent. Cargo leaves a folder with a `Cargo.toml` out of a package, and git
/// applies a `.gitignore`: therefore such files have other names here.
const PIECES: [TemplatePiece; 28] = [
    piece!("Cargo.toml", None, "package.toml"),
    piece!("agui-codegen.toml", Some("generated"), "agui-codegen.toml"),
    piece!(".gitignore", None, "gitignore"),
    piece!("README.md", None, "readme/base.md"),
    piece!("README.md", Some("threads"), "readme/threads.md"),
    piece!("README.md", Some("page"), "readme/page.md"),
    piece!("README.md", Some("python"), "readme/python.md"),
    piece!("README.md", None, "readme/doctor.md"),
    piece!("src/main.rs", None, "src/main.rs"),
    piece!("src/agent.rs", None, "src/agent.rs"),
    piece!("src/script.rs", None, "src/script.rs"),
    piece!("web/package.json", Some("plain"), "plain/package.json"),
    piece!("web/package.json", Some("react"), "react/package.json"),
    piece!("web/package.json", Some("copilotkit"), "copilotkit/package.json"),
    piece!("web/tsconfig.json", Some("page"), "web/tsconfig.json"),
    piece!("web/index.html", Some("page"), "web/index.html"),
    piece!("web/style.css", Some("page"), "web/style.css"),
    piece!("web/style.css", Some("chat"), "web/chat.css"),
    piece!("web/style.css", Some("copilotkit"), "copilotkit/style.css"),
    piece!("web/src/main.ts", Some("plain"), "plain/main.ts"),
    piece!("web/src/main.tsx", Some("react"), "react/main.tsx"),
    piece!("web/src/main.tsx", Some("copilotkit"), "copilotkit/main.tsx"),
    piece!("web/src/conversation.ts", Some("plain"), "plain/conversation.ts"),
    piece!("web/src/conversation.tsx", Some("react"), "react/conversation.tsx"),
    piece!("web/src/conversation.tsx", Some("copilotkit"), "copilotkit/conversation.tsx"),
    piece!("web/src/tools.ts", Some("page"), "web/tools.ts"),
    piece!("python/requirements.txt", Some("python"), "python/requirements.txt"),
    piece!("python/main.py", Some("python"), "python/main.py"),
];

/// Returns a project's files, with the project name and the line for the runtime source.
pub(super) fn files(name: &PackageName, runtime: &str, choice: ProjectParts) -> Vec<ProjectFile> {
    let mut files: Vec<ProjectFile> = Vec::new();
    for (path, part, text) in PIECES {
        if part.is_some_and(|part| !choice.has(part)) {
            continue;
        }
        let text = chosen(text, choice);
        match files.last_mut() {
            Some(last) if last.path == path => last.text.push_str(&format!("\n{text}")),
            _ => files.push(ProjectFile { path, text }),
        }
    }
    for file in &mut files {
        match file.path {
            "Cargo.toml" => {
                file.text = file.text.replacen(NAME, name.as_str(), 1).replacen(RUNTIME, runtime, 1);
            }
            "README.md" => file.text = file.text.replacen(NAME, name.as_str(), 1),
            _ => {}
        }
    }
    files
}

/// Returns the lines for the chosen parts, without the comments that name the parts.
fn chosen(text: &str, choice: ProjectParts) -> String {
    let line = |line: &str| match marked(line) {
        None => format!("{line}\n"),
        Some((line, part)) if choice.has(part) => format!("{line}\n"),
        Some(_) => String::new(),
    };
    text.lines().map(line).collect()
}

/// Returns a line that belongs to a part, and the part's name.
fn marked(line: &str) -> Option<(&str, &str)> {
    let forms = [("//+", ""), ("#+", ""), ("<!--+", "-->")];
    forms.into_iter().find_map(|(start, end)| {
        let (rest, part) = line.strip_suffix(end)?.rsplit_once(start)?;
        Some((rest.trim_end(), part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::new::choice::PageKind;
    use crate::new::name::DEPENDENCIES;

    /// Returns every possible choice.
    fn choices() -> Vec<ProjectParts> {
        let mut choices = Vec::new();
        for page in [PageKind::None, PageKind::Plain, PageKind::React, PageKind::CopilotKit] {
            for (python, threads) in [(false, false), (false, true), (true, false), (true, true)] {
                choices.push(ProjectParts { page, python, threads });
            }
        }
        choices
    }

    #[test]
    fn markers_name_parts() {
        let pages = [PageKind::Plain, PageKind::React, PageKind::CopilotKit];
        let all = pages.map(|page| ProjectParts { page, python: true, threads: true });
        let mut parts = 0;
        for (path, part, text) in PIECES {
            let named = text.lines().filter_map(marked).map(|(_, part)| part).chain(part);
            for part in named {
                parts += 1;
                assert!(all.iter().any(|choice| choice.has(part)), "{path}: no part is called `{part}`");
            }
        }
        assert!(parts > 30, "{parts}");
        assert_eq!(marked("let a = 1; //+threads"), Some(("let a = 1;", "threads")));
        assert_eq!(marked("| `a` | <!--+page-->"), Some(("| `a` |", "page")));
        assert_eq!(marked("let a = 1; // + 1"), None);
    }

    #[test]
    fn every_choice_has_its_files_and_no_markers() {
        for choice in choices() {
            let name = PackageName::from_text("shop-agent");
            let files = files(&name, "path = \"../agui/agui-runtime\"", choice);
            let text =
                |path: &str| files.iter().find(|file| file.path == path).map(|file| file.text.as_str());
            for file in &files {
                assert!(
                    !file.text.contains("//+") && !file.text.contains("#+"),
                    "{}: {}",
                    file.path,
                    file.text
                );
                assert!(
                    !file.text.contains("<!--+") && !file.text.contains(NAME),
                    "{}: {}",
                    file.path,
                    file.text
                );
                assert!(!file.text.trim().is_empty(), "{}: {}", file.path, file.text);
            }
            let mut paths: Vec<_> = files.iter().map(|file| file.path).collect();
            paths.sort_unstable();
            paths.dedup();
            assert_eq!(paths.len(), files.len(), "{choice:?}: {paths:?}");

            let manifest: toml::Table = text("Cargo.toml").unwrap().parse().unwrap();
            assert_eq!(manifest["package"]["name"].as_str(), Some("shop-agent"));
            let runtime = &manifest["dependencies"]["agui-runtime"];
            assert_eq!(runtime["path"].as_str(), Some("../agui/agui-runtime"));
            let features = runtime["features"].as_array().unwrap();
            assert_eq!(features.contains(&"sqlite".into()), choice.threads, "{features:?}");
            let dependencies =
                ["dependencies", "dev-dependencies"].map(|key| manifest[key].as_table().unwrap());
            let names = dependencies.into_iter().flat_map(|table| table.keys());
            assert!(names.into_iter().all(|name| DEPENDENCIES.contains(&name.as_str())));

            let settings = text("agui-codegen.toml");
            assert_eq!(settings.is_some(), choice.is_generated());
            let settings: toml::Table = settings.unwrap_or_default().parse().unwrap();
            assert_eq!(settings.contains_key("ts"), choice.page != PageKind::None);
            let hooks = match choice.page {
                PageKind::React => Some("plain"),
                PageKind::CopilotKit => Some("v2"),
                PageKind::None | PageKind::Plain => None,
            };
            assert_eq!(settings.get("react").and_then(toml::Value::as_str), hooks);
            assert_eq!(settings.contains_key("python"), choice.python);
            assert_eq!(text("python/main.py").is_some(), choice.python);
            assert_eq!(text("web/src/main.tsx").is_some(), hooks.is_some());
            // The page names the agent, whose name is the path's.
            let is_copilotkit = choice.page == PageKind::CopilotKit;
            let server = text("src/main.rs").unwrap();
            assert_eq!(server.contains(".copilotkit(\"/api/copilotkit\")"), is_copilotkit, "{server}");
            assert_eq!(server.contains(".agent(\"/assistant\", "), is_copilotkit, "{server}");
            assert_eq!(server.contains(".agent(\"/\", "), !is_copilotkit, "{server}");
            for client in ["README.md", "python/main.py"].into_iter().filter_map(text) {
                assert_eq!(client.contains("http://127.0.0.1:8000/assistant"), is_copilotkit, "{client}");
            }
            if let Some(package) = text("web/package.json") {
                assert!(serde_json::from_str::<serde_json::Value>(package).is_ok());
            }
        }
    }
}
