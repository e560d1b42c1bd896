import { schema } from "../_schema.js"; //?has_functions
import { {{imports}} } from "../_surfaces.js";
//+catalogs

{{doc}}
export type {{catalog}} = {
  /** The components that the page draws. */
  components: Record<never, never>; //!components
  components: { //?components
//+components
    {{doc}}
    {{key}}: {
      props: {{props}};
      bound: {{bound}};
    };
//-components
  }; //?components
  /** The functions that the page has. */
  functions: Record<never, never>; //!functions
  functions: { //?functions
//+functions
    {{doc}}
    {{key}}: {
      args: {{args}};
      value: {{value}};
    };
//-functions
  }; //?functions
  /** The functions that the agent has. */
  agentFunctions: Record<never, never>; //!agent_functions
  agentFunctions: { //?agent_functions
//+agent_functions
    {{doc}}
    {{key}}: {
      args: {{args}};
      value: {{value}};
    };
//-agent_functions
  }; //?agent_functions
};

/** The catalog {{catalog}}, for renderers and for calls of functions. */
export const {{constant}}: Catalog<{{catalog}}> = {
  id: {{id}},
  definition: {{definition}},
  functions: {}, //!functions
  functions: { //?functions
//+functions
    {{object_key}}: {
      args: {{args_schema}},
      value: {{value_schema}}, //?value_schema
    },
//-functions
  }, //?functions
  agentFunctions: {}, //!agent_functions
  agentFunctions: { //?agent_functions
//+agent_functions
    {{object_key}}: {
      args: {{args_schema}},
      value: {{value_schema}}, //?value_schema
    },
//-agent_functions
  }, //?agent_functions
};
//-catalogs
