//! Options for `#[agent]`.

use proc_macro2::TokenStream;
use syn::{LitStr, Path, Type};

use crate::attr::{AttributeFlag, KeyRow, KeyTable, flag, list, path, text};

#[derive(Default)]
pub(super) struct AgentAttr {
    pub(super) state: Option<Type>,
    pub(super) tools: Vec<Path>,
    pub(super) handoffs: Vec<Path>,
    pub(super) events: Vec<Path>,
    pub(super) interrupts: Vec<Path>,
    pub(super) activities: Vec<Path>,
    pub(super) catalogs: Vec<Path>,
    pub(super) forwarded: Option<Type>,
    pub(super) name: Option<LitStr>,
    pub(super) description: Option<LitStr>,
    pub(super) strict: Option<AttributeFlag>,
    pub(super) restart: Option<AttributeFlag>,
    pub(super) served: Option<AttributeFlag>,
    pub(super) krate: Option<Path>,
    /// The conditions before items of the lists, each as often as it is written.
    pub(super) conditions: Vec<TokenStream>,
}

pub(super) const KEYS: KeyTable<AgentAttr> = KeyTable {
    attribute: "#[agent]",
    rows: &[
        KeyRow {
            name: "state",
            place: "",
            read: |agent, key, input| {
                agent.state = Some(path(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "tools",
            place: "",
            read: |agent, key, input| {
                agent.tools = list(key, input, &mut agent.conditions)?;
                Ok(())
            },
        },
        KeyRow {
            name: "handoffs",
            place: "",
            read: |agent, key, input| {
                agent.handoffs = list(key, input, &mut agent.conditions)?;
                Ok(())
            },
        },
        KeyRow {
            name: "events",
            place: "",
            read: |agent, key, input| {
                agent.events = list(key, input, &mut agent.conditions)?;
                Ok(())
            },
        },
        KeyRow {
            name: "interrupts",
            place: "",
            read: |agent, key, input| {
                agent.interrupts = list(key, input, &mut agent.conditions)?;
                Ok(())
            },
        },
        KeyRow {
            name: "activities",
            place: "",
            read: |agent, key, input| {
                agent.activities = list(key, input, &mut agent.conditions)?;
                Ok(())
            },
        },
        KeyRow {
            name: "catalogs",
            place: "",
            read: |agent, key, input| {
                agent.catalogs = list(key, input, &mut agent.conditions)?;
                Ok(())
            },
        },
        KeyRow {
            name: "forwarded",
            place: "",
            read: |agent, key, input| {
                agent.forwarded = Some(path(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "name",
            place: "",
            read: |agent, key, input| {
                agent.name = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "description",
            place: "",
            read: |agent, key, input| {
                agent.description = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow { name: "strict", place: "", read: |agent, key, input| flag(&mut agent.strict, key, input) },
        KeyRow { name: "restart", place: "", read: |agent, key, input| flag(&mut agent.restart, key, input) },
        KeyRow { name: "served", place: "", read: |agent, key, input| flag(&mut agent.served, key, input) },
        KeyRow {
            name: "crate",
            place: "",
            read: |agent, key, input| {
                agent.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};
