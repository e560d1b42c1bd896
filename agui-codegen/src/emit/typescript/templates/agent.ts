import { {{imports}} } from "../_schema.js"; //+has_schemas
import type * as types from "./types.js"; //+has_types
//+has_schemas

//-has_schemas
{{doc}}
export const AGENT = {{name}};

/** The version of the package that defines the agent. */
export const VERSION = {{version}};

/** The hash of all JSON that travels; descriptions and order do not change it. */
export const MANIFEST_HASH =
  {{hash}};

/** The arguments of each tool. */
export type ToolArgs = Record<never, never>; //!arguments
export type ToolArgs = { //?arguments
  {{key}}: {{type}}; //+arguments
}; //?arguments

/** The answer of each tool. */
export type ToolResults = Record<never, never>; //!results
export type ToolResults = { //?results
  {{key}}: {{type}}; //+results
}; //?results

/** The tools that run in the agent. */
export type BackendToolName ={{backend}};

/** The tools that run in the user interface. */
export type FrontendToolName ={{frontend}};

/** The value of each custom event. */
export type Events = Record<never, never>; //!events
export type Events = { //?events
  {{member}}: {{type}}; //+events
}; //?events
//+asks

/** The payload and the response of each interrupt, by reason. */
export type Interrupts = {
//+interrupts
  {{member}}: {
    payload: {{payload}};
    response: {{response}};
  };
//-interrupts
};
//-asks
//+shows

/** The content of each activity, by type. */
export type Activities = {
  {{member}}: {{type}}; //+activities
};
//-shows
//+result

/** The result of a run. */
export type Result = {{type}};
//-result
//+forwarded

/** The props that a run may forward to the agent. */
export type ForwardedProps = {{type}};
//-forwarded
//+definitions

/** The named types that the agent {{use}}. */
const {{name}}: Definitions = {{value}};
//-definitions
//+state

/** The shared state: `written` by the agent, `read` by the agent. */
export const state = {
  written: {{written}},
  read: {{read}},
} as const;
//-state

/** The tools, by name. */
export const tools = {} as const; //!tools
export const tools = { //?tools
//+tools
  {{doc}}
  {{key}}: {
    name: {{name}},
    side: {{side}},
    description: {{description}},
    parameters: {{parameters}},
    title: {{title}}, //?title
    annotations: { {{hints}} }, //?hints
    result: {{result}}, //?result
  },
//-tools
} as const; //?tools

/** The custom events, by name. */
export const events = {} as const; //!events
export const events = { //?events
//+events
  {{doc}}
  {{key}}: {
    name: {{name}},
    value: {{schema}},
  },
//-events
} as const; //?events
//+asks

/** The interrupts that stop a run, by reason. */
export const interrupts = {
//+interrupts
  {{doc}}
  {{key}}: {
    reason: {{reason}},
    message: {{message}}, //?message
    payload: {{payload_schema}},
    response: {{response_schema}},
  },
//-interrupts
} as const;
//-asks
//+shows

/** The activities, by type. */
export const activities = {
//+activities
  {{doc}}
  {{key}}: {
    type: {{name}},
    content: {{schema}},
  },
//-activities
} as const;
//-shows
//+result

/** The result of a run. */
export const result = {{schema}};
//-result
//+forwarded

/** The props that a run may forward to the agent. */
export const forwardedProps = {{schema}};
//-forwarded
