#![allow(missing_docs)]
mod cases;
#[test]
fn dump() {
    for case in cases::all() {
        let manifest = case.manifest();
        println!("{}", manifest.to_json());
        match agui_codegen::lower::lower(&manifest) { Ok(api) => println!("{:#?}", api.agents[0].types), Err(e) => println!("ERR {e}") }
        for shape in &case.shapes {
            let read: &Vec<_> = if shape.read.is_empty() { &shape.written } else { &shape.read };
            for v in read { if let Err(e) = (shape.round_trip)(&v.to_string()) { println!("BADREAD {} {} {v} {e}", case.name, shape.name) } }
            for v in &shape.refused { if let Ok(e) = (shape.round_trip)(&v.to_string()) { println!("NOTREFUSED {} {} {v} {e}", case.name, shape.name) } }
        }
    }
}
