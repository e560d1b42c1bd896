import { KeeperAgent } from "./agui/keeper/client.js";

const keeper = new KeeperAgent({ url: "http://127.0.0.1:8000/" });
keeper.addMessage({ id: "1", role: "user", content: "old.txt notes.txt draft.txt" });
await keeper.runAgent();

for (const interrupt of keeper.interrupts) {
  const { path, backups } = interrupt.payload; // payload: ConfirmDelete
  console.log(interrupt.message, path, backups);
  if (path === "draft.txt") {
    keeper.cancel(interrupt);
  } else {
    keeper.resolve(interrupt, { approved: path !== "notes.txt" }); // { approved: "yes" } is a compile error
  }
}
const { result } = await keeper.runAgent({ resume: keeper.answers() });
console.log(result);
