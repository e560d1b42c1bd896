import { z } from "{{module}}"; //+has_schemas
import { {{support}} } from "../_zod.js"; //?support
import type * as types from "./types.js"; //?types
//+types

{{doc}}
export const {{statement}};
//-types
//+state

/** The shared state: `written` by the agent, `read` by the agent. */
export const state = {
  written: {{written}},
  read: {{read}},
};
//-state

/** The arguments and the answer of each tool, by name. */
export const tools = {}; //!tools
export const tools = { //?tools
//+tools
  {{doc}}
  {{key}}: {
    parameters: {{parameters}},
    result: {{result}}, //?result
  },
//-tools
}; //?tools

/** The value of each custom event, by name. */
export const events = {}; //!events
export const events = { //?events
//+events
  {{doc}}
  {{key}}: {{schema}},
//-events
}; //?events
//+asks

/** The payload and the response of each interrupt, by reason. */
export const interrupts = {
//+interrupts
  {{doc}}
  {{key}}: {
    payload: {{payload}},
    response: {{response}},
  },
//-interrupts
};
//-asks
//+shows

/** The content of each activity, by type. */
export const activities = {
//+activities
  {{doc}}
  {{key}}: {{schema}},
//-activities
};
//-shows
//?result

/** The result of a run. */
export const result = {{result}};
//-result
//?forwarded

/** The props that a run may forward to the agent. */
export const forwardedProps = {{forwarded}};
//-forwarded
