import { type ReactFrontendTool, type UseAgentUpdate, useHumanInTheLoop, useRenderTool } from "@copilotkit/react-core/v2";
import type { ReactElement } from "react";
import type { Schema } from "./_schema.js";
import { answer, failureOf, readContent, type ToolCallInfo, type ToolContract, writeContent } from "./_support.js";

/** The options of when a component renders again. */
export type AgentOptions = {
  readonly updates?: UseAgentUpdate[];
  readonly throttleMs?: number;
};

/** A call: its arguments are arriving, the user is being asked, or it is answered. */
export type Prompt<Args, Answer> =
  | { readonly status: "inProgress"; readonly id: string; readonly args: Partial<Args> }
  | {
      readonly status: "executing";
      readonly id: string;
      readonly args: Args;
      readonly respond: (answer: Answer) => Promise<void>;
    }
  | { readonly status: "complete"; readonly id: string; readonly args: Args };

/** A call: its arguments are arriving, it runs, or it is answered. */
export type CallView<Args, Result> =
  | { readonly status: "inProgress"; readonly id: string; readonly args: Partial<Args> }
  | { readonly status: "executing"; readonly id: string; readonly args: Args }
  | {
      readonly status: "complete";
      readonly id: string;
      readonly args: Args;
      /** The answer; `undefined` if the tool failed, or its answer does not have the declared type. */
      readonly result: Result | undefined;
      /** The reason why there is no answer. */
      readonly error: string | undefined;
    };

type Tool<Args> = ToolContract & { readonly parameters: Schema<Args> };

/** A tool that runs here, as CopilotKit registers it. */
export function offer<Args extends Record<string, unknown>, Answer>(
  agentId: string,
  tool: Tool<Args>,
  handler: (args: Args, call: ToolCallInfo) => Answer | Promise<Answer>,
): ReactFrontendTool<Args> {
  return {
    agentId,
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    handler: (args, { toolCall }) => answer(tool, args, toolCall.id, handler),
  };
}

/** Offers a tool that the user answers on the page. */
export function usePrompt<Args extends Record<string, unknown>, Answer>(
  agentId: string,
  tool: Tool<Args>,
  render: (prompt: Prompt<Args, Answer>) => ReactElement | null,
  deps?: readonly unknown[],
): void {
  useHumanInTheLoop<Args>(
    {
      agentId,
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      render: (call) => {
        const id = call.toolCallId;
        if (call.respond !== undefined) {
          const { respond } = call;
          const send = (given: Answer) => respond(writeContent(given));
          return render({ status: "executing", id, args: call.args, respond: send });
        }
        return call.result === undefined
          ? render({ status: "inProgress", id, args: call.args })
          : render({ status: "complete", id, args: call.args });
      },
    },
    deps,
  );
}

/** Renders the calls of a tool. */
export function useCallView<Args extends Record<string, unknown>, Result>(
  agentId: string,
  tool: Tool<Args>,
  render: (call: CallView<Args, Result>) => ReactElement | null,
  deps?: readonly unknown[],
): void {
  useRenderTool(
    {
      agentId,
      name: tool.name,
      parameters: tool.parameters,
      render: (call) => {
        const id = call.toolCallId;
        if (call.status !== "complete") {
          return call.status === "executing"
            ? render({ status: "executing", id, args: call.parameters })
            : render({ status: "inProgress", id, args: call.parameters });
        }
        const args = call.parameters;
        const failure = failureOf(call.result);
        if (failure !== undefined) {
          return render({ status: "complete", id, args, result: undefined, error: failure });
        }
        const read = readContent(tool.result, call.result);
        return read.issues === undefined
          ? render({ status: "complete", id, args, result: read.value as Result, error: undefined })
          : render({ status: "complete", id, args, result: undefined, error: read.issues[0]?.message });
      },
    },
    deps,
  );
}
