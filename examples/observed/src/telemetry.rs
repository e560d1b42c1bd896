//! Metrics for Prometheus, traces by OTLP, and the trace of the caller.

use std::time::Duration;

use agui_runtime::telemetry::{
    AGENT_DURATION_BUCKETS, CALL_BUCKETS, CLIENT_OPERATION_DURATION, CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
    CLIENT_TOKEN_USAGE, DURATION_BUCKETS, EXECUTE_TOOL_DURATION, INVOKE_AGENT_DURATION,
    INVOKE_AGENT_INFERENCE_CALLS, INVOKE_AGENT_TOOL_CALLS, TOKEN_BUCKETS, TraceContext,
};
use axum::Router;
use axum::http::request::Parts;
use axum::routing::get;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkError;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::{SubscriberInitExt as _, TryInitError};

/// The queue of the recorder grows until someone empties it.
const UPKEEP: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("metrics cannot be recorded")]
    Metrics(#[from] BuildError),
    #[error("traces cannot be exported")]
    Exporter(#[from] ExporterBuildError),
    #[error("there is another subscriber")]
    Subscriber(#[from] TryInitError),
    #[error("the last traces were not exported")]
    Flush(#[from] OTelSdkError),
}

pub struct Telemetry {
    metrics: PrometheusHandle,
    traces: SdkTracerProvider,
}

impl Telemetry {
    pub fn install() -> Result<Self, TelemetryError> {
        let metrics = recorder()?;
        let traces = provider()?;
        let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer("observed"));
        // The standard output has the address.
        let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
        tracing_subscriber::registry().with(LevelFilter::INFO).with(log).with(layer).try_init()?;
        Ok(Self { metrics, traces })
    }

    /// Returns the route for Prometheus.
    pub fn metrics(&self) -> Router {
        let metrics = self.metrics.clone();
        Router::new().route("/metrics", get(move || async move { metrics.render() }))
    }

    /// Sends the spans that wait.
    pub fn flush(&self) -> Result<(), TelemetryError> {
        Ok(self.traces.shutdown()?)
    }
}

fn recorder() -> Result<PrometheusHandle, TelemetryError> {
    let mut builder = PrometheusBuilder::new();
    for (name, buckets) in [
        (INVOKE_AGENT_DURATION, &AGENT_DURATION_BUCKETS[..]),
        (INVOKE_AGENT_INFERENCE_CALLS, &CALL_BUCKETS),
        (INVOKE_AGENT_TOOL_CALLS, &CALL_BUCKETS),
        (EXECUTE_TOOL_DURATION, &DURATION_BUCKETS),
        (CLIENT_OPERATION_DURATION, &DURATION_BUCKETS),
        (CLIENT_OPERATION_TIME_TO_FIRST_CHUNK, &DURATION_BUCKETS),
        (CLIENT_TOKEN_USAGE, &TOKEN_BUCKETS),
    ] {
        builder = builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), buckets)?;
    }
    let handle = builder.install_recorder()?;
    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    Ok(handle)
}

/// Without `OTEL_EXPORTER_OTLP_ENDPOINT`, spans are made and sent nowhere.
fn provider() -> Result<SdkTracerProvider, TelemetryError> {
    let resource = Resource::builder().with_service_name("observed").build();
    let builder = SdkTracerProvider::builder().with_resource(resource);
    if std::env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_none() {
        return Ok(builder.build());
    }
    // The client of the exporter is built with TLS wherever another crate of the program asks for it. An error says that
    // there is a provider already.
    drop(rustls::crypto::ring::default_provider().install_default());
    let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpJson).build()?;
    Ok(builder.with_batch_exporter(exporter).build())
}

/// Makes the span of a request a child of its caller's, and tells the client the place of the span.
pub fn connect(span: &Span, parts: &Parts) -> Option<TraceContext> {
    let propagator = TraceContextPropagator::new();
    let parent = propagator.extract(&HeaderExtractor(&parts.headers));
    // The span may be filtered out.
    span.set_parent(parent).ok()?;
    let mut headers = std::collections::HashMap::new();
    propagator.inject_context(&span.context(), &mut headers);
    TraceContext::parse(headers.get("traceparent")?, headers.get("tracestate").map(String::as_str))
}
