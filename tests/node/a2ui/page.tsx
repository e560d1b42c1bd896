// A page as users of A2UI's renderer for React write it: the components and functions have the types of the agent's catalog, and the
// surfaces come over the official client. `?url=` is the address of the agent.
import { A2uiSurface, createComponentImplementation, type ReactComponentImplementation } from "@a2ui/react/v0_9";
import { Catalog, MessageProcessor, type A2uiMessage, type SurfaceModel } from "@a2ui/web_core/v0_9";
import {
  agentResponses,
  agentValue,
  answerCall,
  callAgent,
  implement,
  rendererCalls,
  type CatalogComponents,
  type CatalogFunctions,
} from "agui/_surfaces.ts";
import { shopCatalog, type Shop } from "agui/seller/catalogs.ts";
import { SellerAgent } from "agui/seller/client.ts";
import { useState, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

const CARTS: { [cart: string]: string[] } = { "c-1": ["bread", "milk", "salt"] };

/** Draws a component of a list at its place in the data. */
const each = (child: string | { id: string; basePath: string }, build: (id: string, basePath?: string) => ReactNode, key: number) => (
  <li key={key}>{typeof child === "string" ? build(child) : build(child.id, child.basePath)}</li>
);

const components: CatalogComponents<Shop, ReactNode> = {
  Stack: ({ props, buildChild }) => <ul>{props.children.map((child, index) => each(child, buildChild, index))}</ul>,
  Label: ({ props }) => (
    <span className={props.tone ?? "plain"}>
      {props.text} {props.count === undefined ? "" : `(${props.count.toFixed()})`}
    </span>
  ),
  Field: ({ props }) => <input aria-label={props.label} value={props.text ?? ""} onChange={({ target }) => props.setText(target.value)} />,
  Button: ({ props, buildChild }) => <button onClick={props.action}>{buildChild(props.child)}</button>,
};

const functions: CatalogFunctions<Shop> = {
  countItems: ({ cart }) => CARTS[cart]?.length ?? 0,
};

const made = implement(shopCatalog, Catalog.fromSchema(shopCatalog.definition), components, functions, createComponentImplementation);
const catalog = new Catalog(shopCatalog.id, made.components, made.functions);

const agent = new SellerAgent({ url: new URLSearchParams(location.search).get("url") ?? "", threadId: "a2ui" });

function Page() {
  const [surfaces, show] = useState<SurfaceModel<ReactComponentImplementation>[]>([]);
  const [said, say] = useState<string[]>([]);
  const [price, quote] = useState("");
  const [failure, fail] = useState("");
  const [processor] = useState(() => {
    const processor = new MessageProcessor<ReactComponentImplementation>([catalog], (action) => run({ version: "v0.9", action }));
    processor.onSurfaceCreated((surface) => {
      surface.onError.subscribe((error) => fail(JSON.stringify(error)));
      show([...processor.model.surfacesMap.values()]);
    });
    return processor;
  });

  async function run(a2uiAction?: object): Promise<void> {
    const known = new Set(agent.messages.map(({ id }) => id));
    const a2uiClientCapabilities = processor.getClientCapabilities();
    const forwardedProps = { a2uiClientCapabilities, ...(a2uiAction && { a2uiAction }) };
    await agent.runAgent({ forwardedProps });
    for (const message of agent.messages.filter(({ id }) => !known.has(id))) {
      if (message.role === "assistant" && message.content) say((before) => [...before, message.content ?? ""]);
      if (message.role !== "activity" || message.activityType !== "a2ui-surface") continue;
      const operations = (message.content["a2ui_operations"] ?? []) as A2uiMessage[];
      processor.processMessages(operations.filter(({ version }) => version === "v0.9"));
      for (const answer of agentResponses(message.content)) {
        const quoted = agentValue(shopCatalog, "quotePrice", answer);
        quote(quoted.issues === undefined ? `${quoted.value.item}: ${quoted.value.cents.toFixed()} cents` : quoted.issues.map(({ message }) => message).join());
      }
      for (const call of rendererCalls(message.content)) await run(answerCall(shopCatalog, functions, call));
    }
  }

  const ask = (itemName: string) => void run(callAgent(shopCatalog, "order", "quotePrice", { itemName }));
  return (
    <main>
      <button onClick={() => void run()}>Order</button>
      <button onClick={() => ask("Bread")}>Ask the price</button>
      <button onClick={() => ask("")}>Ask for nothing</button>
      {surfaces.map((surface) => (
        <A2uiSurface key={surface.id} surface={surface} />
      ))}
      <p id="price">{price}</p>
      <ol id="said">
        {said.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ol>
      <p id="failure">{failure}</p>
    </main>
  );
}

const root = document.querySelector("#root");
if (root) createRoot(root).render(<Page />);
