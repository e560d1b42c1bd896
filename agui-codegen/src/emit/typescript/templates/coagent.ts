import { useCoAgent } from "@copilotkit/react-core";
import { fitting } from "../_support.js";
import { AGENT, state } from "./agent.js";
import type * as types from "./types.js"; //+has_types

/**
 * The agent of the surrounding provider. Its `state` is `undefined` if it does not (yet) fit its
 * type.
 */
export function use{{base}}Agent(initialState?: {{read}}) {
  const agent = useCoAgent<{{written}} | undefined>({ name: AGENT, initialState });
  return {
    ...agent,
    state: fitting(state.written, agent.state),
    setState: (next: {{read}}): void => {
      agent.setState(next as {{written}});
    },
  };
}
