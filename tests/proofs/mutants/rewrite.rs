//! Defects that no operator makes: an expression of one function, and its replacement. Expressions are compared as
//! syntax trees, so that the layout of the sources does not matter.

use quote::ToTokens;
use syn::Expr;

/// A change that has a name.
pub struct Rewrite {
    pub name: &'static str,
    pub function: &'static str,
    pub from: &'static str,
    pub to: &'static str,
}

macro_rules! rewrites {
    ($($name:ident in $function:literal: { $($from:tt)* } => { $($to:tt)* })*) => {
        pub const REWRITES: &[Rewrite] = &[$(Rewrite {
            name: stringify!($name),
            function: $function,
            from: stringify!($($from)*),
            to: stringify!($($to)*),
        }),*];
    };
}

rewrites! {
    no_end_when_full in "RunKernel::close":
        { self.take(slot) } => { self.take(slot).filter(|_| self.queue.is_empty()) }
    more_than_two_for_a_call in "RunKernel::abandon":
        { self.settle_abandoned(OwedResult { id, tag }, later) } => {{
            self.settle_abandoned(OwedResult { id: id.clone(), tag: tag.clone() }, later);
            self.settle_abandoned(OwedResult { id, tag }, None)
        }}
    reader_dropped_under_the_lock in "KernelHub::fill_batch":
        { inner.reader.take() } => {{ drop(inner.reader.take()); None }}
    old_reader_dropped_under_the_lock in "KernelHub::wait_for_event":
        { std::mem::replace(&mut inner.reader, waker) } => {{ inner.reader = waker; None }}
    writer_dropped_under_the_lock in "KernelHub::leave":
        { (Vec::new(), own) } => {{ drop(own); (Vec::new(), None) }}
    slots_reused in "RunKernel::next_slot":
        { self.last_slot += 1 } =>
        { self.last_slot = self.spans.last_key_value().map_or(ROOT, |(&slot, _)| slot) + 1 }
    dead_author_speaks in "RunKernel::author":
        { self.spans.get(&slot).map(|open| open.tag.clone()) } =>
        { Some(self.spans.get(&slot).and_then(|open| open.tag.clone())) }
    step_names_taken_for_ids in "RunSpan::id":
        { None } => { if let Self::Step { name } = self { Some(name) } else { None } }
    cut_off_call_ended in "RunKernel::abandon":
        { self.cut_off.push(CutOffCall { id, tool, tag }) } => {{
            let _ = tool;
            self.put(ToolCallEndEvent::new(id).into(), tag, None)
        }}
    open_at_the_end in "RunKernel::end":
        { self.spans.last_key_value() } => { self.spans.last_key_value().filter(|(slot, _)| **slot > 1) }
    broken_off_ended in "RunKernel::end":
        { self.take(slot) } => {{ self.close(slot, None); None }}
    pending_in_order_of_ends in "RunKernel::end_arguments":
        { self.pending.insert(slot, call) } =>
        {{ let end = self.pending.len() as SpanSlot; self.pending.insert(end, call) }}
    parents_of_other_runs in "ClientConversation::carrier":
        { self.known(parent.id.as_str())? } =>
        { match self.known(parent.id.as_str()) { Some(known) => known, None => return Some(parent.id) } }
    named_parent_forgotten in "RunKernel::open_subagent":
        { started.parent_subagent_run_id.or_else(|| self.announced_subagent(by)) } => { self.announced_subagent(by) }
    room_for_one in "KernelHub::make_room":
        { self.room.saturating_sub(unread) } => { 1 }
}

impl Rewrite {
    /// The replacement of this expression, if this change is made.
    pub fn of(&self, function: &str, expr: &Expr) -> Option<Expr> {
        if self.function != function {
            return None;
        }
        let parsed = |text: &str| -> Expr {
            syn::parse_str(text).unwrap_or_else(|wrong| panic!("mutant `{}`: {wrong}", self.name))
        };
        (layout_free(&parsed(self.from)) == layout_free(expr)).then(|| parsed(self.to))
    }
}

/// The tokens, without the commas that a formatter puts before a closing bracket.
fn layout_free(expr: &Expr) -> String {
    let mut text = expr.to_token_stream().to_string();
    text.retain(|c| !c.is_whitespace());
    [")", "]", "}"].iter().fold(text, |text, close| text.replace(&format!(",{close}"), close))
}
