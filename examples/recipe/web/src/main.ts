import { randomUUID } from "@ag-ui/client";
import { CookAgent } from "./agui/cook/client.js";
import { Composer } from "./composer.js";
import { ConfirmDialog } from "./confirm.js";
import { Transcript } from "./conversation/transcript.js";
import { byId } from "./dom.js";
import { Panes } from "./panes.js";
import { RecipeCard } from "./recipe/card.js";
import { Session } from "./session.js";
import { suggestions } from "./suggestions.js";

const agent = new CookAgent({ url: "/cook", threadId: threadOfTab() });
const transcript = new Transcript(agent);
const dialog = new ConfirmDialog();
const panes = new Panes();
const card = new RecipeCard((recipe) => session.change(recipe));
const status = byId("status", HTMLElement);

const session = new Session(
  agent,
  {
    confirm_order: async (order, call) => {
      showStatus("Waiting for you");
      const answer = await dialog.ask(order, agent.typedState);
      showStatus("Cooking…");
      transcript.answered("confirm_order", call.id, answer);
      return answer;
    },
  },
  {
    busy: (busy) => {
      transcript.busy = busy;
      composer.busy = busy;
      card.busy = busy;
      showStatus(busy ? "Cooking…" : "Ready");
      status.classList.toggle("busy", busy);
    },
    failed: (failure) =>
      transcript.alert(failure, () => {
        if (failure.retry === "say") say(session.lastSaid);
        else void session.run();
      }),
    stopped: () => transcript.note("Stopped."),
  },
);

function showStatus(words: string): void {
  status.textContent = words;
}

function say(text: string): void {
  transcript.person(text);
  void session.say(text);
}

const composer = new Composer(say, () => session.stop());

agent.on({
  state: (recipe) => {
    card.show(recipe);
    panes.recipeChanged();
    composer.suggestions = suggestions(recipe);
  },
  events: { "recipe.sizzle": ({ ingredient }) => card.sizzle(ingredient) },
  // The session reports the end of a run, whatever its cause.
  failed: () => {},
  problem: ({ what, name, issues }) => {
    const place = issues[0]?.path.join(".") ?? "";
    const detail = `${what} ${name} ${place}: ${issues[0]?.message ?? ""}`;
    transcript.alert({ title: "The page and the cook do not understand each other", detail }, () => {});
  },
});
composer.suggestions = suggestions(undefined);
void session.load();
composer.focus();

/** The conversation of this tab, which a reload keeps. */
function threadOfTab(): string {
  const known = sessionStorage.getItem("thread");
  const thread = known ?? randomUUID();
  sessionStorage.setItem("thread", thread);
  return thread;
}
