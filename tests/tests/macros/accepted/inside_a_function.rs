//! Inside a function, with names that are keywords and unused names.

use agui_runtime::prelude::*;

#[test]
fn it_is_an_agent_with_its_tool() {
    /// Counts.
    #[tool]
    #[allow(clippy::needless_lifetimes, clippy::needless_pass_by_value)]
    fn price<'a>(_shop: &'a u32, mut name: String, r#type: Option<String>) -> usize {
        name.push_str(r#type.as_deref().unwrap_or_default());
        name.len()
    }

    #[agent(tools = [price])]
    async fn inner(_: &mut Run<Inner>, _: Input<Inner>, _near: &u32) -> Result<(), Stop> {
        Ok(())
    }

    assert_eq!(super::tools_of(&Inner::new(3)), ["price"]);
    let called = serde_json::to_value(price { name: "rice".into(), r#type: None }).unwrap();
    assert_eq!(called["name"], "rice");
    assert!(called.get("type").is_some(), "a keyword is the name of an argument");
}
