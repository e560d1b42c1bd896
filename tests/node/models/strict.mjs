// Anthropic's own translation of schemas into its strict subset: a list of schemas on standard input, and the same list
// translated on standard output.
import { readFileSync } from "node:fs";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(transformJSONSchema)));
