// Asks an agent through the local socket and prints its answer: node local.mjs SOCKET PROMPT
import { connect } from "node:net";

const [path, prompt] = process.argv.slice(2);
const socket = connect(path).setEncoding("utf8");
const waiting = new Map();
let next = 1;
let rest = "";

function call(method, params) {
  const id = next++;
  socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

socket.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, result, error, params } = JSON.parse(line);
    if (params?.type === "agent_message_chunk") process.stdout.write(params.text);
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
  }
});

process.on("uncaughtException", ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
await call("initialize", { protocol_version: 1 });
const { session_id } = await call("session/new", {});
await call("session/prompt", { session_id, prompt });
process.stdout.write("\n");
socket.end();
