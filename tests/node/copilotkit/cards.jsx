// The catalog of the tour's hotel guide for CopilotKit's renderer, from the generated code. CopilotKit's own `@a2ui/web_core` does not
// read a catalog's definition yet, so a newer one does that.
import { Catalog, createReactComponent } from "@copilotkit/a2ui-renderer";
import { Catalog as Definition } from "a2ui-core/v0_9";
import { implement } from "../../../examples/tour/ts/agui/_surfaces.ts";
import { cardsCatalog } from "../../../examples/tour/ts/agui/hotel_guide/catalogs.ts";

const components = {
  Row: ({ props, buildChild }) => (
    <div style={{ display: "flex", gap: props.gap }}>{props.children.map((child) => buildChild(child.id ?? child, child.basePath))}</div>
  ),
  HotelCard: ({ props }) => (
    <article style={{ border: "1px solid #ccc", borderRadius: 8, padding: 16 }}>
      <h3>{props.name}</h3>
      <p>{`${props.location}, ${props.rating} stars, ${props.pricePerNight}`}</p>
      <button style={{ border: "1px solid", borderRadius: 4, padding: "4px 12px" }} onClick={props.action}>{`Book ${props.name}`}</button>
    </article>
  ),
};

const functions = { countNights: () => 3 };

const made = implement(cardsCatalog, Definition.fromSchema(cardsCatalog.definition), components, functions, createReactComponent);

/** The catalog, for the property `a2ui` of CopilotKit's provider. */
export const cards = new Catalog(cardsCatalog.id, made.components, made.functions);
