//! The official client reads stored threads, and joins a run after any of its events.

use agui_tests::joined::{everything, joined};
use agui_tests::need;
use agui_tests::outside::{Node, Stream};
use agui_tests::simulation;
use serde_json::{Value, json};

fn events(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|event| serde_json::from_str(event).unwrap())
        .collect()
}

fn stream(events: Vec<Value>) -> Stream {
    Stream { messages: json!([]), state: json!({}), events }
}

#[test]
fn it_has_the_same_conversation_wherever_it_joins() {
    let node = need!(Node::ready());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut streams = vec![stream(everything())];
    let joins = (1..=everything().len()).map(|count| stream(events(&runtime.block_on(joined(count)))));
    streams.extend(joins);
    let folded = node.fold_many(&streams);
    let whole = &folded[0];
    assert_eq!(whole.code, None, "{whole:?}");
    for (count, joined) in folded.iter().enumerate().skip(1) {
        assert_eq!(joined.code, None, "joined after {count} events: {joined:?}");
        assert_eq!(
            (&joined.messages, &joined.state),
            (&whole.messages, &whole.state),
            "joined after {count} events"
        );
    }
}

/// The schedules are those of `tests/src/simulation`; those that fail there name their seed.
#[test]
fn it_accepts_each_thread_that_servers_with_faults_leave() {
    let node = need!(Node::ready());
    let first = simulation::first_seed();
    let schedules = first..first + 100;
    println!("100 schedules from AGUI_SEED={first}");
    let threads = schedules.flat_map(|seed| {
        let threads = simulation::conversations(seed).into_iter();
        threads.filter(|events| !events.is_empty()).map(move |events| (seed, stream(events)))
    });
    let (seeds, streams): (Vec<_>, Vec<_>) = threads.unzip();
    assert!(streams.len() > 50, "{} threads", streams.len());
    for (seed, (folded, stream)) in seeds.into_iter().zip(node.fold_many(&streams).iter().zip(&streams)) {
        assert_eq!(folded.code, None, "AGUI_SEED={seed}: {folded:?}");
        assert_eq!(folded.at, None, "AGUI_SEED={seed}");
        assert!(folded.delivered >= stream.events.len(), "AGUI_SEED={seed}: {folded:?}");
    }
}
