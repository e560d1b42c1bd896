//! A program that prints a manifest without agents.

#[agui_runtime::main]
async fn main() {
    println!("main ran");
}
