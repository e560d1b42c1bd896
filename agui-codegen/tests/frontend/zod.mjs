// The tools of a page, declared with Zod as CopilotKit's users do. Zod makes the JSON Schemas beside this file of them.
// Run it with Zod's name of a JSON Schema draft: `draft-7` or `draft-2020-12`.
import * as z from "zod/v4";

const place = z.object({ lat: z.number().min(-90).max(90), lng: z.number() }).meta({ id: "Place" });

const comment = z.object({
  text: z.string(),
  get replies() {
    return z.array(comment).optional();
  },
});

const tools = [
  {
    name: "show_map",
    description: "Shows a map of places.\n\nIt opens beside the conversation.",
    parameters: z.object({
      center: place.describe("Where the map opens"),
      zoom: z.int().min(1).max(20).optional().describe("1 is the world"),
      style: z.enum(["streets", "satellite", "dark-mode"]).default("streets"),
      markers: z
        .array(
          z.object({
            at: place,
            label: z.string().max(40).nullable(),
            icon: z.union([z.literal("pin"), z.literal("flag"), z.number()]).optional(),
          }),
        )
        .min(1),
      bounds: z.tuple([z.number(), z.number(), z.string()]).optional(),
      layers: z.record(z.string(), z.boolean()).optional(),
    }),
  },
  {
    name: "pickPayment",
    description: "Asks how to pay: cash, card or \"later\". */ No comment ends here, `code` neither: ```rust\nfail!()\n```",
    parameters: z.object({
      method: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("cash") }),
        z.object({ kind: z.literal("card"), last4: z.string().regex(/^[0-9]{4}$/), expires: z.iso.date() }),
        z.object({ kind: z.literal("later"), until: z.iso.datetime(), mail: z.email().optional() }),
      ]),
      amount: z.object({ cents: z.int().nonnegative(), currency: z.literal("EUR") }),
    }),
  },
  {
    name: "type",
    description: "Types a text, the way a person does.",
    parameters: z.object({
      type: z.string().min(1),
      self: z.boolean(),
      "aria-label": z.string().optional(),
      async: z.string().optional(),
      $ref: z.string().optional(),
      "größe 2": z.number().optional(),
    }),
  },
  { name: "showMap", description: "Collides with another.", parameters: z.object({}) },
  { name: "show-map", description: "", parameters: z.looseObject({ title: z.string() }) },
  {
    name: "add_comment",
    description: "Adds a comment with its replies.",
    parameters: z.object({ comment }),
  },
  {
    name: "plot",
    description: "Draws a diagram.",
    parameters: z.object({
      series: z.array(z.tuple([z.number(), z.number()])),
      color: z.enum(["red", "green"]).nullable(),
      label: z.union([z.string(), z.number(), z.boolean(), z.null()]),
      options: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number().optional() })),
      either: z.union([z.object({ from: z.string() }), z.object({ to: z.string(), by: z.number() })]),
      anything: z.any(),
      nothing: z.null(),
      perColor: z.partialRecord(z.enum(["red", "green"]), z.number()),
    }),
  },
];

const target = process.argv[2];
const said = tools.map((tool) => ({ ...tool, parameters: z.toJSONSchema(tool.parameters, { target, io: "input" }) }));
process.stdout.write(`${JSON.stringify(said, null, 2)}\n`);
