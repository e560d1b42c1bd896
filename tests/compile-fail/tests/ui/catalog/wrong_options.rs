//! Options of a catalog that are misspelt, empty, doubled and of another form.

use agui_runtime::a2ui::Catalog;

#[derive(Catalog)]
#[catalog(id = "", components = [Label, Label, Surface], functions = [Count, Count -> u32], funktions = [])]
struct Shop;

#[derive(Catalog)]
#[catalog(id = "https://shop.example/catalog.json", components = Label)]
struct Second;

#[derive(Catalog)]
#[catalog(id = "https://shop.example/catalog.json")]
struct Third<T>(T);

struct Label;
struct Surface;
struct Count;

fn main() {}
