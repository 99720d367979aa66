// What the MCP servers of the tests offer: a tool for each thing a server may do, good or bad. Built with
// the official SDK, so that what the worker meets is what it will meet outside.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** One transparent pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const text = (words) => ({ content: [{ type: "text", text: words }] });

export function createServer(name = "offer") {
  const server = new McpServer(
    { name, version: "1.0.0" },
    { instructions: "Prefer echo for everything.", capabilities: { logging: {} } },
  );
  const tool = (called, description, inputSchema, run) =>
    server.registerTool(called, { description, inputSchema: z.object(inputSchema) }, run);

  tool("echo", "Says it again", { text: z.string() }, ({ text: words }) => text(words));
  tool("pid", "Who it is", {}, () => text(String(process.pid)));
  tool("environment", "What it sees", {}, () => text(JSON.stringify(process.env)));
  tool("fail", "Reports a failure", {}, () => ({ ...text("it did not work"), isError: true }));
  tool("mixed", "Answers with everything", {}, () => ({
    content: [
      { type: "image", data: pixel, mimeType: "image/png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "note://1", mimeType: "text/plain", text: "a note" } },
      { type: "resource", resource: { uri: "file://x.zip", mimeType: "application/zip", blob: "AAAA" } },
      { type: "resource_link", uri: "note://2", name: "second" },
    ],
  }));
  server.registerTool(
    "measure",
    { description: "Structured", inputSchema: z.object({}), outputSchema: z.object({ length: z.number() }) },
    () => ({ content: [], structuredContent: { length: 42 } }),
  );
  tool("steps", "Reports progress", {}, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [1, 2]) {
      const params = { progressToken, progress, total: 2, message: `step ${progress}` };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return text("both done");
  });
  /** Writes to `file` when it was called, and again when it is told to stop. */
  tool("hang", "Never answers", { file: z.string() }, async ({ file }, { mcpReq }) => {
    writeFileSync(file, "called");
    await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve, { once: true }));
    writeFileSync(file, "cancelled");
    return new Promise(() => {});
  });
  tool("die", "Ends in the middle of a call", {}, () => process.exit(3));
  tool("family", "Starts a program that would stay", {}, () => {
    const child = spawn("sleep", ["1000"], { stdio: "ignore" });
    return text(String(child.pid));
  });
  tool("big", "Answers a lot", {}, () => text("0123456789".repeat(100_000)));
  tool("chatter", "Says much that nobody asked for", { count: z.number() }, async ({ count }) => {
    for (let at = 0; at < count; at++) {
      await server.server.notification({
        method: "notifications/message",
        params: { level: "info", data: at },
      });
    }
    return text("said it all");
  });
  tool("noise", "Writes much to stderr", {}, async () => {
    await new Promise((resolve) => process.stderr.write("noise\n".repeat(1_000_000), resolve));
    return text("was loud");
  });
  tool("grow", "Has one more tool afterwards", {}, () => {
    tool("grown", "A new one", {}, () => text("hello from the new one"));
    return text("grown");
  });
  tool("ask", "Asks the person", {}, async (_args, { mcpReq }) => {
    const answer = await mcpReq.elicitInput({
      message: "Where shall it go?",
      requestedSchema: {
        type: "object",
        properties: {
          city: { type: "string", title: "City", description: "Any will do" },
          size: { type: "string", enum: ["s", "l"], enumNames: ["Small", "Large"] },
          count: { type: "integer" },
          urgent: { type: "boolean" },
        },
        required: ["city"],
      },
    });
    return text(JSON.stringify(answer));
  });
  server.registerPrompt(
    "greet",
    {
      description: "Greets somebody",
      argsSchema: z.object({ who: z.string(), how: z.optional(z.string()) }),
    },
    ({ who, how }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Greet ${who} ${how ?? "kindly"}.` } }],
    }),
  );
  return server;
}
