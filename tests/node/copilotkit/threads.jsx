// CopilotKit's hook `useThreads` beside its chat, over a server that stores the threads (tests/src/bin/stored_desk.rs) and needs no
// runtime of CopilotKit. `?runtime=` is the server's address for CopilotKit's pages, at one address with `?single=`; `?visitor=` is the
// name of who asks. With `?drawer=`, CopilotKit's own list is there as well.
import { CopilotChat, CopilotKitProvider, CopilotThreadsDrawer, useAgent, useThreads } from "@copilotkit/react-core/v2";
import "@copilotkit/react-core/v2/styles.css";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const agentId = "editor";

function Threads({ includeArchived, open }) {
  const list = useThreads({ agentId, includeArchived, limit: 2 });
  const { agent } = useAgent({ agentId });
  // Only CopilotKit's platform tells a page that its list has changed.
  useEffect(() => {
    if (!agent.isRunning) list.refetchThreads();
  }, [agent.isRunning]);
  const [failure, fail] = useState("");
  const attempt = (act) => () => act().then(() => fail(""), ({ message }) => fail(message));
  return (
    <section>
      <p id="status">{agent.isRunning ? "running" : "idle"}</p>
      <p id="failure">{failure || list.error?.message || ""}</p>
      {list.threads.map(({ id, name, archived }) => (
        <p key={id} className={archived ? "item archived" : "item"} data-id={id}>
          <button onClick={() => open(id)}>{name ?? "New thread"}</button>
          <button onClick={attempt(() => list.renameThread(id, prompt("Title")))}>Rename</button>
          {archived ? (
            <button onClick={attempt(() => list.unarchiveThread(id))}>Unarchive</button>
          ) : (
            <button onClick={attempt(() => list.archiveThread(id))}>Archive</button>
          )}
          <button onClick={attempt(() => list.deleteThread(id))}>Delete</button>
        </p>
      ))}
      {list.hasMoreThreads && <button onClick={() => list.fetchMoreThreads()}>More</button>}
    </section>
  );
}

function Page() {
  const [threadId, open] = useState(() => crypto.randomUUID());
  const [includeArchived, include] = useState(false);
  return (
    <div style={{ display: "flex", height: "100vh" }}>
      <div style={{ flex: "0 0 420px", overflow: "auto" }}>
        <button onClick={() => open(crypto.randomUUID())}>New</button>
        <label>
          <input type="checkbox" checked={includeArchived} onChange={({ target }) => include(target.checked)} />
          Archived
        </label>
        <Threads includeArchived={includeArchived} open={open} />
      </div>
      <div id="chat" style={{ flex: 1, height: "100vh" }}>
        <CopilotChat agentId={agentId} threadId={threadId} />
      </div>
      {query.has("drawer") && <CopilotThreadsDrawer agentId={agentId} />}
    </div>
  );
}

createRoot(document.querySelector("#root")).render(
  <CopilotKitProvider
    runtimeUrl={query.get("runtime")}
    useSingleEndpoint={query.has("single") || undefined}
    headers={{ "x-name": query.get("visitor") }}
    agentId={agentId}
    showDevConsole={false}
  >
    <Page />
  </CopilotKitProvider>,
);
