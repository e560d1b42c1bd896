//! The same 50 tools three times: with ours, with schemars by hand, with rmcp.
//!
//! Each tool takes three arguments and returns a struct or an error; each program describes all its tools and can call
//! any by its name.

use std::fmt::Write as _;

use agui_programs::workspace_dir;

use crate::package::Package;

const TOOLS: usize = 50;

const OUR_LOCK: &str = "Cargo.lock";
const LOCK_OF_RMCP: &str = "tests/fixtures/compile-time/rmcp.lock";

/// The dependencies of every program, for its structs.
const STRUCTS: &str =
    "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nschemars = \"1\"\n";

pub(crate) fn ours() -> Package {
    let main = "fn main() {
    let input = agui_runtime::protocol::RunAgentInput::new(\"thread\", \"run\", Vec::new());
    let _ = std::hint::black_box(agui_runtime::start(Worker::new(Shop).into(), input, agui_runtime::RunOptions::default()));
}
";
    // Without `preserve-order`, as the program by hand: both sort the properties of schemas.
    our_package("ours", "default-features = false", main)
}

pub(crate) fn ours_with_server() -> Package {
    let main = "#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    agui_runtime::serve(Worker::new(Shop)).await
}
";
    our_package("ours-with-server", "features = [\"server\"]", main)
}

fn our_package(name: &'static str, features: &str, main: &str) -> Package {
    let runtime = workspace_dir().join("agui-runtime");
    let dependencies = format!("agui-runtime = {{ path = {runtime:?}, {features} }}\n{STRUCTS}");
    let mut source = String::from("#![allow(dead_code)]\nuse agui_runtime::prelude::*;\n");
    source += BESIDE;
    for i in 0..TOOLS {
        source += &answer(i);
        let _ = write!(
            source,
            "
/// Does the work of number {i}.
#[tool]
pub async fn tool{i}(
    shop: &Shop,
    /// Its name.
    name: String,
    /// The number of them.
    count: u32,
    /// A note.
    note: Option<String>,
) -> Result<Answer{i}, Failed> {{
    let _ = (shop, note);
    Ok(Answer{i} {{ name, total: count + {i} }})
}}
"
        );
    }
    let tools = each(|i| format!("tool{i}, "));
    let _ = write!(
        source,
        "
/// Does all of it.
#[agent(tools = [{tools}])]
pub async fn worker(run: &mut Run<Worker>, input: Input<Worker>, shop: &Shop) -> Result<(), Stop> {{
    let _ = shop;
    let Some(name) = input.user_text() else {{ return Ok(()) }};
    let mut call = run.open_call(&name).await?;
    call.push(r#\"{{\"name\":\"rice\",\"count\":1}}\"#).await;
    let _ = run.dispatch(vec![call.end()?]).await;
    Ok(())
}}

{main}"
    );
    Package { name, dependencies, source, lock: OUR_LOCK }
}

pub(crate) fn by_hand() -> Package {
    let mut source = String::from("#![allow(dead_code)]\nuse schemars::{Schema, schema_for};\n");
    source += BESIDE;
    for i in 0..TOOLS {
        source += &answer(i);
        source += &arguments(i);
        let _ = write!(
            source,
            "
pub async fn tool{i}(shop: &Shop, arguments: Tool{i}) -> Result<Answer{i}, Failed> {{
    let Tool{i} {{ name, count, note }} = arguments;
    let _ = (shop, note);
    Ok(Answer{i} {{ name, total: count + {i} }})
}}
"
        );
    }
    let arms = each(|i| {
        format!(
            "        \"tool{i}\" => Ok(serde_json::to_string(&tool{i}(shop, serde_json::from_str(arguments)?).await?)?),\n"
        )
    });
    let definitions = each(|i| {
        format!(
            "        Definition {{ name: \"tool{i}\", description: \"Does the work of number {i}.\", \
             parameters: schema_for!(Tool{i}), result: schema_for!(Answer{i}) }},\n"
        )
    });
    let _ = write!(
        source,
        "
pub struct Definition {{
    pub name: &'static str,
    pub description: &'static str,
    pub parameters: Schema,
    pub result: Schema,
}}

pub fn definitions() -> Vec<Definition> {{
    vec![
{definitions}    ]
}}

pub async fn call(
    shop: &Shop,
    name: &str,
    arguments: &str,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {{
    match name {{
{arms}        _ => Err(\"unknown tool\".into()),
    }}
}}

fn main() {{
    std::hint::black_box(definitions());
    let call: std::pin::Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(call(&Shop, \"tool1\", \"{{}}\"));
    let _ = std::hint::black_box(call);
}}
"
    );
    Package { name: "schemars-by-hand", dependencies: STRUCTS.to_owned(), source, lock: OUR_LOCK }
}

pub(crate) fn rmcp() -> Package {
    let dependencies =
        "rmcp = { version = \"=3.11.0\", default-features = false, features = [\"server\", \"macros\"] }
tokio = { version = \"1\", features = [\"rt-multi-thread\", \"macros\"] }
";
    let main = "    use rmcp::ServiceExt;
    let (one, _other) = tokio::io::duplex(64);
    Worker::new().serve(one).await?.waiting().await?;
";
    rmcp_package("with-rmcp", dependencies, main)
}

pub(crate) fn rmcp_with_server() -> Package {
    let dependencies = "rmcp = { version = \"=3.11.0\", features = [\"transport-streamable-http-server\"] }
axum = { version = \"0.8\", default-features = false, features = [\"http1\", \"http2\", \"tokio\", \"json\"] }
tokio = { version = \"1\", features = [\"rt-multi-thread\", \"macros\", \"net\"] }
";
    let main = "    use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
    use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
    let sessions = LocalSessionManager::default().into();
    let service = StreamableHttpService::new(|| Ok(Worker::new()), sessions, StreamableHttpServerConfig::default());
    let listener = tokio::net::TcpListener::bind(\"127.0.0.1:0\").await?;
    axum::serve(listener, axum::Router::new().nest_service(\"/mcp\", service)).await?;
";
    rmcp_package("with-rmcp-and-server", dependencies, main)
}

fn rmcp_package(name: &'static str, dependencies: &str, main: &str) -> Package {
    let mut source = String::from(
        "#![allow(dead_code)]\nuse rmcp::handler::server::{router::tool::ToolRouter, wrapper::{Json, Parameters}};\n\
         use rmcp::{ServerHandler, tool, tool_handler, tool_router};\n",
    );
    source += BESIDE;
    for i in 0..TOOLS {
        source += &answer(i);
        source += &arguments(i);
    }
    let tools = each(|i| {
        format!(
            "
    /// Does the work of number {i}.
    #[tool]
    pub async fn tool{i}(&self, Parameters(arguments): Parameters<Tool{i}>) -> Result<Json<Answer{i}>, String> {{
        let Tool{i} {{ name, count, note }} = arguments;
        let _ = (&self.shop, note);
        Ok(Json(Answer{i} {{ name, total: count + {i} }}))
    }}
"
        )
    });
    let _ = write!(
        source,
        "
#[derive(Clone)]
pub struct Worker {{
    shop: std::sync::Arc<Shop>,
    tool_router: ToolRouter<Self>,
}}

#[tool_router]
impl Worker {{
    pub fn new() -> Self {{
        Self {{ shop: Shop.into(), tool_router: Self::tool_router() }}
    }}
{tools}}}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Worker {{}}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {{
{main}    Ok(())
}}
"
    );
    Package { name, dependencies: format!("{dependencies}{STRUCTS}"), source, lock: LOCK_OF_RMCP }
}

/// The items beside the tools.
const BESIDE: &str = "use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub struct Shop;

#[derive(Debug)]
pub struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(\"failed\")
    }
}

impl std::error::Error for Failed {}
";

fn answer(i: usize) -> String {
    format!(
        "
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Answer{i} {{
    pub name: String,
    pub total: u32,
}}
"
    )
}

/// The arguments of a tool, where no macro makes the struct. Read, as models write them, and never written.
fn arguments(i: usize) -> String {
    format!(
        "
#[derive(Deserialize, JsonSchema)]
pub struct Tool{i} {{
    /// Its name.
    pub name: String,
    /// The number of them.
    pub count: u32,
    /// A note.
    pub note: Option<String>,
}}
"
    )
}

fn each(text: impl Fn(usize) -> String) -> String {
    (0..TOOLS).map(text).collect()
}
