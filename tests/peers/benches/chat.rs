//! The cost of the model loop: `cargo bench --manifest-path tests/peers/Cargo.toml`, with `-- --quick` for a short look.
//!
//! | row | measurement |
//! |---|---|
//! | the loop, per token | `run.chat`, from the model's delta to the events of the run, without the cost of the model's own stream |
//! | over HTTP, per token | from the bytes of one OpenAI stream to the caller: the loop with our provider, crate genai alone, and an agent of crate rig |
//! | arguments | a call of 1 MB in pieces of four characters, beside a quarter of it, from memory and over HTTP: linear time is a ratio of four |
//! | a long conversation | from the start of a run with 1,000 messages to the first request |
//!
//! Rounds alternate and the best of each counts, because other load only adds. A missed goal fails the benchmark.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark prints, and fails by panicking"
)]

use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use agui_runtime::model::{CallDelta, ChatModel, ReplyDelta, EndReason, Model, ModelStream, Prompt};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{AssistantMessage, Message, RunAgentInput, UserMessage};
use agui_runtime::provider::HostedModel;
use agui_runtime::{RunOptions, start};
use futures::{StreamExt as _, stream};

const TOKEN: &str = "word ";
const TOKENS: usize = 20_000;

/// Reads a text and counts its characters.
#[tool(max_result = "2MB")]
async fn measure(text: String) -> usize {
    text.len()
}

/// Talks.
#[agent(tools = [measure])]
async fn talker(run: &mut Run<Talker>, _: Input<Talker>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

/// A model in memory. A stream of it costs one allocation for each delta: its text.
enum Memory {
    /// A text of this number of tokens.
    Text(usize),
    /// A call whose argument has this number of bytes, in pieces of four characters, and then a word.
    Call(usize),
    /// A word. The time of the request is kept, in nanoseconds after the given one.
    Timed(Instant, AtomicU64),
}

impl ChatModel for Memory {
    fn provider(&self) -> &str {
        "memory"
    }

    fn name(&self) -> &str {
        "memory"
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let end = || stream::iter([Ok(ReplyDelta::End(EndReason::Stop))]);
        let text = |tokens| stream::iter((0..tokens).map(|_| Ok(ReplyDelta::Text(TOKEN.to_owned()))));
        match self {
            Self::Call(size) if prompt.last_results().is_empty() => {
                let first =
                    CallDelta::new(0).with_id("call-1").with_tool("measure").with_arguments(r#"{"text":""#);
                let piece = || Ok(ReplyDelta::Call(CallDelta::new(0).with_arguments("abcd")));
                let last = CallDelta::new(0).with_arguments(r#""}"#);
                let pieces = stream::iter((0..size / 4).map(move |_| piece()));
                stream::iter([Ok(ReplyDelta::Call(first))])
                    .chain(pieces)
                    .chain(stream::iter([Ok(ReplyDelta::Call(last))]))
                    .chain(end())
                    .boxed()
            }
            Self::Call(_) => text(1).chain(end()).boxed(),
            Self::Text(tokens) => text(*tokens).chain(end()).boxed(),
            Self::Timed(begun, at) => {
                at.store(u64::try_from(begun.elapsed().as_nanos()).unwrap(), Ordering::Relaxed);
                text(1).chain(end()).boxed()
            }
        }
    }
}

fn input(messages: Vec<Message>) -> RunAgentInput {
    RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0")
}

fn hello() -> RunAgentInput {
    input(vec![UserMessage::new("user-1", "Hello.").into()])
}

/// Runs the agent to its end, and counts its events.
async fn drain(model: Model, input: RunAgentInput) -> usize {
    let options = RunOptions::default().reveal_errors(true);
    let mut events = start(Arc::new(Talker::new(model)), input, options);
    let mut count = 0;
    while let Some(event) = events.next().await {
        black_box(&event);
        count += 1;
    }
    count
}

/// Reads the stream of a model without a loop.
async fn read(model: &dyn ChatModel) -> usize {
    let prompt = Prompt::default();
    let mut deltas = model.respond(&prompt);
    let mut count = 0;
    while let Some(delta) = deltas.next().await {
        black_box(delta.unwrap());
        count += 1;
    }
    count
}

/// A server on this machine that answers every request with one stream of Chat Completions.
fn openai_server(tokens: usize) -> u16 {
    let frame = |delta: &str, reason: &str| {
        format!(
            "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":\
             [{{\"index\":0,\"delta\":{delta},\"finish_reason\":{reason}}}]}}\n\n"
        )
    };
    let mut body = String::new();
    for _ in 0..tokens {
        body += &frame(&format!("{{\"content\":\"{TOKEN}\"}}"), "null");
    }
    body += &frame("{}", "\"stop\"");
    body += "data: [DONE]\n\n";
    server(body)
}

/// A server that answers every request with a call whose arguments have this length, in pieces of four characters.
fn arguments_server(dialect: &str, length: usize) -> u16 {
    let (open, piece, close): (&[&str], &str, &[&str]) = match dialect {
        "openai-chat" => (
            &[
                r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"write","arguments":"{\"text\":\""}}]}}]}"#,
            ],
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"abcd"}}]}}]}"#,
            &[
                r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}}]}"#,
                r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
                "[DONE]",
            ],
        ),
        "openai" => (
            &[
                r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"write","arguments":""}}"#,
                r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"text\":\""}"#,
            ],
            r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"abcd"}"#,
            &[
                r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"\"}"}"#,
                r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
            ],
        ),
        _ => (
            &[
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"write","input":{}}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"text\":\""}}"#,
            ],
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"abcd"}}"#,
            &[
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"}"}}"#,
                r#"{"type":"content_block_stop","index":0}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
                r#"{"type":"message_stop"}"#,
            ],
        ),
    };
    let pieces = std::iter::repeat_n(&piece, length / 4);
    server(open.iter().chain(pieces).chain(close).map(|data| format!("data: {data}\n\n")).collect())
}

fn server(body: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &body);
        }
    });
    port
}

fn answer(mut stream: TcpStream, body: &str) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    let end = loop {
        let count = stream.read(&mut buffer).unwrap_or(0);
        if count == 0 {
            return;
        }
        request.extend_from_slice(&buffer[..count]);
        if let Some(end) = request.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let head = String::from_utf8_lossy(&request[..end]).to_lowercase();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    let mut left = (end + length.unwrap_or(0)).saturating_sub(request.len());
    while left > 0 {
        let count = stream.read(&mut buffer).unwrap_or(0);
        if count == 0 {
            return;
        }
        left = left.saturating_sub(count);
    }
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body.as_bytes());
}

async fn genai_alone(port: u16) -> usize {
    use genai::chat::{ChatMessage, ChatRequest, ChatStreamEvent};
    use genai::resolver::{AuthData, Endpoint, ServiceTargetResolver};
    use genai::{Client, ModelIden, ServiceTarget, adapter::AdapterKind};
    let resolver = ServiceTargetResolver::from_resolver_fn(move |target: ServiceTarget| {
        Ok(ServiceTarget {
            endpoint: Endpoint::from_owned(format!("http://127.0.0.1:{port}/v1/")),
            auth: AuthData::from_single("a key"),
            model: ModelIden::new(AdapterKind::OpenAI, target.model.model_name),
        })
    });
    let http = reqwest::Client::new();
    let client = Client::builder().with_reqwest(http).with_service_target_resolver(resolver).build().unwrap();
    let request = ChatRequest::new(vec![ChatMessage::user("Hello.")]);
    let mut stream = client.exec_chat_stream("gpt-4o", request, None).await.unwrap().stream;
    let mut count = 0;
    while let Some(event) = stream.next().await {
        if let ChatStreamEvent::Chunk(chunk) = event.unwrap() {
            black_box(chunk);
            count += 1;
        }
    }
    count
}

async fn rig_agent(port: u16) -> usize {
    use rig_core::client::CompletionClient as _;
    use rig_core::providers::openai::CompletionsClient;
    use rig_core::streaming::StreamingPrompt as _;
    let url = format!("http://127.0.0.1:{port}/v1");
    let client: CompletionsClient =
        CompletionsClient::builder().api_key("a key").base_url(url).build().unwrap();
    let agent = client.agent("gpt-4o").build();
    let mut stream = agent.stream_prompt("Hello.").await;
    let mut count = 0;
    while let Some(item) = stream.next().await {
        black_box(item.unwrap());
        count += 1;
    }
    count
}

/// Reads an answer, and returns the length of the arguments in it.
async fn arguments(model: &HostedModel) -> usize {
    let prompt = Prompt::default();
    let mut answer = model.respond(&prompt);
    let mut length = 0;
    while let Some(delta) = answer.next().await {
        if let ReplyDelta::Call(call) = delta.unwrap() {
            length += call.arguments.len();
        }
    }
    assert!(length > 256 * 1024, "{length}");
    length
}

/// Returns the best time of each contender, in nanoseconds, round by round in turn.
fn race(rounds: usize, contenders: &mut [&mut dyn FnMut() -> usize]) -> Vec<f64> {
    race_with_load(rounds, contenders).into_iter().map(|(best, _)| best).collect()
}

/// Returns the same, each with the mean processor time of a round in all threads of the process.
fn race_with_load(rounds: usize, contenders: &mut [&mut dyn FnMut() -> usize]) -> Vec<(f64, f64)> {
    let mut times = vec![(f64::INFINITY, 0.0); contenders.len()];
    for _ in 0..rounds {
        for (contender, (best, load)) in contenders.iter_mut().zip(&mut times) {
            let (begun, before) = (Instant::now(), processor_time());
            black_box(contender());
            *best = best.min(begun.elapsed().as_nanos() as f64);
            *load += (processor_time() - before) / rounds as f64;
        }
    }
    times
}

/// Returns the processor time of this process so far, in nanoseconds; Linux counts it in steps of 10 ms.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(')').next().unwrap().split_ascii_whitespace();
    let ticks: u64 = fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    ticks as f64 * 1e7
}

/// Returns true if the goal was met.
#[must_use]
fn verdict(name: &str, measured: f64, goal: f64, unit: &str) -> bool {
    let met = if measured <= goal { "met" } else { "MISSED" };
    println!("  {name}: {measured:.2} {unit}, goal {goal} {unit}: {met}");
    measured <= goal
}

fn main() -> ExitCode {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let rounds = if std::env::args().any(|argument| argument == "--quick") { 3 } else { 15 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let per_token = |nanoseconds: f64| nanoseconds / TOKENS as f64;
    let mut is_met = true;

    println!("the loop, {TOKENS} tokens from a model in memory");
    let model = || Model::from(Memory::Text(TOKENS));
    let times = race(
        rounds,
        &mut [&mut || runtime.block_on(read(&Memory::Text(TOKENS))), &mut || {
            runtime.block_on(drain(model(), hello()))
        }],
    );
    let own = per_token(times[1] - times[0]);
    println!(
        "  the stream alone {:.0} ns, with the loop {:.0} ns per token",
        per_token(times[0]),
        per_token(times[1])
    );
    is_met &= verdict("the loop's own time per token", own / 1000.0, 1.0, "us");
    let alone = allocation_counter::measure(|| _ = runtime.block_on(read(&Memory::Text(TOKENS))));
    let whole = allocation_counter::measure(|| _ = runtime.block_on(drain(model(), hello())));
    let own = whole.count_total.saturating_sub(alone.count_total) as f64 / TOKENS as f64;
    is_met &= verdict("the loop's own allocations per token", own, 2.0, "allocations");

    println!("over HTTP, {TOKENS} tokens of Chat Completions");
    let port = openai_server(TOKENS);
    let hosted = || {
        let spec = format!("openai-chat:gpt-4o@http://127.0.0.1:{port}/v1/");
        HostedModel::with_keys(&spec, |_| Some("a key".to_owned())).unwrap()
    };
    let times = race_with_load(
        rounds,
        &mut [
            &mut || runtime.block_on(async { read(&hosted()).await }),
            &mut || runtime.block_on(drain(hosted().into(), hello())),
            &mut || runtime.block_on(genai_alone(port)),
            &mut || runtime.block_on(rig_agent(port)),
        ],
    );
    for (name, (time, load)) in
        ["our provider alone", "our provider and the loop", "genai alone", "an agent of rig"]
            .iter()
            .zip(&times)
    {
        let [time, load] = [time, load].map(|nanoseconds| per_token(*nanoseconds));
        println!("  {name}: {time:.0} ns per token, {load:.0} ns of processor time with the server");
    }
    is_met &= verdict("our provider and the loop, beside genai alone", times[1].0 / times[2].0, 1.5, "x");
    is_met &= verdict("our provider and the loop, beside an agent of rig", times[1].0 / times[3].0, 1.5, "x");

    println!("arguments in pieces of four characters");
    let call = |size: usize| runtime.block_on(drain(Memory::Call(size).into(), hello()));
    let times = race(rounds.min(5), &mut [&mut || call(256 * 1024), &mut || call(1024 * 1024)]);
    println!("  256 KB {:.1} ms, 1 MB {:.1} ms", times[0] / 1e6, times[1] / 1e6);
    is_met &= verdict("four times the arguments", times[1] / times[0], 5.0, "x");
    // Gemini's arguments come whole.
    for dialect in ["openai-chat", "openai", "anthropic"] {
        let hosted = |length: usize| {
            let port = arguments_server(dialect, length);
            HostedModel::with_keys(&format!("{dialect}:m@http://127.0.0.1:{port}/v1/"), |_| {
                Some("a key".to_owned())
            })
            .unwrap()
        };
        let (small, large) = (hosted(256 * 1024), hosted(1024 * 1024));
        let times = race(
            rounds.min(5),
            &mut [&mut || runtime.block_on(arguments(&small)), &mut || runtime.block_on(arguments(&large))],
        );
        println!("  over HTTP, `{dialect}`: 256 KB {:.1} ms, 1 MB {:.1} ms", times[0] / 1e6, times[1] / 1e6);
        is_met &= verdict("four times the arguments", times[1] / times[0], 5.0, "x");
    }

    println!("a conversation of 1,000 messages");
    let message = |n: usize| -> Message {
        let text = format!("The {n}th message has a few words, and then it ends.");
        if n % 2 == 0 {
            UserMessage::new(format!("user-{n}"), text).into()
        } else {
            AssistantMessage::new(format!("assistant-{n}")).with_content(text).into()
        }
    };
    let messages: Vec<Message> = (0..1000).map(message).collect();
    let mut best = Duration::MAX;
    for _ in 0..rounds {
        let input = input(messages.clone());
        let begun = Instant::now();
        let model = Arc::new(Memory::Timed(begun, AtomicU64::new(0)));
        runtime.block_on(drain(Arc::clone(&model).into(), input));
        let Memory::Timed(_, at) = &*model else { unreachable!() };
        best = best.min(Duration::from_nanos(at.load(Ordering::Relaxed)));
    }
    is_met &= verdict("the start of the turn", best.as_secs_f64() * 1000.0, 5.0, "ms");

    if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
