//! The choices of options and of the file, and their precedence.

use std::fs;

use super::{ANSWERS, cases, folder, generate, kitchen, run, workspace};

/// The header repeats the choices of the command line, so that the same files can be generated again.
#[test]
fn choices_are_generated_and_repeated_in_the_header() {
    let folder = folder("choices");
    fs::write(folder.join("agui.manifest.json"), kitchen()).unwrap();
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let chosen = [
        "--zod",
        "v4",
        "--single-file",
        "--react",
        "v2",
        "--python-enum",
        "str_enum",
        "--ints",
        "refuse",
        "--rename",
        "Recipe=Dish",
        "--rename",
        "RecipeInput=DishInput",
    ];
    generate(&folder, &chosen)
        .assert(0, &["wrote web/agui/kitchen/index.ts", "wrote web/agui/kitchen/zod.ts"]);
    assert!(!folder.join("web/agui/_support.ts").exists(), "all of it is in one file");
    let module = read("web/agui/kitchen/index.ts");
    assert!(module.contains("export type Dish = {") && !module.contains("Recipe ="), "{module}");
    assert!(module.contains("$ref: \"#/$defs/Recipe\""), "what travels keeps its name");
    assert!(read("client/agui/kitchen/types.py").contains("class Difficulty(str, Enum):"));
    let again = module.lines().nth(2).unwrap().rsplit_once("agui-codegen ").unwrap().1;
    let again: Vec<&str> = again.split(' ').chain(["--check"]).collect();
    run(&folder, &again)
        .assert(0, &["TypeScript in web/agui is up to date", "Python in client/agui is up to date"]);

    generate(&folder, &["--python-style", "typeddict"]).assert(0, &["removed client/agui/_model.py"]);
    assert!(read("client/agui/kitchen/types.py").contains("class Recipe(TypedDict):"));
    assert!(!folder.join("client/agui/kitchen/client.py").exists());

    for (wrong, said) in [
        (
            ["--rename", "Recipes=Dish"],
            "`rename` names the type `Recipes`, which no agent has; there are AskName",
        ),
        (
            ["--rename", "Recipe=Unit"],
            "gives the name `Unit`, which another type of agent `kitchen` has already",
        ),
        (["--rename", "Recipe=my dish"], "gives the name `my dish`, which is not a valid name of a type"),
        (["--agent", "chef"], "there is no agent `chef`; there are kitchen"),
        (["--brand", "Recipe"], "neither a string nor a number"),
        (["--format", "uuid=Unit"], "`formats` gives the name `Unit`"),
        (["--zod", "v5"], "[possible values: v3, v4]"),
        (["--ints", "bigint"], "[possible values: number, silent, refuse]"),
    ] {
        generate(&folder, &wrong).assert(2, &[said]);
    }
    generate(&folder, &["--python-style", "typeddict", "--python-enum", "str_enum"])
        .assert(2, &["a string stays a string"]);
    run(&folder, &["generate", "--manifest", "agui.manifest.json", "--schemas", "s", "--zod", "v4"])
        .assert(2, &["`--zod` is for TypeScript, which is not generated: add `--ts DIR`"]);
}

#[test]
fn wide_integers_are_warned_of_or_refused() {
    let folder = folder("integers");
    let numbers = cases::all().into_iter().find(|case| case.name == "numbers").unwrap().manifest().to_json();
    fs::write(folder.join("agui.manifest.json"), numbers).unwrap();
    let warned = generate(&folder, &[]);
    warned.assert(0, &["warning: type `Numbers` at", "are 64-bit integers"]);
    assert!(warned.err.contains("warning: ") && !warned.out.contains("warning"), "{}", warned.out);
    let silent = generate(&folder, &["--ints", "silent"]);
    assert!(silent.code == 0 && !silent.said.contains("warning"), "{}", silent.said);
    generate(&folder, &["--ints", "refuse"])
        .assert(2, &["`ints` refuses 64-bit integers", "agui_runtime::as_string", "\n  type `Numbers` at"]);
}

/// The name in the generated code is the new one.
#[test]
fn a_brand_is_named_as_the_type_is_generated() {
    let folder = folder("brand");
    let matrix = cases::all().into_iter().find(|case| case.name == "matrix").unwrap().manifest().to_json();
    fs::write(folder.join("agui.manifest.json"), matrix).unwrap();
    generate(&folder, &["--rename", "Newtype=UserId", "--brand", "UserId"]).assert(0, &["types.ts"]);
    let types = fs::read_to_string(folder.join("web/agui/matrix/types.ts")).unwrap();
    assert!(types.contains("export function UserId(") || types.contains("export const UserId"), "{types}");
    generate(&folder, &["--rename", "Newtype=UserId", "--brand", "Newtype"])
        .assert(2, &["`brand` names the type `Newtype`, which no agent has", "UserId"]);
}

/// An option overrides the file, and the file overrides the default.
#[test]
fn an_option_goes_before_the_file() {
    let folder = workspace("precedence", &[("answers", ANSWERS), ("hotel", ANSWERS)]);
    let package = folder.join("answers");
    fs::write(package.join("src/manifest.json"), kitchen()).unwrap();
    let file = "python = \"client\"\nreact = \"v2\"\n[ts]\nout = \"web\"\nzod = \"v4\"\nsingle_file = true\n\
                [names]\nrename = { Recipe = \"Dish\", RecipeInput = \"DishInput\" }\n";
    fs::write(package.join("agui-codegen.toml"), file).unwrap();
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_default();
    let generate = |more: &[&str]| run(&folder, &[&["generate", "-p", "answers"], more].concat());

    // The option changes the folder, and no other setting.
    generate(&["--ts", "here"]).assert(0, &["wrote here/kitchen/index.ts", "wrote here/kitchen/react.ts"]);
    assert!(read("here/kitchen/index.ts").contains("export type Dish = {"));
    assert!(read("here/kitchen/zod.ts").contains("\"zod/v4\""));
    assert!(
        read("here/kitchen/zod.ts").contains("// Regenerate: agui-codegen generate -p answers --ts here\n")
    );
    assert!(
        !package.join("web").exists() && !package.join("client").exists(),
        "files that were not requested"
    );

    // A chain of options.
    let options = ["--ts", "here", "--zod", "v3", "--single-file", "false", "--react", "v1"];
    generate(&options).assert(0, &["wrote here/kitchen/types.ts", "removed here/kitchen/index.ts"]);
    assert!(read("here/kitchen/zod.ts").contains("\"zod/v3\""));
    assert!(read("here/kitchen/types.ts").contains("export type Dish = {"));
    assert!(!read("here/kitchen/react.ts").contains("react-core/v2"));
    let said = read("here/kitchen/types.ts");
    let again = said.lines().nth(2).unwrap().rsplit_once("agui-codegen ").unwrap().1;
    let again: Vec<&str> = again.split(' ').chain(["--check"]).collect();
    run(&folder, &again).assert(0, &["TypeScript in here is up to date"]);
    let python = ["--python", "snake", "--python-style", "typeddict"];
    generate(&python).assert(0, &["wrote snake/kitchen/types.py"]);
    assert!(read("snake/kitchen/types.py").contains("class Dish(TypedDict):"));

    // A list replaces a list, and the folders come from the file.
    let renamed = ["--rename", "Recipe=Meal", "--python-enum", "str_enum"];
    generate(&renamed).assert(0, &["answers/web/kitchen/index.ts", "answers/client/kitchen/types.py"]);
    let module = read("answers/web/kitchen/index.ts");
    assert!(module.contains("export type Meal = {") && module.contains("export type RecipeInput = {"));
    assert!(read("answers/client/kitchen/types.py").contains("class Difficulty(str, Enum):"));
    let header = "agui-codegen generate -p answers --python-enum str_enum --rename Recipe=Meal\n";
    assert!(module.contains(&format!("// Regenerate: {header}")), "{module}");

    // A file without folders.
    fs::write(package.join("agui-codegen.toml"), "bin = \"answers\"\n").unwrap();
    generate(&[])
        .assert(2, &["has no folder", "add `ts = \"DIR\"`, `python = \"DIR\"` or `schemas = \"DIR\"`"]);
    generate(&["--ts", "here"]).assert(0, &["here"]);
    generate(&["--ts", "here", "--python-style", "typeddict"])
        .assert(2, &["`--python-style` is for Python, which is not generated"]);

    // Two files with one folder.
    let other = kitchen().replace("\"kitchen\"", "\"porter\"").replace("\"cases\"", "\"hotel\"");
    fs::write(folder.join("hotel/src/manifest.json"), other).unwrap();
    fs::write(package.join("agui-codegen.toml"), "[ts]\nout = \"web\"\nzod = \"v4\"\n").unwrap();
    let both = ["-p", "hotel", "--ts", "both"];
    generate(&both).assert(2, &["`answers` and `hotel` are generated into one folder", "has other options"]);
    generate(&[&both[..], &["--zod", "v3"]].concat())
        .assert(0, &["both/porter/zod.ts", "both/kitchen/zod.ts"]);
}
