//! The expansions of `#[derive(State)]`.

use quote::quote;

use super::state;

#[test]
fn states() {
    state(
        "state_struct",
        quote! {
            struct Recipe {
                title: String,
                #[state(key = "id")]
                steps: Vec<Step>,
                #[state(opaque)]
                photo: Photo,
                #[serde(skip)]
                cache: Cache,
            }
        },
    );
    state(
        "state_generic",
        quote!(
            struct Page<T: Ord, U>
            where
                U: Copy,
            {
                items: BTreeSet<T>,
                #[state(opaque)]
                next: U,
            }
        ),
    );
    state(
        "state_unit_enum",
        quote!(
            #[serde(rename_all = "camelCase")]
            enum Course {
                Starter,
                Main,
            }
        ),
    );
    state(
        "state_tagged_enum",
        quote!(
            #[serde(tag = "type")]
            enum Step {
                Wait,
                Stir { minutes: u32 },
            }
        ),
    );
    state(
        "state_presence_and_flatten",
        quote! {
            #[serde(rename_all = "camelCase")]
            struct Recipe {
                #[serde(skip_serializing_if = "Option::is_none", rename = "a/b")]
                first_note: Option<String>,
                #[serde(flatten)]
                rest: BTreeMap<String, u32>,
            }
        },
    );
    state(
        "state_live",
        quote! {
            #[state(live, exact)]
            pub struct Doc {
                pub version: u32,
                #[state(key = "id")]
                sections: Vec<Section>,
                #[serde(skip)]
                cache: Cache,
            }
        },
    );
    state(
        "state_external_enum",
        quote!(
            #[serde(rename_all = "snake_case")]
            enum Shape {
                NoShape,
                Circle(Circle),
                Line(u8, u8),
                Named {
                    name: String,
                },
                #[serde(skip)]
                Unknown,
            }
        ),
    );
    state(
        "state_adjacent_enum",
        quote!(
            #[serde(tag = "t", content = "c")]
            enum Shape {
                Nothing,
                Circle(Circle),
            }
        ),
    );
    state(
        "state_untagged_enum",
        quote!(
            #[serde(untagged)]
            enum Shape {
                Nothing,
                Text(String),
                Named { name: String },
            }
        ),
    );
    state(
        "state_by_hand",
        quote! {
            struct Price {
                #[serde(with = "cents")]
                #[schemars(with = "String")]
                cents: u32,
                #[serde(with = "agui_runtime::as_string::<u64>")]
                id: u64,
            }
        },
    );
    state(
        "state_opaque",
        quote!(
            #[serde(into = "String")]
            struct Celsius {
                tenths: i32,
            }
        ),
    );
    state(
        "state_tuple",
        quote!(
            struct Point(i32, Option<String>);
        ),
    );
    state(
        "state_newtype",
        quote!(
            struct RecipeId(String);
        ),
    );
    state(
        "state_with_mistakes",
        quote!(
            struct Recipe<'a> {
                title: &'a str,
            }
        ),
    );
}
