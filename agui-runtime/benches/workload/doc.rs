//! A document: text, sections, a map of records, settings.

use std::collections::HashMap;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prose;

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Doc {
    pub title: String,
    pub body: String,
    pub sections: Vec<Section>,
    pub records: HashMap<String, Record>,
    pub settings: Settings,
    pub step: Step,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtitle: Option<String>,
    pub reviewer: Option<String>,
    pub version: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    #[state(key)]
    pub id: String,
    pub heading: String,
    pub text: String,
    pub status: Status,
    pub tags: Vec<String>,
    pub word_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    Draft,
    InReview,
    Done,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    pub author: String,
    pub comment: String,
    pub score: f64,
    pub resolved: bool,
    pub replies: u32,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    pub theme: String,
    pub font_size: u8,
    pub margins: (u16, u16, u16, u16),
    pub export: Export,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    pub format: String,
    pub with_notes: bool,
    pub path: Option<String>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Step {
    Searching { query: String, hits: u32, done: bool },
    Writing { section: String, progress: f64 },
}

pub fn doc() -> Doc {
    Doc {
        title: "Risotto, and everything around it".to_owned(),
        body: prose(0, 10_559),
        sections: (0..200).map(section).collect(),
        records: (0..100).map(|i| (format!("record-{i:03}"), record(i))).collect(),
        settings: Settings {
            theme: "paper".to_owned(),
            font_size: 11,
            margins: (20, 20, 25, 25),
            export: Export { format: "pdf".to_owned(), with_notes: true, path: None },
        },
        step: Step::Searching { query: "saffron".to_owned(), hits: 12, done: false },
        subtitle: Some(prose(1, 28)),
        reviewer: None,
        version: 7,
    }
}

pub fn section(i: usize) -> Section {
    Section {
        id: format!("section-{i:03}"),
        heading: prose(1000 + i, 24),
        text: prose(2000 + i, 215 + i % 7 + usize::from(i < 163)),
        status: if i.is_multiple_of(3) { Status::Draft } else { Status::Done },
        tags: (0..3).map(|tag| prose(3000 + 3 * i + tag, 6)).collect(),
        word_count: 41,
        note: (i.is_multiple_of(4)).then(|| prose(4000 + i, 20)),
    }
}

fn record(i: usize) -> Record {
    Record {
        author: prose(5000 + i, 8),
        comment: prose(6000 + i, 30),
        score: i as f64 / 8.0,
        resolved: i.is_multiple_of(2),
        replies: i as u32 % 10,
    }
}

pub(super) fn scalar(doc: &mut Doc) {
    doc.sections[117].word_count += 1;
}

pub(super) fn text(doc: &mut Doc) {
    doc.body.push('x');
}

/// 139 changes, spread out.
pub(super) fn tenth(doc: &mut Doc) {
    doc.title.push('!');
    for (i, section) in doc.sections.iter_mut().take(118).enumerate() {
        match i % 6 {
            0 => section.heading = prose(7000 + i, 24),
            1 if i % 4 == 1 => section.text = prose(8000 + i, 150),
            1 | 2 => section.word_count += 3,
            3 => section.status = Status::InReview,
            4 => section.tags[1] = prose(9000 + i, 6),
            _ => section.note = section.note.is_none().then(|| prose(10_000 + i, 20)),
        }
    }
    for i in (3..100).step_by(5) {
        if let Some(record) = doc.records.get_mut(&format!("record-{i:03}")) {
            record.replies += 1;
        }
    }
}

pub(super) fn map(doc: &mut Doc) {
    doc.records.remove("record-050");
    doc.records.insert("record-100".to_owned(), Record { comment: prose(6100, 32), ..record(100) });
}

pub(super) fn variant(doc: &mut Doc) {
    doc.step = Step::Writing { section: "intro-04".to_owned(), progress: 0.25 };
}

pub(super) fn everything(doc: &mut Doc) {
    doc.title = prose(11_000, 33);
    doc.body = prose(11_001, 10_600);
    for (i, section) in doc.sections.iter_mut().enumerate() {
        section.id.insert(0, 'x');
        section.heading = prose(12_000 + i, 24);
        section.text = prose(13_000 + i, 200);
        section.status = Status::InReview;
        section.tags = (0..3).map(|tag| prose(14_000 + 3 * i + tag, 6)).collect();
        section.word_count += 9;
        section.note = section.note.is_none().then(|| prose(15_000 + i, 20));
    }
    let records = std::mem::take(&mut doc.records);
    doc.records = records
        .into_iter()
        .map(|(name, mut record)| {
            record.author.push('x');
            record.comment.push('x');
            record.score += 0.5;
            record.resolved = !record.resolved;
            record.replies += 1;
            (name, record)
        })
        .collect();
    doc.settings.theme.push('x');
    doc.settings.font_size += 1;
    doc.settings.margins = (1, 2, 3, 4);
    doc.settings.export =
        Export { format: "html".to_owned(), with_notes: false, path: Some("out".to_owned()) };
    variant(doc);
    doc.subtitle = None;
    doc.reviewer = Some("Ada".to_owned());
    doc.version += 1;
}
