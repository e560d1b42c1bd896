//! The table of `#[tool]` in the design: the test that shows each row. A row whose test is gone fails here.
//!
//! Six of its requirements are decided otherwise. An agent has no type parameters, because its clients are made from one type: the docs of
//! `agent` show a trait object instead. There is no key `local` for tools whose future is not `Send`, because a
//! run moves between threads: the docs of `tool` say what to write instead. There is no parameter for cancellation, because a
//! call is cancelled by dropping its future. There is no key `dialect`, because the model decides it. A parameter without a doc
//! comment is an error with `docs = "deny"` and no warning otherwise. The root of the arguments is checked when a server is
//! built, and not when the program is compiled: see the docs of `tool`.

use agui_tests::rows::{Row, assert_shown};

const ROWS: &[Row] = &[
    (
        "plain function or method, arguments as parameters",
        &[
            ("agui-macros/src/expansions/tools.rs", "tool_backend"),
            ("tests/tests/tool/default.rs", "fn a_method_has_defaults_too"),
        ],
    ),
    (
        "doc comment on the function, on each parameter",
        &[
            ("agui-macros/src/attr/docs.rs", "fn lines_keep_blank_lines_lists_and_links"),
            ("tests/compile-fail/tests/ui/tool/docs_denied.rs", "docs"),
        ],
    ),
    (
        "any parameter type with `Deserialize + JsonSchema`",
        &[
            ("agui-runtime/src/manifest/type_source.rs", "fn a_root_is_what_schemars_makes_of_the_type"),
            (
                "tests/tests/mcp/describe.rs",
                "fn nested_types_are_definitions_and_results_have_the_form_that_serde_writes",
            ),
            ("tests/compile-fail/tests/ui/tool/parameter_without_a_schema.rs", "tool"),
        ],
    ),
    (
        "`Option<T>`, `#[serde(default)]`, `#[tool(default = …)]` on a parameter",
        &[
            (
                "tests/tests/tool/default.rs",
                "fn an_argument_with_a_default_is_optional_and_the_schema_states_it",
            ),
            ("tests/tests/tool/default.rs", "fn an_argument_that_is_left_out_has_its_default"),
            ("tests/compile-fail/tests/ui/tool/default_twice.rs", "default"),
        ],
    ),
    (
        "`-> T`, `-> Result<T, E>`, any alias of it, `impl Stream` of partial output",
        &[
            ("tests/tests/macros/main.rs", "fn an_alias_of_result_is_a_result"),
            ("tests/compile-fail/tests/ui/tool/returns_no_json_in_a_result.rs", "Result"),
            ("tests/tests/tool/streams.rs", "fn the_page_sees_each_item_and_the_model_the_list"),
            ("tests/tests/tool/streams.rs", "fn the_first_error_ends_the_call"),
            ("tests/compile-fail/tests/ui/tool/stream_of_an_alias_of_result.rs", "Found"),
        ],
    ),
    (
        "output schema from the serialize contract",
        &[(
            "tests/tests/mcp/describe.rs",
            "fn nested_types_are_definitions_and_results_have_the_form_that_serde_writes",
        )],
    ),
    (
        "generics on the impl, where the concrete tool is named; other agents borrow trait objects",
        &[
            ("tests/tests/flow/by_name.rs", "fn a_call_by_name_chooses_the_tool_of_that_name"),
            ("tests/compile-fail/tests/ui/agent/generic.stderr", "borrow an `Arc<dyn …>` for what differs"),
            ("tests/compile-fail/tests/ui/agent/block_with_parameters.stderr", "name the type"),
            ("tests/compile-fail/tests/ui/tool/generic.rs", "tool"),
        ],
    ),
    (
        "parameters by reference, resolved by type at compile time",
        &[("tests/compile-fail/tests/ui/agent/tool_wants_a_dependency_the_agent_has_not.rs", "tool")],
    ),
    (
        "`async` or not",
        &[
            ("agui-macros/src/expansions/tools.rs", "tool_sync_without_arguments"),
            ("tests/compile-fail/tests/ui/tool/not_send.rs", "tool"),
        ],
    ),
    (
        "keys of one table",
        &[
            ("tests/compile-fail/tests/ui/tool/option_misspelt.rs", "fronted"),
            ("tests/compile-fail/tests/ui/tool/option_twice.rs", "tool"),
            ("tests/compile-fail/tests/ui/tool/option_of_the_tool_on_a_parameter.rs", "name"),
            ("tests/compile-fail/tests/ui/tool/hints_that_exclude_each_other.rs", "read_only"),
            ("tests/compile-fail/tests/ui/tool/frontend_with_approval.rs", "approval"),
            ("tests/tests/tool/annotations.rs", "fn the_manifest_has_the_annotations_that_are_given"),
            ("tests/tests/tool/annotations.rs", "fn capabilities_have_them_as_metadata_of_backend_tools"),
            (
                "tests/tests/tool/limits.rs",
                "fn a_call_that_takes_too_long_is_answered_and_its_future_dropped",
            ),
        ],
    ),
    (
        "at compile time: names, descriptions, bodies",
        &[
            ("tests/compile-fail/tests/ui/agent/two_tools_of_one_name.rs", "name"),
            ("tests/compile-fail/tests/ui/tool/name_no_provider_takes.rs", "name"),
            ("tests/compile-fail/tests/ui/tool/name_too_long.rs", "name"),
            ("tests/compile-fail/tests/ui/tool/name_that_is_reserved.rs", "final_result"),
            ("tests/compile-fail/tests/ui/tool/no_description.rs", "tool"),
            ("tests/compile-fail/tests/ui/tool/description_too_long.rs", "tool"),
            ("tests/compile-fail/tests/ui/tool/docs_denied.rs", "deny"),
            ("tests/compile-fail/tests/ui/tool/frontend_with_a_body.rs", "frontend"),
            ("tests/compile-fail/tests/ui/tool/backend_without_a_body.rs", "tool"),
        ],
    ),
    (
        "before a server starts: the root of the schema is an object",
        &[
            (
                "tests/tests/tool/root.rs",
                "fn a_server_does_not_start_with_a_tool_whose_arguments_are_alternatives",
            ),
            (
                "tests/tests/mcp/root.rs",
                "fn an_mcp_server_does_not_serve_a_tool_whose_arguments_are_alternatives",
            ),
            ("tests/tests/tool/root.rs", "fn a_flattened_struct_and_the_tools_of_a_page_are_accepted"),
        ],
    ),
    (
        "at call time: a bad argument goes back to the model",
        &[
            (
                "tests/tests/tool/bounds.rs",
                "fn a_wrong_argument_is_answered_with_place_expectation_and_value",
            ),
            ("tests/tests/tool/bounds.rs", "fn an_argument_outside_of_its_bounds_goes_back_to_the_model"),
            ("tests/tests/tool/bounds.rs", "fn edited_arguments_have_the_same_bounds"),
            ("tests/tests/model/limits.rs", "fn bad_calls_in_a_row"),
        ],
    ),
    (
        "at call time: an error of the tool is a result, unless it says it is fatal; a panic fails that call alone",
        &[
            (
                "tests/tests/model/approvals.rs",
                "fn an_error_of_the_tool_is_a_result_unless_it_says_it_is_fatal",
            ),
            ("tests/tests/model/turns.rs", "fn the_error_of_a_tool_is_a_result"),
            ("tests/tests/model/approvals.rs", "fn a_tool_that_panics_fails_its_call_alone"),
            ("tests/tests/model/dyn_tools.rs", "fn a_panic_fails_that_call_alone"),
        ],
    ),
    (
        "at call time: results larger than a limit are refused",
        &[
            ("tests/tests/tool/limits.rs", "fn a_result_above_the_limit_is_refused_and_not_cut"),
            ("tests/tests/tool/limits.rs", "fn every_tool_has_a_limit"),
        ],
    ),
];

#[test]
fn every_row_has_its_tests() {
    assert_shown(ROWS);
}
