//! A program that may be asked for its agents and knows none.

#[agui_runtime::main]
async fn main() {
    println!("main ran");
}
