// The providers' own translations of schemas into their strict subsets: a list of schemas on standard input, and for each an
// object on standard output with the translation, or the reason why there is none. The argument is the provider.
import { readFileSync } from "node:fs";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import { toStrictJsonSchema } from "openai/lib/transform";

const translate = { anthropic: transformJSONSchema, openai: toStrictJsonSchema }[process.argv[2]];
const attempt = (schema) => {
  try {
    return { schema: translate(schema) };
  } catch (error) {
    return { reason: error.message };
  }
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(attempt)));
