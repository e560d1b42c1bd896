//! The mistakes that the compiler finds while it expands macros and checks types and borrows.

#![allow(unused)]

mod kit;

mod agent {
    mod behind_a_box;
    mod calls_an_agent_that_it_has_not;
    mod dependency_by_value;
    mod has_no_place_for_a_state;
    mod keeps_what_cannot_move;
    mod lists_a_plain_function;
    mod lists_a_plain_type;
    mod made_without_its_dependencies;
    mod not_async;
    mod on_a_struct;
    mod option_misspelt;
    mod output_without_derives;
    mod question_mark_on_a_non_error;
    mod returns_no_result;
    mod shared_run;
    mod spawns_with_the_run;
    mod not_a_state;
    mod strict_without_finish;
    mod tool_wants_more;
    mod without_an_input;
    mod lists_under_an_attribute;
    mod output_of_a_chat_without_a_type;
    mod output_of_a_chat_without_derives;
    mod chat_that_is_not_awaited;
    mod returns_an_error_of_any_kind;
    mod text_of_an_awaited_chat;
}
mod client {
    mod delegate_to_an_agent_with_state;
    mod delegate_without_new;
    mod events_in_a_plain_loop;
    mod input_of_a_text;
    mod input_without_messages;
    mod message_that_is_not_converted;
    mod message_without_an_id;
    mod not_a_recorder;
    mod started_without_arc;
    mod started_without_new;
    mod tested_without_new;
}
mod event {
    mod activity_of_a_plain_type;
    mod activity_without_serde;
    mod emitted_by_hand;
    mod name_without_a_prefix;
    mod not_in_the_list;
    mod that_is_a_plain_type;
    mod that_is_a_text;
    mod that_is_generic;
    mod with_borrowed_data;
    mod without_a_schema;
    mod without_serde;
    mod activity_that_is_a_list;
    mod activity_that_is_written_as_a_text;
}
mod helpers {
    mod borrows_the_run_twice;
    mod calls_a_tool;
    mod changes_the_state;
    mod finishes_the_run;
    mod of_any_agent_calls_a_tool;
    mod of_any_agent_opens_a_call;
    mod of_what_is_no_agent;
    mod opens_a_call;
    mod opens_a_call_by_name;
    mod reads_the_state;
    mod sends_a_custom_event;
    mod spawns_with_the_run;
    mod takes_emit_by_value;
}
mod interrupt {
    mod answer_of_a_backend_tool;
    mod answer_taken_as_a_bool;
    mod answer_to_what_is_not_in_the_list;
    mod frontend_call_asked;
    mod in_the_middle;
    mod not_in_the_list;
    mod response_without_derives;
    mod that_is_a_plain_type;
    mod without_a_reason;
    mod without_a_response;
    mod without_serde;
}
mod order {
    mod backend_call_left_to_the_client;
    mod call_run_before_it_was_awaited;
    mod call_settled_twice;
    mod call_without_its_error;
    mod content_after_end;
    mod content_before_start;
    mod content_of_a_message_that_was_not_awaited;
    mod error_in_the_middle;
    mod finish_with_an_open_message;
    mod frontend_call_run_here;
    mod messages_restated_in_a_message;
    mod result_before_the_arguments_end;
    mod step_finished_by_name;
    mod tool_of_another_agent;
}
mod server {
    mod agent_without_new;
    mod function_for_each_request;
    mod identity_that_cannot_be_cloned;
    mod limits_as_a_number;
    mod list_of_agents;
    mod main_that_is_not_async;
    mod main_with_arguments;
    mod mounted_without_new;
    mod router_without_new;
    mod shared_agent_without_new;
    mod without_a_path;
}
mod state {
    mod field_that_is_no_state;
    mod key_of_a_map;
    mod key_that_elements_lack;
    mod option_misspelt;
    mod patch_by_hand;
    mod read_before_a_baseline;
    mod snapshot_of_another_type;
    mod update_before_a_baseline;
    mod update_of_the_run;
    mod update_with_an_async_block;
    mod update_with_an_async_closure;
    mod without_a_default;
    mod without_a_schema;
    mod without_clone;
    mod without_serde;
    mod update_in_a_tool_with_an_async_closure;
}
mod tool {
    mod answer_without_derives;
    mod argument_left_out;
    mod argument_without_a_schema;
    mod argument_without_derives;
    mod error_without_a_text;
    mod frontend_tool_called_as_a_function;
    mod frontend_tool_with_a_body;
    mod list_of_arguments_without_derives;
    mod result_without_derives;
    mod result_without_derives_behind_an_error;
    mod spawns_with_emit;
    mod takes_emit_by_value;
    mod takes_the_input;
    mod takes_the_run;
    mod takes_the_run_mutably;
    mod text_by_reference;
    mod without_a_description;
    mod borrows_the_state;
    mod changes_the_state;
    mod takes_the_handle_mutably;
    mod takes_another_state;
    mod takes_an_option_that_the_agent_lacks;
    mod policy_that_returns_a_number;
    mod policy_that_borrows_more;
    mod policy_closure_with_another_name;
    mod error_that_cannot_move;
    mod sends_an_event_that_the_agent_does_not_list;
    mod sends_an_event_that_it_does_not_name;
    mod sends_an_event_by_emit;
    mod names_a_plain_type_as_an_event;
    mod private_and_shown_by_the_page;
    mod private_called_with_events;
    mod private_that_sends_events;
    mod private_with_a_stream;
    mod private_with_approval;
    mod private_with_predicted_arguments;
}
mod types {
    mod activity_that_is_a_tuple;
    mod argument_of_another_crate;
    mod cell_in_a_state;
    mod element_that_is_no_state;
    mod flattened_number;
    mod function_as_an_argument;
    mod key_that_is_a_struct;
    mod number_as_a_string_without_its_type;
    mod text_with_a_lifetime;
    mod time_without_a_json_form;
    mod trait_as_an_argument;
    mod union_as_a_state;
    mod written_by_a_function;
}

fn main() {}
