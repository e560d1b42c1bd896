//! The requirements of the model loop and its surroundings, each with the test that shows it. A requirement whose test is gone
//! fails here.
//!
//! One requirement is decided otherwise: an answer to some of several open questions is accepted. A question without its answer
//! stays open and allows nothing; the docs of `trust` say so.

use agui_tests::rows::{Row, assert_shown};

/// The table of dialects.
const DIALECTS: &[Row] = &[
    (
        "never silently lossy: a schema is translated whole, or refused with tool, path and reason",
        &[
            (
                "tests/tests/model/schema_forms.rs",
                "fn a_translation_takes_what_serde_writes_and_refuses_what_the_schema_refuses",
            ),
            ("tests/tests/model/schema_forms.rs", "fn serde_and_the_schema_agree_about_the_values"),
            ("tests/tests/model/schema_forms.rs", "fn long_texts_stay_whole"),
            ("tests/tests/model/schema.rs", "fn an_unknown_constraint_moves_into_the_description"),
            ("tests/tests/model/schema.rs", "fn alternatives_that_may_fit_together_say_that_one_must_fit"),
            ("tests/tests/model/schema.rs", "fn an_object_in_several_places_is_joined"),
            (
                "tests/outside/tests/models/types.rs",
                "fn the_schemas_of_tools_have_the_types_of_the_providers",
            ),
        ],
    ),
    (
        "`json-schema-2020-12`: as generated",
        &[("agui-runtime/src/manifest/type_source.rs", "fn a_root_is_what_schemars_makes_of_the_type")],
    ),
    (
        "`openai`: no `$ref` with siblings; `openai-strict`: all required, no more members, optional as nullable",
        &[
            ("tests/tests/model/schema.rs", "fn a_reference_stands_alone"),
            ("tests/tests/model/schema.rs", "fn a_strict_object_requires_all_and_takes_no_more"),
            ("tests/tests/model/schema.rs", "fn a_keyword_that_openai_refuses_is_described_or_has_no_form"),
            ("tests/tests/model/schema.rs", "fn a_schema_above_the_limits_of_openai_has_no_form"),
            ("tests/outside/tests/models/strict.rs", "fn the_sdk_of_openai_finds_nothing_to_change"),
            ("tests/outside/tests/models/strict.rs", "fn ours_refuses_one_form_more_than_the_sdk_of_openai"),
        ],
    ),
    (
        "`anthropic`: an object; strict variant",
        &[
            ("tests/outside/tests/models/strict.rs", "fn the_sdk_of_anthropic_finds_nothing_to_drop"),
            ("tests/tests/providers/requests.rs", "fn strict_tools_are_in_the_strict_subset_and_say_so"),
            ("tests/tests/providers/requests.rs", "fn anthropic"),
            (
                "tests/tests/providers/requests.rs",
                "fn tools_are_in_the_subset_of_the_provider_and_the_last_is_cached",
            ),
        ],
    ),
    (
        "`gemini`: no references, few formats, `nullable`; one bad tool is named",
        &[
            ("tests/tests/model/schema_forms.rs", "fn gemini_has_no_references"),
            ("tests/tests/model/schema.rs", "fn gemini_has_few_formats_and_lone_alternatives"),
            ("tests/tests/model/schema.rs", "fn gemini_keeps_what_stands_beside_a_reference_or_refuses_it"),
            ("tests/tests/model/schema.rs", "fn gemini_refuses_what_has_no_type_of_its_own"),
            (
                "tests/tests/model/frontend.rs",
                "fn a_schema_that_the_provider_lacks_leaves_a_tool_of_the_page_out_and_fails_one_of_the_agent",
            ),
        ],
    ),
    (
        "formats of numbers are stripped, bounds kept; recursion stays a reference, or is an error; definitions inlined on request",
        &[
            (
                "tests/tests/model/schema_forms.rs",
                "fn an_inlined_schema_takes_the_same_values_and_refers_to_recursive_types_alone",
            ),
            (
                "tests/tests/mcp/describe.rs",
                "fn nested_types_are_definitions_and_results_have_the_form_that_serde_writes",
            ),
            ("tests/tests/model/schema.rs", "fn the_bounds_of_a_format_stay_when_it_goes"),
            ("tests/tests/model/schema_forms.rs", "fn gemini_has_no_references"),
        ],
    ),
];

/// Frontend tools.
const FRONTEND: &[Row] = &[
    (
        "contract against offer at the start of a run, by policy: a missing tool",
        &[(
            "tests/tests/model/frontend.rs",
            "fn a_declared_tool_that_the_page_lacks_is_left_out_called_or_refused",
        )],
    ),
    (
        "contract against offer at the start of a run, by policy: a narrower schema",
        &[
            (
                "tests/tests/model/frontend.rs",
                "fn a_tool_of_the_page_that_refuses_declared_arguments_is_warned_of_or_refused",
            ),
            (
                "agui-runtime/src/manifest/narrower/tests.rs",
                "fn an_offer_that_covers_the_contract_takes_its_values",
            ),
        ],
    ),
    (
        "a call streams START, ARGS, END, and the run ends with it pending",
        &[
            ("tests/tests/model/frontend.rs", "fn the_run_ends_where_the_page_must_answer"),
            ("tests/tests/flow/calls.rs", "fn pending_calls_are_named_in_the_order_they_were_started"),
        ],
    ),
    (
        "the page answers, and the next run goes on with a turn of the model that reads the call with its result: both \
         official clients, and CopilotKit",
        &[
            (
                "tests/outside/tests/copilotkit/frontend.rs",
                "fn both_generations_of_the_official_client_answer",
            ),
            ("tests/outside/tests/copilotkit/frontend.rs", "fn the_page_of_copilotkit_answers"),
        ],
    ),
    (
        "the next run decodes the answer to the declared type",
        &[("tests/tests/flow/calls.rs", "fn an_answer_without_text_is_nothing_unless_it_is_a_string")],
    ),
    (
        "tools that nobody declared stay usable",
        &[("tests/tests/model/frontend.rs", "fn a_tool_of_the_page_alone_can_be_called")],
    ),
];

/// Interrupts and approval.
const APPROVAL: &[Row] = &[
    (
        "a question has reason, message, response schema, expiry and metadata; the answer is validated, decoded and typed",
        &[
            (
                "tests/tests/flow/question.rs",
                "fn a_question_travels_with_its_payload_and_the_schema_of_its_answer",
            ),
            ("tests/tests/flow/question.rs", "fn an_answer_that_does_not_fit_says_where"),
            (
                "tests/tests/flow/consent/expiry.rs",
                "fn an_answer_after_the_date_is_refused_and_may_only_be_cancelled",
            ),
        ],
    ),
    (
        "deny by default",
        &[
            ("tests/tests/model/approvals.rs", "fn everything_but_an_approval_is_a_refusal"),
            ("tests/tests/flow/question.rs", "fn a_question_given_up_is_no_consent"),
        ],
    ),
    (
        "approval interrupts after END and before running; on resume only the result is sent",
        &[
            ("tests/tests/model/approvals.rs", "fn approval_asks_after_end_and_before_running"),
            (
                "tests/tests/model/approvals.rs",
                "fn on_resume_only_tool_call_result_is_sent_and_the_model_reads_it",
            ),
            (
                "tests/tests/model/approvals.rs",
                "fn a_policy_decides_per_call_by_the_arguments_and_by_what_the_tool_borrows",
            ),
            ("tests/tests/model/approval_policy.rs", "fn a_policy_decides_by_the_person_who_asks"),
            ("tests/tests/model/approval_policy.rs", "fn a_policy_decides_about_strangers_too"),
        ],
    ),
    (
        "the question of an approval shows typed in generated clients and in the hook of CopilotKit",
        &[
            (
                "tests/outside/tests/copilotkit/approval.rs",
                "fn a_customer_approves_edits_and_refuses_by_the_generated_hook",
            ),
            ("tests/tests/model/approvals.rs", "fn the_manifest_has_the_question_as_an_interrupt"),
        ],
    ),
    (
        "`editedArgs` replaces the arguments and is validated again",
        &[(
            "tests/tests/model/approvals.rs",
            "fn edited_arguments_replace_the_arguments_and_are_validated_again",
        )],
    ),
    (
        "unknown, expired, twice: RUN_ERROR with a stable code, nothing consumed; an answer that is missing is no error, and its \
         call does not run before it comes",
        &[
            (
                "tests/tests/flow/consent/refused.rs",
                "fn a_call_and_an_answer_that_a_client_invents_do_nothing",
            ),
            (
                "tests/tests/flow/consent/refused.rs",
                "fn one_answer_that_does_not_count_takes_the_others_with_it",
            ),
            ("tests/tests/flow/consent/once.rs", "fn a_run_that_is_refused_uses_no_answer_up"),
            (
                "tests/tests/flow/question_refused.rs",
                "fn the_agent_is_not_called_with_two_answers_to_a_question",
            ),
            ("tests/tests/model/approvals.rs", "fn a_call_that_asked_and_has_no_answer_never_runs"),
            ("tests/tests/model/partly_answered.rs", "fn two_approvals_are_answered_one_after_the_other"),
        ],
    ),
    (
        "state and messages stand before the interrupting RUN_FINISHED: a client has them from the stream, and those that lack them \
         read them again",
        &[
            ("tests/tests/flow/legacy_clients.rs", "fn an_interrupt_restates_what_they_can_read"),
            (
                "tests/tests/flow/patched.rs",
                "fn an_interrupted_run_does_not_send_a_state_again_that_it_just_sent",
            ),
        ],
    ),
    (
        "several interrupts at once",
        &[(
            "tests/tests/model/approvals.rs",
            "fn several_questions_are_asked_at_once_and_cancelled_ones_are_refused",
        )],
    ),
];

/// The model loop.
const LOOP: &[Row] = &[
    (
        "text, reasoning and calls stream through the guards; backend tools run side by side; results go back",
        &[
            ("tests/tests/model/turns.rs", "fn text_goes_out_as_it_comes"),
            ("tests/tests/model/turns.rs", "fn the_model_reads_the_result_of_its_call"),
            ("tests/tests/model/turns.rs", "fn calls_of_one_turn_are_one_message"),
            ("tests/tests/model/dyn_tools.rs", "fn it_runs_side_by_side_with_a_typed_one"),
        ],
    ),
    (
        "each limit is a typed reason",
        &[
            ("tests/tests/model/limits.rs", "fn turns"),
            ("tests/tests/model/limits.rs", "fn calls"),
            ("tests/tests/model/limits.rs", "fn tokens"),
            ("tests/tests/model/limits.rs", "fn repeats"),
            ("tests/tests/model/time.rs", "fn a_silent_provider_is_left_in_time_and_its_text_is_not_whole"),
            ("tests/tests/model/long_answers.rs", "fn the_limit_is_that_of_the_chat_and_of_one_answer"),
        ],
    ),
    (
        "wrong arguments and unknown tools go back to the model, in a limited number of turns in a row; then the run ends",
        &[
            ("tests/tests/model/limits.rs", "fn bad_calls_in_a_row"),
            ("tests/tests/model/limits.rs", "fn the_last_bad_turn_sends_nothing"),
        ],
    ),
    (
        "cancelling reaches the provider at once",
        &[
            ("tests/tests/model/failures.rs", "fn a_client_that_leaves_cancels_the_request_at_the_provider"),
            ("tests/tests/providers/cancelled.rs", "fn dropping_an_answer_closes_the_connection"),
        ],
    ),
    (
        "a scripted model, and cassettes",
        &[("tests/tests/model/cassette.rs", "fn a_recorded_conversation_plays_the_same")],
    ),
    (
        "real providers, chosen by the environment, exercised against a mock of another project",
        &[
            ("tests/tests/providers/environment.rs", "fn the_environment_names_the_model"),
            ("tests/outside/tests/models/talks.rs", "fn a_conversation_goes_on_with_another_provider"),
            ("tests/outside/tests/models/faults.rs", "fn garbage_and_lost_requests_fail_the_run"),
        ],
    ),
    (
        "no second cryptography, and `otel` off",
        &[(
            "tests/tests/providers/tree.rs",
            "fn neither_a_second_cryptography_nor_telemetry_comes_with_the_providers",
        )],
    ),
    (
        "chunks carry accumulated arguments",
        &[
            ("tests/tests/providers/defects.rs", "fn arguments_that_come_as_a_whole_again_are_sent_once"),
            ("tests/tests/providers/fragments.rs", "fn arguments_are_whole_however_they_came"),
        ],
    ),
    (
        "calls that reuse index 0; a stream that starts at index 1",
        &[
            ("tests/tests/providers/defects.rs", "fn two_calls_that_reuse_an_index_stay_two"),
            ("tests/tests/providers/defects.rs", "fn a_stream_that_starts_at_index_1_yields_a_call_once"),
        ],
    ),
    (
        "an end without a marker is truncated",
        &[
            ("tests/tests/providers/defects.rs", "fn a_stream_without_its_end_is_cut_off"),
            ("tests/tests/providers/failures.rs", "fn a_lost_connection_is_not_taken_for_an_end"),
        ],
    ),
    (
        "Responses: a call that shows only at the end, an incomplete response, a failed one",
        &[
            ("tests/tests/providers/defects.rs", "fn a_call_that_shows_only_at_the_end_is_not_lost"),
            ("tests/tests/providers/defects.rs", "fn an_incomplete_response_keeps_its_signatures"),
            ("tests/tests/providers/defects.rs", "fn a_failed_response_says_why"),
        ],
    ),
    (
        "signed thinking is replayed; parallel calls can be switched off; Gemini's arguments come whole",
        &[
            ("tests/tests/providers/defects.rs", "fn signed_and_redacted_thinking_is_read"),
            ("tests/tests/providers/defects.rs", "fn parallel_calls_can_be_switched_off"),
            ("tests/tests/providers/defects.rs", "fn calls_of_gemini_come_whole"),
        ],
    ),
    (
        "retry with backoff and `Retry-After`, only before anything was streamed",
        &[
            (
                "tests/tests/providers/failures.rs",
                "fn a_failure_that_may_pass_is_tried_again_before_anything_was_streamed",
            ),
            ("tests/outside/tests/models/faults.rs", "fn a_limit_that_passes_is_waited_for"),
        ],
    ),
    (
        "one history for all providers",
        &[
            ("tests/tests/model/history.rs", "fn every_prompt_follows_the_rules"),
            ("tests/tests/model/round_trip.rs", "fn a_client_sends_back_what_the_model_read"),
            ("tests/outside/tests/models/types.rs", "fn any_conversation_has_the_types_of_the_providers"),
        ],
    ),
    (
        "usage per provider and model; encrypted reasoning untouched",
        &[
            ("tests/tests/model/turns.rs", "fn the_usage_of_all_turns_is_reported"),
            ("tests/tests/providers/answers.rs", "fn tokens_are_counted_alike_in_each_dialect"),
            ("tests/outside/tests/models/talks.rs", "fn signed_reasoning_goes_back_as_it_came"),
        ],
    ),
    (
        "trust: system messages of clients, context, calls without results, schemes of files",
        &[
            ("tests/tests/model/history.rs", "fn every_prompt_follows_the_rules"),
            ("tests/tests/providers/requests.rs", "fn context_is_data_between_markers"),
            ("tests/tests/model/history.rs", "fn a_result_moves_behind_its_call"),
            ("tests/tests/model/history.rs", "fn files_are_passed_on_by_allowed_schemes"),
        ],
    ),
    (
        "a thread id is no authentication: another identity reads neither the thread nor its questions, and answers none",
        &[
            ("tests/tests/threads/manage.rs", "fn a_thread_of_another_is_not_found"),
            ("tests/tests/threads/manage.rs", "fn a_list_has_the_threads_of_the_caller_page_by_page"),
            (
                "tests/tests/identity/options.rs",
                "fn a_question_is_asked_of_the_customer_that_the_server_knows",
            ),
            ("tests/tests/server/limits.rs", "fn threads_of_two_identities_are_two_threads"),
        ],
    ),
    (
        "predictive state",
        &[
            ("tests/tests/providers/predict.rs", "fn the_state_shows_an_argument_while_the_model_writes_it"),
            ("tests/tests/flow/predict.rs", "fn each_piece_of_an_argument_is_one_small_delta"),
        ],
    ),
    (
        "the same tools through an MCP server, and the tools of MCP servers",
        &[
            ("tests/tests/mcp/served.rs", "fn a_call_returns_what_the_tool_returns"),
            ("tests/tests/mcp/imported.rs", "fn all_pages_are_listed_and_the_descriptions_are_kept"),
            ("tests/outside/tests/mcp/clients.rs", "fn over_standard_input_and_output"),
            ("tests/outside/tests/mcp/everything.rs", "fn as_a_process"),
        ],
    ),
];

/// Bad input: of models, of pages, of providers.
const BAD_INPUT: &[Row] = &[
    (
        "a model that calls an unknown tool, or whose arguments are no JSON",
        &[
            (
                "tests/tests/model/failures.rs",
                "fn a_call_of_an_unknown_tool_goes_back_to_the_model_and_is_not_sent",
            ),
            ("tests/tests/model/frontend.rs", "fn a_call_of_it_that_is_no_json_goes_back_to_the_model"),
            ("tests/tests/model/failures.rs", "fn wrong_arguments_are_answered_with_place_and_expectation"),
        ],
    ),
    (
        "a model that repeats an id",
        &[
            ("tests/outside/tests/models/shapes.rs", "fn two_calls_of_one_id_are_two_calls"),
            ("tests/tests/model/failures.rs", "fn calls_that_are_not_sent_have_ids_of_their_own"),
        ],
    ),
    (
        "a model that writes a megabyte or never stops",
        &[
            ("tests/tests/model/long_answers.rs", "fn a_megabyte_of_text_arrives_whole"),
            ("tests/tests/model/long_answers.rs", "fn a_model_that_never_stops_is_left_at_the_limit"),
            ("tests/tests/model/cost.rs", "fn arguments_of_a_megabyte_take_linear_time"),
        ],
    ),
    (
        "a page that answers a call that was not made, or answers twice",
        &[
            ("tests/tests/model/history.rs", "fn every_prompt_follows_the_rules"),
            (
                "tests/tests/flow/consent/refused.rs",
                "fn a_call_and_an_answer_that_a_client_invents_do_nothing",
            ),
            ("tests/tests/flow/consent/once.rs", "fn the_same_answer_counts_once_in_a_process"),
            (
                "tests/tests/model/approvals.rs",
                "fn an_answer_that_the_client_repeats_as_the_result_is_no_result",
            ),
        ],
    ),
    (
        "a page that resumes what has expired, or edits arguments into something invalid",
        &[
            (
                "tests/tests/flow/consent/expiry.rs",
                "fn an_answer_after_the_date_is_refused_and_may_only_be_cancelled",
            ),
            (
                "tests/tests/model/approvals.rs",
                "fn edited_arguments_replace_the_arguments_and_are_validated_again",
            ),
            ("tests/tests/tool/bounds.rs", "fn edited_arguments_have_the_same_bounds"),
        ],
    ),
    (
        "a provider that is silent, cuts its answer off, sends garbage, or an event without end",
        &[
            ("tests/tests/providers/failures.rs", "fn a_silent_provider_is_not_waited_for"),
            ("tests/tests/providers/failures.rs", "fn a_lost_connection_is_not_taken_for_an_end"),
            ("tests/tests/providers/failures.rs", "fn garbage_is_malformed_in_each_dialect"),
            ("tests/tests/providers/failures.rs", "fn an_event_without_end_is_left"),
        ],
    ),
];

/// Complaints of AG-UI's users.
const COMPLAINTS: &[Row] = &[
    (
        "deltas that do not apply",
        &[
            (
                "tests/proofs/tests/state/runs.rs",
                "fn every_prefix_leaves_the_client_with_the_state_of_that_moment",
            ),
            ("tests/tests/flow/patched.rs", "fn a_patch_that_does_not_apply_changes_nothing"),
        ],
    ),
    (
        "a full snapshot per tool call, except that the whole state follows each call with `predict`",
        &[
            ("tests/tests/model/state.rs", "fn calls_that_change_the_state_send_one_snapshot_and_deltas"),
            ("tests/tests/flow/state.rs", "fn a_large_document_gets_deltas"),
            ("tests/proofs/tests/state_golden.rs", "fn the_cost_of_recorded_changes"),
        ],
    ),
    (
        "parallel calls left open at RUN_FINISHED",
        &[
            ("tests/tests/flow/by_name.rs", "fn a_dispatch_that_is_dropped_leaves_nothing_unanswered"),
            ("tests/tests/flow/order.rs", "fn a_leaked_guard_is_closed_before_the_run_finishes"),
        ],
    ),
    (
        "a failed run makes a thread unreplayable",
        &[
            ("tests/outside/tests/copilotkit/errors.rs", "fn a_page_loads_the_thread_of_such_a_run_again"),
            ("tests/tests/flow/legacy_clients.rs", "fn open_items_are_closed_before_an_error"),
        ],
    ),
    (
        "proxies cut streams that are quiet; a client continues by a cursor",
        &[
            ("tests/tests/threads/attach.rs", "fn a_run_continues_after_the_cursor_of_any_of_its_events"),
            ("tests/tests/threads/cursors.rs", "fn a_cursor_of_no_event_of_the_thread_is_refused"),
            ("tests/tests/server/stream.rs", "fn a_quiet_stream_is_kept_alive_by_comments"),
            ("tests/tests/server/binary.rs", "fn a_quiet_binary_stream_has_heartbeats_that_say_nothing"),
        ],
    ),
    (
        "compaction emits what verification rejects",
        &[
            (
                "tests/outside/tests/copilotkit/compact.rs",
                "fn every_run_folds_to_the_same_state_behind_compaction",
            ),
            ("tests/tests/flow/legacy_clients.rs", "fn the_output_can_be_compacted"),
        ],
    ),
    (
        "approvals lost on reload",
        &[
            (
                "tests/tests/client/history.rs",
                "fn a_recording_holds_both_sides_of_a_conversation_at_every_moment",
            ),
            ("tests/tests/client/interrupts.rs", "fn a_conversation_goes_on_from_its_log"),
        ],
    ),
    (
        "state leaking between requests",
        &[("tests/tests/flow/state.rs", "fn runs_of_one_agent_share_no_state")],
    ),
    (
        "partial arguments parsed per fragment",
        &[
            (
                "agui-runtime/src/agent/tool/arriving/tests.rs",
                "fn a_megabyte_of_single_letters_is_read_in_linear_time",
            ),
            ("tests/tests/model/cost.rs", "fn arguments_of_a_megabyte_take_linear_time"),
        ],
    ),
];

#[test]
fn every_requirement_has_its_tests() {
    for rows in [DIALECTS, FRONTEND, APPROVAL, LOOP, BAD_INPUT, COMPLAINTS] {
        assert_shown(rows);
    }
}
