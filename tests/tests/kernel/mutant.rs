/// A change to one line of the kernel or the hub that breaks one of its rules.
struct Mutant {
    name: &'static str,
    /// The rule in the kernel's header it breaks; 0 for whom the hub wakes.
    #[allow(dead_code, reason = "read by the test")]
    rule: u8,
    #[allow(dead_code, reason = "read by the build script")]
    file: &'static str,
    #[allow(dead_code, reason = "read by the build script")]
    from: &'static str,
    #[allow(dead_code, reason = "read by the build script")]
    to: &'static str,
}

macro_rules! mutants {
    ($($rule:literal $name:ident in $file:literal: $from:literal => $to:literal;)*) => {
        const MUTANTS: &[Mutant] =
            &[$(Mutant { name: stringify!($name), rule: $rule, file: $file, from: $from, to: $to }),*];
    };
}

mutants! {
    1 start_without_span in "kernel/mod.rs":
        "self.enclose(by, slot, span, tag);" => "let _ = span;";
    1 span_without_start in "kernel/mod.rs":
        "self.put(start, tag.clone(), fields);" => "let _ = (start, fields);";
    2 content_does_not_wait in "hub.rs":
        "self.unread() < self.room" => "self.unread() <= self.room";
    2 a_batch_takes_no_room in "hub.rs":
        "self.kernel.queue.len() + self.lent" => "self.kernel.queue.len()";
    2 no_end_when_full in "kernel/mod.rs":
        "let Some(Open { span, tag, .. }) = self.take(slot) else { return };" =>
        "let Some(Open { span, tag, .. }) = self.take(slot) else { return }; if !self.queue.is_empty() { return };";
    2 more_than_two_for_a_call in "kernel/calls.rs":
        "self.put_abandoned(Owed { id, tag }, later);" =>
        "self.put_abandoned(Owed { id: id.clone(), tag: tag.clone() }, later); self.put_abandoned(Owed { id, tag }, None);";
    3 reader_dropped_under_the_lock in "hub.rs":
        "let reader = inner.reader.take();\n        drop(inner);\n        drop(reader);" =>
        "drop(inner.reader.take());\n        drop(inner);";
    3 old_reader_dropped_under_the_lock in "hub.rs":
        "(arrived, writers, std::mem::replace(&mut inner.reader, waker))" =>
        "inner.reader = waker; (arrived, writers, None::<Waker>)";
    3 writer_dropped_under_the_lock in "hub.rs":
        "own => (Vec::new(), own)," => "own => { drop(own); (Vec::new(), None::<Waker>) }";
    4 slots_reused in "kernel/mod.rs":
        "self.last_slot += 1;\n        self.last_slot" =>
        "self.last_slot = self.spans.last_key_value().map_or(ROOT, |(&slot, _)| slot) + 1;\n        self.last_slot";
    5 speaks_after_the_end in "kernel/mod.rs":
        "_ if self.ended => None," => "_ if false => None,";
    5 run_ends_twice in "kernel/end.rs":
        "if self.ended {\n            return;\n        }\n        if matches" => "if matches";
    5 dead_author_speaks in "kernel/mod.rs":
        "slot => self.spans.get(&slot).map(|open| open.tag.clone())," =>
        "slot => Some(self.spans.get(&slot).and_then(|open| open.tag.clone())),";
    6 inner_not_closed in "kernel/mod.rs":
        "if self.spans.get(&slot)?.children > 0 {" => "if self.spans.get(&slot)?.children > 1 {";
    6 oldest_first in "kernel/mod.rs":
        ".rev()\n            .filter" => ".filter";
    6 children_not_counted in "kernel/mod.rs":
        "parent.children += 1;" => "parent.children += 0;";
    7 step_names_clash in "kernel/messages.rs":
        "if let Some(&last) = self.steps.get(&key) {" => "if let Some(&last) = self.steps.get(&key).filter(|_| false) {";
    7 step_names_clash_without_tags in "kernel/messages.rs":
        "tag.filter(|_| self.peer.reads_tags())" => "tag";
    7 step_names_not_freed in "kernel/messages.rs":
        "self.steps.remove(&key);" => "self.steps.contains_key(&key);";
    8 restated_while_open in "kernel/restate.rs":
        "self.spans.values().any(|open| open.span.is_of_the_conversation())" => "false";
    8 restated_while_calling in "span.rs":
        "| Self::ReasoningMessage { .. } => true," => "| Self::ReasoningMessage { .. } => !matches!(self, Self::Arguments { .. }),";
    8 own_leaks_not_closed in "kernel/restate.rs":
        "self.close_all_in(by);" => "";
    8 restated_authors_forgotten in "kernel/conversation.rs":
        "same && self.is_still_by(parent.id.as_str(), tag)" => "same";
    8 restated_authors_contradicted in "kernel/mod.rs":
        "if self.conversation.is_by(id, &tag) { tag } else { None }" => "tag";
    8 step_names_taken_for_ids in "span.rs":
        "Self::Step { .. } | Self::Subagent { .. } | Self::Scope => None," =>
        "Self::Step { name } => Some(name), Self::Subagent { .. } | Self::Scope => None,";
    9 cut_off_call_ended in "kernel/calls.rs":
        "self.cut_off.push(CutOff { id, tool, tag });" =>
        "let _ = tool; self.put(ToolCallEndEvent::new(id).into(), tag, None);";
    9 unanswered_call_forgotten in "kernel/calls.rs":
        "Span::Unanswered { id } => self.put_abandoned(Owed { id, tag }, fields)," =>
        "Span::Unanswered { .. } => {}";
    9 cut_off_not_closed_when_cancelled in "kernel/end.rs":
        "self.end_cut_off();" => "";
    9 cut_off_forgotten in "kernel/end.rs":
        "(_, Some(cut_off)) => Terminal::Failed {" => "(other, Some(_)) if self.ended == false => other, (_, Some(cut_off)) => Terminal::Failed {";
    10 open_at_the_end in "kernel/end.rs":
        "while let Some((&slot, _)) = self.spans.last_key_value() {" =>
        "while let Some((&slot, _)) = self.spans.last_key_value().filter(|(slot, _)| **slot > 1) {";
    10 broken_off_ended in "kernel/end.rs":
        "self.take(slot);" => "self.close(slot, None);";
    10 broken_off_by_any_end in "kernel/end.rs":
        "if matches!(terminal, Terminal::Failed { .. }) {" => "if !matches!(terminal, Terminal::Cancelled) {";
    10 pending_forgotten in "kernel/calls.rs":
        "let call = Pending { id: id.clone(), foreign: false, frontend: true, carrier: None };\n                self.pending.insert(slot, call);" => "";
    10 pending_in_order_of_ends in "kernel/calls.rs":
        "self.pending.insert(slot, call);\n            }" =>
        "let end = self.pending.len() as Slot; self.pending.insert(end, call);\n            }";
    10 asked_forgotten in "kernel/end.rs":
        "if !asked.contains(&owed.id) {" => "if false {";
    10 asked_answered in "kernel/end.rs":
        "if !asked.contains(&owed.id) {" => "if true {";
    10 asked_the_client in "kernel/end.rs":
        "if self.asks_the_client(&interrupts)" => "if false && self.asks_the_client(&interrupts)";
    10 no_state_before_the_interrupt in "kernel/end.rs":
        "if let Some(state) = state {" => "if let Some(state) = state.filter(|_| false) {";
    10 no_usage_on_errors in "kernel/end.rs":
        "error.usage = usage;" => "";
    8 call_moved_to_another_message in "kernel/calls.rs":
        "parent.filter(|parent| Some(parent) == carrier.as_ref());" => "parent;";
    8 parent_of_a_call_of_others in "kernel/calls.rs":
        "let parent = start.parent.filter(|_| agreed == tag);\n        let parent = parent" =>
        "let parent = start.parent";
    8 restated_kinds_clash in "kernel/restate.rs":
        "if self.conversation.is_other(message.id(), Kind::of(message)) {" => "if false {";
    8 kinds_of_spans_forgotten in "kernel/mod.rs":
        "self.conversation.learn_span(&span, tag.as_ref());" => "";
    8 kinds_of_the_input_forgotten in "kernel/conversation.rs":
        "all.of_input.push((message.id().clone(), known));" => "drop(known);";
    8 kinds_of_the_restated_forgotten in "kernel/conversation.rs":
        "self.learn(message.id().clone(), Kind::of(message), by);" => "";
    8 opened_again_as_another in "kernel/mod.rs":
        "self.conversation.fit(&mut start);" => "";
    8 called_again_as_another in "kernel/calls.rs":
        "self.conversation.fit(&mut event);" => "";
    8 chunk_of_another in "kernel/calls.rs":
        "self.conversation.fit(&mut chunk);" => "";
    8 lost_activity_changed in "kernel/restate.rs":
        "self.lose_activities();" => "";
    8 lost_activity_stays_lost in "kernel/activities.rs":
        "*is_lost = false;" => "*is_lost = true;";
    8 restated_answer_answered in "kernel/restate.rs":
        "self.is_answered(&answer.tool_call_id);" => "";
    8 restated_answer_asked in "kernel/calls.rs":
        "self.asked.remove(&slot);" => "";
    8 restated_answer_left in "kernel/conversation.rs":
        "self.learn_answer(message);\n    }\n\n    /// Whose" => "}\n\n    /// Whose";
    10 asked_the_client_earlier in "kernel/end.rs":
        "self.conversation.is_of_the_client(asked) || " => "";
    10 asked_the_client_with_the_interrupt in "kernel/end.rs":
        "self.conversation.learn_calls(messages);" => "";
    10 asked_the_client_as_restated in "kernel/conversation.rs":
        "self.learn_calls_of(assistant);\n            for call" => "for call";
    10 foreign_call_taken_for_the_clients in "kernel/end.rs":
        ".filter(|call| call.frontend)" => "";
    10 client_tool_run_here in "kernel/calls.rs":
        "if side == ToolSide::Backend && self.conversation.is_client_tool(&tool) {" => "if false {";
    10 client_tool_forgotten in "kernel/end.rs":
        "Some(tool) => Terminal::Failed {" => "Some(tool) if !tool.is_empty() => other, Some(tool) => Terminal::Failed {";
    0 parents_of_other_runs in "kernel/conversation.rs":
        "let known = self.known(parent.id.as_str())?;" => "let Some(known) = self.known(parent.id.as_str()) else { return Some(parent.id) };";
    0 parents_of_other_kinds in "kernel/conversation.rs":
        "known.kind == Kind::Said && known.by" => "known.by";
    0 named_parent_forgotten in "kernel/scopes.rs":
        "started.parent_subagent_run_id.or_else(|| self.announced(by));" => "self.announced(by);";
    0 phantom_parents_named in "kernel/scopes.rs":
        ".filter(|message| self.conversation.has_text(message))" => "";
    0 phantom_calls_named in "kernel/scopes.rs":
        ".filter(|call| self.conversation.has_call(call))" => "";
    0 phantoms_have_values in "kernel/mod.rs":
        "if self.conversation.has_entity(&value) {" => "{";
    0 calls_of_this_run_forgotten in "kernel/conversation.rs":
        "self.known_calls.insert(call.clone());" => "";
    0 calls_of_earlier_runs_forgotten in "kernel/conversation.rs":
        "all.learn_calls_of(assistant);" => "all.learn_clients(assistant);";
    0 call_not_passed_on in "hub.rs":
        "None if inner.may_write() => (inner.writers.call(1), None)," =>
        "None if false => (inner.writers.call(1), None),";
    0 batch_not_given_back in "reader.rs":
        "1 => hub.give_back()," => "";
    0 room_for_one in "hub.rs":
        "inner.writers.call(self.room.saturating_sub(unread))" => "inner.writers.call(1)";
    0 sleeping_reader_calls_nobody in "hub.rs":
        "if arrived { Vec::new() } else { inner.writers.call(usize::MAX) }" => "Vec::<Waker>::new()";
    0 reader_not_woken in "hub.rs":
        "reader: if calls_reader { self.reader.take() } else { None }," => "reader: None,";
    0 end_wakes_nobody in "hub.rs":
        "waiting.0.into_iter().chain(waiting.1).for_each(Waker::wake);" => "drop(waiting);";
    0 restaters_not_woken in "kernel/mod.rs":
        "self.closed = true;" => "self.closed = false;";
    0 foreign_ids_reused in "kernel/messages.rs":
        "!self.ids.made(id) && self.taken.insert(id.to_owned())" => "!self.ids.made(id)";
    9 own_frontend_call_answered in "kernel/calls.rs":
        "if self.pending.get(&call)?.foreign {" => "if true {";
    0 resumed_twice in "kernel/calls.rs":
        "if self.resumed.contains_key(&id) {" => "if false {";
    0 resumed_what_was_not_left in "kernel/calls.rs":
        "if !self.conversation.is_left(&id) {" => "if false {";
    0 resumed_what_is_the_clients in "kernel/conversation.rs":
        "all.left.retain(|call| !all.of_the_client.contains(call));" => "";
    0 resumed_what_was_answered in "kernel/conversation.rs":
        "for message in &input.messages {\n            all.learn_answer(message);\n        }" => "";
    0 earlier_ids_given_again in "kernel/mod.rs":
        "taken: Self::lookalikes(input, &ids)," => "taken: HashSet::new(),";
    5 dead_author_reports_usage in "kernel/end.rs":
        "if !self.hears(by) {" => "if self.ended {";
}
