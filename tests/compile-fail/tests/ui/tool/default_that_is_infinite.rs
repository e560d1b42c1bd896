#![allow(unused)]

use agui_runtime::prelude::*;

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Span {
    to: f64,
}

/// Measures.
#[tool]
async fn measure(
    #[tool(default = f64::INFINITY)] most: f64,
    #[tool(default = -std::f32::NEG_INFINITY)] least: f32,
    #[tool(default = Some(f64::NAN))] some: Option<f64>,
    #[tool(default = Span { to: 1.0 / 0.0 })] span: Span,
) -> u32 {
    0
}

/// Measures.
#[agent(tools = [measure])]
async fn surveyor(run: &mut Run<Surveyor>, input: Input<Surveyor>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
