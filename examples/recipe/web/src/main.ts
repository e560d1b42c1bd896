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
let isBusy = false;
let isAsking = false;

const session = new Session(
  agent,
  {
    confirm_order: async (order, call) => {
      isAsking = true;
      showStatus();
      const answer = await dialog.ask(order, agent.typedState);
      isAsking = false;
      showStatus();
      transcript.answered("confirm_order", call.id, answer);
      return answer;
    },
  },
  {
    busy: (busy) => {
      isBusy = busy;
      transcript.busy = busy;
      composer.busy = busy;
      card.busy = busy;
      showStatus();
    },
    failed: (failure) =>
      transcript.alert(failure, () => {
        if (failure.retry === "say") say(session.lastSaid);
        else void session.run();
      }),
    stopped: () => transcript.note("Stopped."),
  },
);

/** Says what happens now: the connection comes first, because nothing else goes on without one. */
function showStatus(): void {
  const isLost = agent.connection === "reconnecting";
  status.textContent = !isBusy ? "Ready" : isLost ? "Reconnecting…" : isAsking ? "Waiting for you" : "Cooking…";
  status.classList.toggle("busy", isBusy);
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
agent.onConnection(showStatus);
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
