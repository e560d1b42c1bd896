//! The requirements of stored threads: the tests that show each. A row whose test is gone fails here.
//!
//! Defects of other implementations are named by project and number of the issue.

use agui_tests::rows::{Row, assert_shown};

const SIMULATION: (&str, &str) =
    ("tests/tests/threads/simulated.rs", "fn any_schedule_of_faults_loses_repeats_and_reorders_no_event");
const POINTS: (&str, &str) =
    ("tests/outside/tests/threads/points.rs", "fn a_fault_at_any_write_on_sqlite_loses_and_repeats_nothing");

const KILLED: (&str, &str) = (
    "tests/outside/tests/threads/killed.rs",
    "fn a_process_on_sqlite_that_is_killed_at_any_write_loses_and_repeats_nothing",
);

const PAIRS: (&str, &str) = (
    "tests/outside/tests/threads/killed.rs",
    "fn one_of_two_processes_on_sqlite_that_is_killed_or_stopped_at_any_write_loses_and_repeats_nothing",
);

/// Schedules on engines in real time.
const ON_SQLITE: (&str, &str) = (
    "tests/outside/tests/threads/schedules.rs",
    "fn any_schedule_of_faults_on_sqlite_loses_repeats_and_reorders_no_event",
);
const ON_POSTGRES: (&str, &str) = (
    "tests/outside/tests/threads/schedules.rs",
    "fn any_schedule_of_faults_on_postgres_loses_repeats_and_reorders_no_event",
);
const ON_REDIS: (&str, &str) = (
    "tests/outside/tests/threads/schedules.rs",
    "fn any_schedule_of_faults_on_redis_loses_repeats_and_reorders_no_event",
);

const ROWS: &[Row] = &[
    (
        "a stream over a store that takes no records ends with a code in time",
        &[(
            "tests/tests/threads/away.rs",
            "fn the_readers_of_a_run_that_no_server_can_end_get_a_code_in_time",
        )],
    ),
    (
        "readers have a budget: copies that they share, readers of a thread and of a client",
        &[
            (
                "tests/tests/load/readers.rs",
                "fn readers_of_a_thread_in_memory_that_never_read_share_one_copy",
            ),
            (
                "tests/tests/load/readers.rs",
                "fn readers_of_a_thread_in_a_file_that_never_read_share_one_copy",
            ),
            ("tests/tests/threads/readers.rs", "fn readers_of_threads_in_memory_have_limits"),
            ("tests/tests/threads/readers.rs", "fn readers_of_threads_in_a_file_have_limits"),
            ("tests/tests/threads/reader_memory.rs", "fn readers_of_the_same_thread_share_one_copy"),
            ("tests/tests/load/readers.rs", "fn readers_of_every_kind_that_never_read_have_one_budget"),
            ("tests/tests/threads/readers.rs", "fn readers_of_tasks_have_limits_too"),
            ("agui-runtime/src/thread/copies.rs", "fn copies_share_a_limit_and_return_their_bytes"),
        ],
    ),
    (
        "a page whose name was pointed at the server reads no stored conversation",
        &[("tests/tests/threads/rebound.rs", "fn a_rebound_page_reads_nothing_that_a_thread_says")],
    ),
    (
        "a question whose answered run fails locks no client, and its call has a result",
        &[
            (
                "tests/tests/threads/failed_answers.rs",
                "fn an_answered_run_that_panics_says_what_became_of_its_call",
            ),
            (
                "tests/tests/threads/failed_answers.rs",
                "fn an_answered_run_of_a_server_that_ends_says_what_became_of_its_call",
            ),
            (
                "tests/tests/threads/failed_answers.rs",
                "fn an_answered_run_whose_server_is_lost_says_what_became_of_its_call",
            ),
            (
                "tests/tests/threads/failed_answers.rs",
                "fn a_cancellation_of_a_question_that_is_not_open_is_ignored",
            ),
            (
                "tests/tests/threads/failed_answers.rs",
                "fn a_session_goes_on_after_its_answered_run_has_failed",
            ),
            (
                "tests/outside/tests/codegen/threads/stored.rs",
                "fn typescript_goes_on_after_its_answered_run_has_failed",
            ),
            (
                "tests/outside/tests/codegen/threads/stored.rs",
                "fn python_goes_on_after_its_answered_run_has_failed",
            ),
        ],
    ),
    (
        "an answer that the run refuses leaves its question open",
        &[
            (
                "tests/tests/threads/failed_answers.rs",
                "fn an_answer_that_is_not_valid_does_not_use_its_question_up",
            ),
            (
                "tests/tests/threads/failed_answers.rs",
                "fn a_history_that_is_cut_before_the_call_does_not_use_its_question_up",
            ),
        ],
    ),
    ("random schedules of faults run on every engine", &[SIMULATION, ON_SQLITE, ON_POSTGRES, ON_REDIS]),
    (
        "threads are kept by age: only those that are too old are deleted",
        &[
            ("tests/tests/threads/maintenance.rs", "fn a_thread_is_deleted_when_its_last_event_is_too_old"),
            ("tests/tests/threads/maintenance.rs", "fn a_run_that_takes_longer_keeps_its_thread"),
            ("tests/tests/threads/maintenance.rs", "fn a_thread_that_is_used_at_the_last_moment_is_kept"),
            ("tests/src/thread_conformance/append.rs", "fn a_thread_that_ends_elsewhere_is_not_deleted"),
            ("tests/tests/threads/maintenance.rs", "fn the_secret_of_the_store_has_no_age"),
            ("tests/tests/threads/maintenance.rs", "fn many_old_threads_are_deleted_by_two_servers_at_once"),
        ],
    ),
    (
        "a thread that was deleted is not read in the next one of its name",
        &[
            (
                "agui-runtime/src/thread/tail.rs",
                "fn a_run_whose_thread_was_deleted_is_not_read_in_the_next_one",
            ),
            (
                "tests/tests/threads/manage.rs",
                "fn a_run_whose_thread_was_deleted_is_not_read_in_the_next_one_of_that_name",
            ),
        ],
    ),
    (
        "threads are kept by size",
        &[
            SIMULATION,
            ("tests/tests/threads/lost.rs", "fn a_run_that_cannot_be_read_ends_and_its_size_is_known"),
            (
                "tests/tests/threads/acknowledgements.rs",
                "fn the_size_of_a_run_is_known_though_acknowledgements_are_lost",
            ),
        ],
    ),
    (
        "a process that stands still past its lease is fenced when it goes on",
        &[
            PAIRS,
            (
                "tests/outside/tests/threads/killed.rs",
                "fn one_of_two_processes_on_postgres_that_is_killed_or_stopped_at_any_write_loses_and_repeats_nothing",
            ),
            (
                "tests/outside/tests/threads/killed.rs",
                "fn one_of_two_processes_on_redis_that_is_killed_or_stopped_at_any_write_loses_and_repeats_nothing",
            ),
        ],
    ),
    (
        "a page and a terminal find everything after their server was killed",
        &[
            ("tests/outside/tests/e2e/recipe_page.rs", "fn recipe_page_over_restarts"),
            ("examples/agui-cli/tests/conversation.rs", "fn a_thread_outlives_the_servers_that_keep_it"),
        ],
    ),
    (
        "a database that is killed under a server loses nothing that was seen",
        &[
            ("tests/outside/tests/threads/faults.rs", "fn conversations_outlive_kills"),
            ("tests/outside/tests/threads/faults.rs", "fn conversations_outlive_lost_acknowledgements"),
        ],
    ),
    (
        "an agent that is made from a request is not run again without one",
        &[(
            "tests/tests/threads/restart.rs",
            "fn an_agent_that_is_made_for_each_request_cannot_be_run_again",
        )],
    ),
    (
        "an append is all or nothing, and happens only at the known end of the log",
        &[
            ("tests/src/thread_conformance/append.rs", "fn records_are_appended_all_or_none"),
            (
                "tests/src/thread_conformance/append.rs",
                "fn an_append_elsewhere_conflicts_and_changes_nothing",
            ),
            ("tests/src/thread_conformance/race.rs", "fn appends_claims_and_trims_are_linearizable"),
        ],
    ),
    (
        "an unknown append is never repeated blindly",
        &[
            ("tests/outside/tests/threads/faults.rs", "fn a_lost_acknowledgement_is_unknown"),
            (
                "tests/tests/threads/acknowledgements.rs",
                "fn an_answer_counts_whose_claim_is_not_acknowledged_again_and_again",
            ),
        ],
    ),
    (
        "a read gives history and then what comes, without a gap",
        &[
            ("tests/src/thread_conformance/wake.rs", "fn no_wake_is_lost"),
            ("tests/tests/threads/attach.rs", "fn a_run_continues_after_the_cursor_of_any_of_its_events"),
        ],
    ),
    (
        "a trim makes one record of the past",
        &[
            ("tests/src/thread_conformance/read.rs", "fn a_trimmed_log_begins_with_its_snapshot"),
            (
                "tests/tests/threads/cursors.rs",
                "fn the_past_of_a_long_thread_is_folded_and_its_cursors_are_gone",
            ),
        ],
    ),
    ("an event reaches a client after its append", &[SIMULATION, POINTS]),
    (
        "of two answers to one question one counts",
        &[
            ("tests/tests/threads/races.rs", "fn of_two_answers_at_once_one_counts"),
            ("tests/outside/tests/threads/races.rs", "fn requests_at_once_on_postgres_have_one_winner"),
            ("tests/outside/tests/threads/races.rs", "fn requests_at_once_on_redis_have_one_winner"),
            ("tests/tests/threads/questions.rs", "fn of_two_answers_at_once_on_two_servers_one_counts"),
            ("tests/tests/threads/questions.rs", "fn a_question_is_answered_once"),
        ],
    ),
    ("a server that was thought dead writes nothing after a takeover", &[SIMULATION, POINTS]),
    ("any node stops a run", &[("tests/tests/threads/manage.rs", "fn a_stop_ends_the_run_wherever_it_is")]),
    (
        "a run whose node died ends with node_lost",
        &[("tests/tests/threads/lost.rs", "fn its_run_ends_with_an_error_and_the_thread_goes_on")],
    ),
    (
        "it is run again only where the agent says so",
        &[("tests/tests/threads/restart.rs", "fn a_call_whose_result_is_missing_runs_again_under_its_key")],
    ),
    (
        "a second run on a busy thread is refused, waits, stops the first, or does so once no client reads it",
        &[
            (
                "tests/tests/threads/busy.rs",
                "fn it_is_refused_until_the_first_has_ended_if_the_server_says_so",
            ),
            ("tests/tests/threads/busy.rs", "fn it_waits_if_the_server_queues_runs"),
            ("tests/tests/threads/busy.rs", "fn it_stops_the_first_if_the_server_says_so"),
            (
                "tests/tests/threads/busy.rs",
                "fn by_default_it_replaces_a_run_whose_client_has_left_or_leaves",
            ),
        ],
    ),
    (
        "a client that leaves ends its run only if the server says so",
        &[
            ("tests/tests/threads/leaving.rs", "fn a_run_goes_on_to_its_end"),
            ("tests/tests/threads/leaving.rs", "fn a_run_is_cancelled_after_a_grace_if_the_server_says_so"),
        ],
    ),
    (
        "frames have ids, and capabilities say that streams can be resumed",
        &[
            (
                "tests/tests/threads/whole.rs",
                "fn a_run_reads_as_without_a_store_and_each_event_has_its_place",
            ),
            ("tests/tests/threads/whole.rs", "fn capabilities_say_that_streams_can_be_resumed"),
        ],
    ),
    (
        "connect gives what there is and what comes; 204 where there is nothing",
        &[
            ("tests/tests/threads/connect.rs", "fn an_empty_thread_has_no_content"),
            ("tests/tests/threads/connect.rs", "fn two_tabs_read_one_run_live"),
            ("tests/tests/threads/connect.rs", "fn events_follow_a_thread_through_all_its_runs"),
        ],
    ),
    (
        "a client that joins in the middle gets a legal beginning",
        &[
            ("tests/tests/threads/joining.rs", "fn after_each_event_the_conversation_is_the_same_in_the_end"),
            ("tests/outside/tests/outside/threads.rs", "fn it_has_the_same_conversation_wherever_it_joins"),
        ],
    ),
    (
        "the input is filled in and checked",
        &[
            (
                "tests/tests/threads/input.rs",
                "fn new_messages_alone_and_whole_histories_are_the_same_conversation",
            ),
            (
                "tests/tests/threads/input.rs",
                "fn a_copy_of_an_answer_that_is_cut_or_changed_is_ignored_and_made_right",
            ),
            (
                "tests/tests/threads/input.rs",
                "fn an_id_that_another_role_has_and_a_result_of_no_open_call_are_refused",
            ),
            ("tests/tests/threads/input.rs", "fn a_run_branches_from_the_end_of_another"),
        ],
    ),
    (
        "malformed, foreign, future, negative and trimmed cursors",
        &[
            ("tests/tests/threads/cursors.rs", "fn a_cursor_of_no_event_of_the_thread_is_refused"),
            ("tests/tests/threads/cursors.rs", "fn a_cursor_of_a_run_that_never_was_starts_nothing"),
            (
                "tests/tests/threads/cursors.rs",
                "fn the_past_of_a_long_thread_is_folded_and_its_cursors_are_gone",
            ),
        ],
    ),
    (
        "a run id that exists with other content",
        &[("tests/tests/threads/attach.rs", "fn a_run_id_with_other_content_is_refused")],
    ),
    (
        "one run id posted twice",
        &[
            ("tests/tests/threads/attach.rs", "fn requests_at_once_with_one_run_id_are_one_run"),
            ("tests/tests/threads/races.rs", "fn one_id_at_once_is_one_run"),
            SIMULATION,
        ],
    ),
    (
        "a store that is slow, full, read-only, gone, comes back",
        &[
            ("tests/tests/thread/sqlite/disk.rs", "fn a_full_disk_is_an_error_until_there_is_room"),
            ("tests/tests/thread/sqlite/disk.rs", "fn a_file_that_cannot_be_written_is_refused"),
            ("tests/tests/thread/sqlite/disk.rs", "fn a_locked_file_is_an_error_until_it_is_free"),
            (
                "tests/outside/tests/threads/postgres/other.rs",
                "fn an_error_of_the_server_is_no_lost_acknowledgement",
            ),
            (
                "tests/outside/tests/threads/redis/other.rs",
                "fn a_server_that_refuses_writes_is_an_error_until_it_takes_them",
            ),
            ("tests/outside/tests/threads/faults.rs", "fn a_server_that_does_not_answer_is_an_error"),
            (
                "tests/tests/threads/away.rs",
                "fn a_run_outlives_a_store_that_has_a_fault_for_less_than_a_lease",
            ),
            (
                "tests/tests/threads/away.rs",
                "fn a_run_whose_store_has_a_fault_for_longer_ends_or_goes_on_when_the_store_is_back",
            ),
        ],
    ),
    (
        "a store without a clear answer is asked with pauses, and not for ever",
        &[
            (
                "tests/tests/threads/away.rs",
                "fn a_store_without_a_clear_answer_is_asked_with_pauses_for_the_time_of_a_lease",
            ),
            ("tests/tests/threads/away.rs", "fn the_appends_of_a_run_without_a_clear_answer_have_pauses"),
        ],
    ),
    (
        "lost runs that cannot be ended hide no other",
        &[
            ("tests/tests/threads/away.rs", "fn lost_runs_that_cannot_be_ended_hide_no_other"),
            (
                "tests/tests/threads/maintenance.rs",
                "fn lost_runs_that_cannot_be_ended_are_not_listed_again_and_again",
            ),
        ],
    ),
    (
        "an agent that may be run again goes on elsewhere, and its calls have their effects once",
        &[
            SIMULATION,
            POINTS,
            KILLED,
            ("tests/tests/threads/restart.rs", "fn a_call_whose_result_is_missing_runs_again_under_its_key"),
            ("tests/tests/threads/away.rs", "fn a_run_that_goes_on_counts_for_its_identity"),
        ],
    ),
    (
        "a client that comes back sees exactly the log",
        &[
            SIMULATION,
            POINTS,
            KILLED,
            ("tests/tests/threads/attach.rs", "fn a_run_continues_after_the_cursor_of_any_of_its_events"),
        ],
    ),
    (
        "older schemas migrate, newer ones are refused",
        &[
            (
                "agui-runtime/src/thread/sqlite/schema.rs",
                "fn a_file_of_an_older_version_gets_the_steps_that_it_lacks",
            ),
            (
                "tests/tests/thread/sqlite/files.rs",
                "fn a_file_of_a_newer_version_is_refused_and_left_as_it_is",
            ),
            ("tests/outside/tests/threads/postgres/schema.rs", "fn tables_of_a_newer_version_are_refused"),
            ("tests/outside/tests/threads/redis/other.rs", "fn keys_of_a_newer_version_are_refused"),
            ("agui-runtime/src/thread/note.rs", "fn members_of_a_newer_version_are_kept"),
            ("agui-runtime/src/thread/note.rs", "fn a_note_of_an_older_version_lacks_members"),
        ],
    ),
    (
        "a thread that cannot be read hides no other in a list",
        &[(
            "tests/tests/threads/manage.rs",
            "fn a_list_names_a_thread_that_cannot_be_read_and_has_the_others",
        )],
    ),
    (
        "a reader that is slower than the trim",
        &[
            ("tests/tests/threads/races.rs", "fn a_reader_slower_than_the_trim_is_cut_off_and_comes_back"),
            (
                "tests/tests/threads/trims.rs",
                "fn a_reader_that_is_slower_than_the_trim_is_cut_off_and_comes_back",
            ),
            (
                "tests/tests/threads/trims.rs",
                "fn a_thread_that_is_trimmed_beyond_a_head_that_was_read_is_read_again",
            ),
        ],
    ),
    (
        "a thread belongs to the identity that made it",
        &[("tests/tests/threads/manage.rs", "fn a_thread_of_another_is_not_found")],
    ),
    (
        "any process may be killed at any time",
        &[
            ("tests/tests/thread/sqlite/kill.rs", "fn acknowledged_appends_outlive_the_process"),
            ("tests/outside/tests/threads/faults.rs", "fn acknowledged_records_outlive_kills"),
            ("tests/outside/tests/threads/cluster.rs", "fn words_on_the_screen_outlive_their_nodes"),
            KILLED,
            (
                "tests/outside/tests/threads/killed.rs",
                "fn a_process_on_postgres_that_is_killed_at_any_write_loses_and_repeats_nothing",
            ),
            (
                "tests/outside/tests/threads/killed.rs",
                "fn a_process_on_redis_that_is_killed_at_any_write_loses_and_repeats_nothing",
            ),
        ],
    ),
    // Defects of other implementations.
    ("resumable-stream 47: a lost terminal event hangs the reader for ever", &[SIMULATION, POINTS]),
    (
        "mastra 18148: duplicates where replay meets live",
        &[
            ("tests/tests/threads/attach.rs", "fn a_run_continues_after_the_cursor_of_any_of_its_events"),
            SIMULATION,
        ],
    ),
    (
        "langgraph 8112: ids that repeat within a millisecond",
        &[("tests/src/thread_conformance/append.rs", "fn many_records_go_at_once"), SIMULATION],
    ),
    (
        "deer-flow 4011: `Last-Event-ID: -1` replays everything",
        &[("tests/tests/threads/cursors.rs", "fn a_cursor_of_no_event_of_the_thread_is_refused")],
    ),
    (
        "mastra 19122: a restart of the engine breaks the process",
        &[("tests/outside/tests/threads/faults.rs", "fn readers_are_woken_after_a_restart")],
    ),
    (
        "mastra 22477: five round trips per token",
        &[("tests/tests/threads/acknowledgements.rs", "fn many_events_share_an_append")],
    ),
    (
        "OpenHands sdk 3842: a stale lease blocks recovery",
        &[
            ("tests/src/thread_conformance/lease.rs", "fn a_lease_runs_out"),
            (
                "tests/tests/threads/lost.rs",
                "fn a_run_that_waits_for_the_thread_begins_when_the_lost_one_has_ended",
            ),
        ],
    ),
    ("mastra 19191: runs that run for ever", &[SIMULATION, POINTS]),
    (
        "agent-framework 7230: a disconnect kills run, snapshot and pending approval",
        &[
            ("tests/tests/threads/leaving.rs", "fn a_run_goes_on_to_its_end"),
            ("tests/tests/threads/questions.rs", "fn a_question_survives_its_server"),
        ],
    ),
    ("trpc-agent-go 2428: a failed write suppresses the terminal event", &[POINTS]),
    (
        "agent-framework 7458: an approval is consumed, then lost on failure",
        &[
            (
                "tests/tests/threads/acknowledgements.rs",
                "fn an_answer_counts_though_the_store_is_away_after_its_claim",
            ),
            ("tests/tests/threads/questions.rs", "fn a_question_stays_open_while_other_runs_fail"),
        ],
    ),
];

#[test]
fn each_requirement_is_shown_by_tests_that_exist() {
    assert_shown(ROWS);
}
