// Asks an agent through the session socket and prints its answer: node session.mjs URL TOKEN PROMPT
// With the package `ws`, because Node 20 has no WebSocket of its own yet.
import WebSocket from "ws";

const [url, token, prompt] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}` };
const created = await fetch(`${url}/api/sessions`, {
  method: "POST",
  headers: { ...headers, "content-type": "application/json" },
  body: "{}",
});
const { session } = await created.json();
const socket = new WebSocket(`${url.replace("http", "ws")}/api/sessions/${session.id}/socket`, { headers });

socket.on("open", () => socket.send(`${JSON.stringify({ id: "1", type: "prompt", message: prompt })}\n`));
socket.on("message", (data) => {
  for (const line of new TextDecoder().decode(data).split("\n")) {
    if (line === "") continue;
    const frame = JSON.parse(line);
    if (frame.type === "text_delta") process.stdout.write(frame.delta);
    if (frame.type === "error") process.stderr.write(`${frame.message}\n`);
    if (frame.type === "done") {
      process.stdout.write("\n");
      socket.close();
    }
  }
});
