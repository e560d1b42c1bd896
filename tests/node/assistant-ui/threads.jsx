// assistant-ui's list of threads beside its chat, over the generated client, with the adapter of the generator's README.
// `?url=` is the address of the agent, `?visitor=` the name of who asks.
import { useAgUiRuntime, fromAgUiMessages } from "@assistant-ui/react-ag-ui";
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ExportedMessageRepository,
  MessagePrimitive,
  ThreadListItemPrimitive,
  ThreadListPrimitive,
  ThreadPrimitive,
  useAui,
  useAuiState,
  useRemoteThreadListRuntime,
} from "@assistant-ui/react";
import { EditorAgent } from "agui/editor/client.js";
import { useMemo } from "react";
import { createRoot } from "react-dom/client";
import { threadListAdapter } from "thread-list-adapter";

const query = new URLSearchParams(location.search);
const agentOf = (threadId) => new EditorAgent({ url: query.get("url"), threadId, headers: { "x-name": query.get("visitor") } });

/** The chat of one thread: its messages are those that the server has. */
function useThreadRuntime() {
  const threadId = useAuiState(({ threadListItem }) => threadListItem.remoteId ?? threadListItem.id);
  const [agent, history] = useMemo(() => {
    const history = {
      async load() {
        const past = agentOf(threadId);
        await past.connectAgent();
        return { ...ExportedMessageRepository.fromArray(fromAgUiMessages(past.messages)), state: past.state };
      },
      // The server has it already.
      async append() {},
    };
    return [agentOf(threadId), history];
  }, [threadId]);
  return useAgUiRuntime({ agent, adapters: { history } });
}

function Item({ archived }) {
  const { threadListItem } = useAui();
  return (
    <ThreadListItemPrimitive.Root className={archived ? "item archived" : "item"}>
      <ThreadListItemPrimitive.Trigger>
        <ThreadListItemPrimitive.Title fallback="New thread" />
      </ThreadListItemPrimitive.Trigger>
      <button onClick={() => threadListItem.rename(prompt("Title"))}>Rename</button>
      {archived ? (
        <ThreadListItemPrimitive.Unarchive>Unarchive</ThreadListItemPrimitive.Unarchive>
      ) : (
        <ThreadListItemPrimitive.Archive>Archive</ThreadListItemPrimitive.Archive>
      )}
      <ThreadListItemPrimitive.Delete>Delete</ThreadListItemPrimitive.Delete>
    </ThreadListItemPrimitive.Root>
  );
}

function Message() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts components={{ Text: ({ text }) => <p className="text">{text}</p> }} />
    </MessagePrimitive.Root>
  );
}

const adapter = threadListAdapter(agentOf("list").threads);

function Page() {
  const runtime = useRemoteThreadListRuntime({ runtimeHook: useThreadRuntime, adapter });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <div style={{ display: "flex" }}>
        <ThreadListPrimitive.Root id="threads" style={{ flex: "0 0 420px" }}>
          <ThreadListPrimitive.New>New</ThreadListPrimitive.New>
          <ThreadListPrimitive.Items>{() => <Item archived={false} />}</ThreadListPrimitive.Items>
          <ThreadListPrimitive.Items archived>{() => <Item archived />}</ThreadListPrimitive.Items>
        </ThreadListPrimitive.Root>
        <ThreadPrimitive.Root style={{ flex: 1 }}>
          <div id="chat">
            <ThreadPrimitive.Messages>{() => <Message />}</ThreadPrimitive.Messages>
          </div>
          <p id="status">
            <ThreadPrimitive.If running>running</ThreadPrimitive.If>
            <ThreadPrimitive.If running={false}>idle</ThreadPrimitive.If>
          </p>
          <ComposerPrimitive.Root>
            <ComposerPrimitive.Input aria-label="Message" />
            <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          </ComposerPrimitive.Root>
        </ThreadPrimitive.Root>
      </div>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.querySelector("#root")).render(<Page />);
