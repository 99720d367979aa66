// Asks an agent through the session socket and prints its answer: node session.mjs URL PROMPT
// With the package `ws`, because Node 20 has no WebSocket of its own yet.
import { readFileSync } from "node:fs";
import WebSocket from "ws";

const [url, prompt] = process.argv.slice(2);
// Not an argument: everybody on the machine can read those.
const token =
  process.env.PATCHBAY_TOKEN ?? readFileSync(`${process.env.HOME}/.patchbay/token`, "utf8").trim();
const headers = { authorization: `Bearer ${token}` };
let code = 0;

function end(reason) {
  if (reason !== undefined) process.stderr.write(`${reason}\n`);
  process.exit(reason === undefined ? code : 1);
}

const created = await fetch(`${url}/api/sessions`, {
  method: "POST",
  headers: { ...headers, "content-type": "application/json" },
  body: "{}",
});
const { session, error } = await created.json();
if (error !== undefined) end(error.message);
const socket = new WebSocket(`${url.replace("http", "ws")}/api/sessions/${session.id}/socket`, { headers });

socket.on("open", () => socket.send(`${JSON.stringify({ id: "1", type: "prompt", message: prompt })}\n`));
socket.on("error", ({ message }) => end(message));
socket.on("close", () => end("The server is gone."));
let started = false;
socket.on("message", (data) => {
  for (const line of new TextDecoder().decode(data).split("\n")) {
    if (line === "") continue;
    const frame = JSON.parse(line);
    if (frame.type === "text_delta") process.stdout.write(frame.delta);
    if (frame.type === "response" && frame.id === "1") {
      if (!frame.success) end(frame.error);
      started = true;
    }
    // One that ends without a reason before the prompt was taken is started again.
    if (frame.type === "worker" && frame.event === "exited" && (frame.reason ?? started))
      end(frame.reason ?? "The agent was stopped.");
    if (frame.type === "error") {
      code = 1;
      process.stderr.write(`${frame.message}\n`);
    }
    if (frame.type === "done") process.stdout.write("\n", () => end());
  }
});
