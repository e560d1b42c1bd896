//! A subscriber that keeps the spans of a thread as a tree.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex, MutexGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

/// One span, in the order in which they began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    id: u64,
    parent: Option<u64>,
    pub(crate) fields: BTreeMap<String, String>,
    pub(crate) is_closed: bool,
}

/// The spans and events of this thread.
#[derive(Clone, Default)]
pub(crate) struct Tree {
    spans: Arc<Mutex<Vec<Kept>>>,
    events: Arc<Mutex<Vec<String>>>,
}

struct Fields<'f>(&'f mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

impl Tree {
    /// Keeps the spans and events of this thread, at every level, until the guard is dropped.
    pub(crate) fn keep() -> (Self, DefaultGuard) {
        let tree = Self::default();
        let subscriber = tracing_subscriber::registry().with(tree.clone());
        (tree, tracing::subscriber::set_default(subscriber))
    }

    fn spans(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.spans.lock().unwrap()
    }

    /// Returns the names of the spans that OpenTelemetry sees, each below its parent.
    pub(crate) fn drawn(&self) -> String {
        let spans = self.spans();
        let named: Vec<_> = spans.iter().filter(|span| span.fields.contains_key("otel.name")).collect();
        let mut drawn = String::new();
        for span in &named {
            let mut depth = 0;
            let mut parent = span.parent;
            while let Some(above) = named.iter().find(|above| Some(above.id) == parent) {
                depth += 1;
                parent = above.parent;
            }
            let error = span.fields.get("error.type").map(|error| format!(" ({error})")).unwrap_or_default();
            writeln!(drawn, "{}{}{error}", "  ".repeat(depth), span.fields["otel.name"]).unwrap();
        }
        drawn
    }

    /// Returns the spans of a name, as OpenTelemetry sees it.
    pub(crate) fn of(&self, name: &str) -> Vec<Kept> {
        let is_of = |span: &&Kept| span.fields.get("otel.name").is_some_and(|found| found == name);
        self.spans().iter().filter(is_of).cloned().collect()
    }

    /// Returns the fields of all events: the log.
    pub(crate) fn logged(&self) -> String {
        self.events.lock().unwrap().join("\n")
    }

    /// Returns all texts: the fields of all spans and events.
    pub(crate) fn texts(&self) -> String {
        format!("{:#?}\n{:#?}", self.spans(), self.events.lock().unwrap())
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Tree {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let parent = context.span(id).and_then(|span| span.parent()).map(|parent| parent.id().into_u64());
        let mut span = Kept { id: id.into_u64(), parent, ..Kept::default() };
        attributes.record(&mut Fields(&mut span.fields));
        self.spans().push(span);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut spans = self.spans();
        let span = spans.iter_mut().rfind(|span| span.id == id.into_u64()).unwrap();
        values.record(&mut Fields(&mut span.fields));
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = BTreeMap::new();
        event.record(&mut Fields(&mut fields));
        self.events.lock().unwrap().push(format!("{} {fields:?}", event.metadata().target()));
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        let mut spans = self.spans();
        let span = spans.iter_mut().rfind(|span| span.id == id.into_u64()).unwrap();
        // The registry gives the number to another span.
        (span.is_closed, span.id) = (true, u64::MAX - span.id);
        let closed = span.id;
        for child in spans.iter_mut().filter(|child| child.parent == Some(id.into_u64())) {
            child.parent = Some(closed);
        }
    }
}
