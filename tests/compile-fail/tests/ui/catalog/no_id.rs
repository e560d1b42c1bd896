//! A catalog that pages cannot name.

use agui_runtime::a2ui::Catalog;

#[derive(Catalog)]
#[catalog(components = [])]
struct Shop;

fn main() {}
