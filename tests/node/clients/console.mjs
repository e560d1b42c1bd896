// All complaints of a client, in order. Standard output belongs to the one JSON answer.
import { format } from "node:util";

const heard = [];

for (const level of ["warn", "error"]) {
  console[level] = (...parts) => void heard.push({ level, text: format(...parts) });
}
for (const level of ["log", "info", "debug"]) {
  console[level] = (...parts) => void process.stderr.write(`${format(...parts)}\n`);
}
process.on("warning", (warning) => heard.push({ level: "process", text: String(warning) }));
process.on("unhandledRejection", (cause) => heard.push({ level: "unhandledRejection", text: format(cause) }));

/** The complaints since the last call. */
export const takeComplaints = () => heard.splice(0, heard.length);

export async function readStdin() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text;
}
