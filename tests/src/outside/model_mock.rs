//! CopilotKit's mock of model providers, and the providers' own types of requests.

use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::provider::{HostedModel, ModelOptions};
use serde_json::Value;

use super::{Missing, Node, finish};
use agui_programs::{outside_dir, tests_dir};

const CHECK_LIMIT: Duration = Duration::from_secs(300);

/// `@copilotkit/aimock` on a port of its own; dropping it ends it.
#[derive(Debug)]
pub struct ModelMock {
    child: Child,
    port: u16,
    /// A line for each request.
    requests: PathBuf,
}

impl ModelMock {
    /// Starts the mock with these fixtures, in the form of its files.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine.
    pub fn start(fixtures: &Value) -> Result<Self, Missing> {
        let node = packages()?;
        let file = fresh(&outside_dir().join("models"), "fixtures", "json", &fixtures.to_string());
        let mut command = node.command(Path::new("models/serve.mjs"));
        let requests = fresh(&outside_dir().join("models"), "requests", "jsonl", "");
        command.arg(&file).arg(&requests).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|cause| panic!("the mock cannot be started: {cause}"));
        let mut line = String::new();
        let read = child.stdout.take().map(|out| BufReader::new(out).read_line(&mut line));
        let said: Value = serde_json::from_str(&line)
            .unwrap_or_else(|cause| panic!("the mock said `{line}` ({read:?}): {cause}"));
        let port = said["port"].as_u64().and_then(|port| u16::try_from(port).ok());
        Ok(Self { child, port: port.unwrap_or_else(|| panic!("no port in {said}")), requests })
    }

    /// Returns the address of the mock, for requests by hand.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Returns a model of the mock, such as `anthropic:claude-sonnet-4-5`.
    #[must_use]
    pub fn model(&self, name: &str, options: ModelOptions) -> HostedModel {
        let folder = if name.starts_with("gemini") { "v1beta" } else { "v1" };
        let spec = format!("{name}@http://127.0.0.1:{}/{folder}/", self.port);
        let model = HostedModel::with_keys(&spec, |_| Some("a key".to_owned()));
        model.unwrap_or_else(|cause| panic!("{spec}: {cause}")).options(options)
    }

    /// Checks all requests so far with [`check_requests`], and returns their number.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine.
    pub fn check_requests(&self) -> Result<usize, Missing> {
        let lines = std::fs::read_to_string(&self.requests)
            .unwrap_or_else(|cause| panic!("{}: {cause}", self.requests.display()));
        let typed = |line: &str| {
            let request: Value = serde_json::from_str(line).unwrap_or_else(|cause| panic!("{line}: {cause}"));
            let text = |name: &str| request[name].as_str().unwrap_or_else(|| panic!("{line}: no `{name}`"));
            let body = serde_json::from_str(text("body")).unwrap_or_else(|cause| panic!("{line}: {cause}"));
            (type_at(text("path")), body)
        };
        let requests: Vec<_> = lines.lines().map(typed).collect();
        check_requests(&requests)?;
        Ok(requests.len())
    }
}

/// Returns the type of the requests at a path, as TypeScript names it.
fn type_at(path: &str) -> &'static str {
    match path {
        _ if path.ends_with("/chat/completions") => "Chat",
        _ if path.ends_with("/responses") => "OpenAI.Responses.ResponseCreateParamsStreaming",
        _ if path.ends_with("/messages") => "Anthropic.MessageCreateParamsStreaming",
        _ if path.contains(":streamGenerateContent") => "Gemini",
        _ => panic!("no provider has the path {path}"),
    }
}

impl Drop for ModelMock {
    fn drop(&mut self) {
        // A process that has ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks requests against the providers' own types, with `tsc`. Each is the type, as TypeScript names it, and the body.
///
/// # Errors
/// [`Missing`] if Node or npm is not on the machine.
pub fn check_requests(requests: &[(&str, Value)]) -> Result<(), Missing> {
    use std::fmt::Write as _;
    let node = packages()?;
    let mut source = "import type OpenAI from \"openai\";\n\
                      import type Anthropic from \"@anthropic-ai/sdk\";\n\
                      import type * as gemini from \"@google/genai\";\n\
                      // Its enums have no literals, and the API reads numbers too where the package writes texts.\n\
                      type Inner = \"type\" | \"items\" | \"properties\" | \"anyOf\";\n\
                      type Counts = \"minItems\" | \"maxItems\" | \"minLength\" | \"maxLength\" | \"minProperties\" | \"maxProperties\";\n\
                      type Schema = Omit<gemini.Schema, Inner | Counts> & { [count in Counts]?: number } & {\n\
                        type?: Lowercase<Exclude<`${gemini.Type}`, \"NULL\" | \"TYPE_UNSPECIFIED\">>;\n\
                        items?: Schema;\n\
                        properties?: { [name: string]: Schema };\n\
                        anyOf?: Schema[];\n\
                      };\n\
                      type Declaration = Omit<gemini.FunctionDeclaration, \"parameters\"> & { parameters?: Schema };\n\
                      // A server that sends this member of its own wants the member back.\n\
                      type ChatMessage = OpenAI.Chat.ChatCompletionMessageParam & { reasoning_content?: string };\n\
                      export type Chat = Omit<OpenAI.Chat.ChatCompletionCreateParamsStreaming, \"messages\"> & {\n\
                        messages: ChatMessage[];\n\
                      };\n\
                      export type Gemini = {\n\
                        contents: gemini.Content[];\n\
                        systemInstruction?: gemini.Content;\n\
                        generationConfig?: gemini.GenerationConfig;\n\
                        tools?: { functionDeclarations: Declaration[] }[];\n\
                      };\n"
        .to_owned();
    for (at, (of, body)) in requests.iter().enumerate() {
        let written = writeln!(source, "export const request{at}: {of} = {body:#};");
        assert!(written.is_ok());
    }
    // Beside the packages, where the compiler looks for them.
    let modules = node.node_modules();
    let folder = modules.parent().unwrap_or(&modules).join("requests");
    let file = fresh(&folder, "requests", "mts", &source);
    let config = serde_json::json!({
        "compilerOptions": {
            "strict": true, "noEmit": true, "skipLibCheck": true, "module": "nodenext", "target": "es2022",
            "types": [], "lib": ["es2022", "dom", "dom.asynciterable", "esnext.disposable"],
        },
        "files": [file],
    });
    let config = fresh(&folder, "tsconfig", "json", &config.to_string());
    let mut command = node.bin("tsc");
    command.arg("--project").arg(config);
    drop(finish(command, "", CHECK_LIMIT).assert_success());
    Ok(())
}

/// Returns the schemas as the SDK of a provider translates them into its strict subset, or its reason against it.
///
/// # Errors
/// [`Missing`] if Node or npm is not on the machine.
pub fn strict_schemas(provider: &str, schemas: &[Value]) -> Result<Vec<Result<Value, String>>, Missing> {
    let mut command = packages()?.command(Path::new("models/strict.mjs"));
    command.arg(provider);
    let answers: Vec<Value> =
        finish(command, &Value::from(schemas).to_string(), CHECK_LIMIT).assert_success().json();
    let read = |mut answer: Value| match answer["reason"].as_str() {
        Some(reason) => Err(reason.to_owned()),
        None => Ok(answer["schema"].take()),
    };
    Ok(answers.into_iter().map(read).collect())
}

fn packages() -> Result<Node, Missing> {
    Node::with_packages("models", &tests_dir().join("node/models"), &[])
}

/// Writes a file that no other test writes.
fn fresh(folder: &Path, name: &str, extension: &str, content: &str) -> PathBuf {
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let file = folder.join(format!("{name}-{}-{number}.{extension}", std::process::id()));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, content));
    assert!(written.is_ok(), "{}: {written:?}", file.display());
    file
}
