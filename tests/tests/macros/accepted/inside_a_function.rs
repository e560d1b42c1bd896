use agui_runtime::prelude::*;

fn main() {
    /// Counts.
    #[tool]
    fn price<'a>(_shop: &'a u32, mut name: String, r#type: Option<String>) -> usize {
        name.push_str(r#type.as_deref().unwrap_or_default());
        name.len()
    }

    #[agent(tools = [price])]
    async fn cook(_: &mut Run<Cook>, _: Input<Cook>, _near: &u32) -> Result<(), Stop> {
        Ok(())
    }

    let _ = Cook::new(3);
}
