//! Agent rules, one function each. Signature rules stand in the file that reads the signature.

use quote::ToTokens;

use super::block::AgentBlock;
use super::model::{AgentModel, ParameterSource};
use crate::report::Report;
use crate::spelling::same;

pub(super) fn check(agent: &AgentModel, report: &Report) {
    check_name(agent, report);
    check_twice(&agent.tools, "tool", report);
    check_twice(&agent.handoffs, "handoff", report);
    check_twice(&agent.events, "event", report);
    check_twice(&agent.interrupts, "interrupt", report);
    check_twice(&agent.activities, "activity", report);
    check_twice(&agent.catalogs, "catalog", report);
    check_parameters(agent, report);
    check_restart(agent, report);
}

pub(super) fn check_block(block: &AgentBlock, report: &Report) {
    if let Some(for_token) = &block.for_token {
        report.error(
            for_token,
            "`#[agent]` writes the impl of `Agent` itself: put it on the type's own impl block, `impl MyAgent { … }`",
        );
    }
    if !block.generics.params.is_empty() {
        report.error(
            &block.generics.params,
            "an agent cannot be generic, because its clients are made from one type: name the type, or borrow an `Arc<dyn …>` \
             for what differs",
        );
    }
    if let Some(clause) = &block.generics.where_clause {
        report.error(clause, "an agent cannot have a `where` clause: name the type");
    }
}

fn check_name(agent: &AgentModel, report: &Report) {
    let name = &agent.name;
    let mut letters = name.text.chars();
    let starts_well = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if !starts_well || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-')
    {
        report.error_at(
            name.span,
            format_args!(
                "`{}` cannot be the name of an agent: it is part of addresses and file names, so write ASCII letters, \
                 digits, `_` and `-`, not beginning with a digit or `-`",
                name.text
            ),
        );
    }
}

fn check_twice<T: ToTokens>(list: &[T], what: &str, report: &Report) {
    for (i, second) in list.iter().enumerate() {
        if list.iter().take(i).any(|first| same(first, second)) {
            report
                .error(second, format_args!("this {what} is in the agent already: leave the second one out"));
        }
    }
}

/// The server that runs an agent again has no request.
fn check_restart(agent: &AgentModel, report: &Report) {
    let needs_request = agent.requested().any(|(_, is_optional)| !is_optional);
    if let Some(restart) = agent.restart.as_ref().filter(|_| needs_request) {
        report.error_at(
            restart.0,
            "an agent that takes a value from the request cannot be run again by another server, which has no request: \
             take an `Option` of the value, or leave `restart` out",
        );
    }
}

/// A tool finds the values it borrows by type, so an agent holds one value of each type.
fn check_parameters(agent: &AgentModel, report: &Report) {
    for (i, second) in agent.parameters.iter().enumerate() {
        let Some(first) = agent.parameters.iter().take(i).find(|first| same(&first.ty, &second.ty)) else {
            continue;
        };
        let message = match (&first.origin, &second.origin) {
            (ParameterSource::Agent(_), ParameterSource::Agent(_)) => {
                "the agent has another dependency of this type, and tools find dependencies by type: give this one a type of its own"
            }
            (ParameterSource::Agent(_), _) | (_, ParameterSource::Agent(_)) => {
                "the agent holds a value of this type and takes another from the request, and tools find theirs by type: put \
                 one of them in a type of its own"
            }
            _ => {
                "the agent takes a value of this type from the request already, and there is one of each type: leave one of \
                 them out"
            }
        };
        report.error(&second.ty, message);
    }
}
