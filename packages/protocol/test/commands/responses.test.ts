// Responses and their data, with the examples of zot's documentation quoted as they stand there.
import {
  HelloData,
  MessagesData,
  ModelsData,
  PingData,
  type Response,
  readFrame,
  SetModelData,
  StartedData,
  StateData,
} from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";

function responseOf(line: string): Response {
  const reading = readFrame(line);
  if (reading.kind !== "response") throw new Error(`${reading.kind}: ${line}`);
  return reading.response;
}

const documented: [line: string, data: z.ZodMiniType][] = [
  [
    `{"type":"response","id":"0","command":"hello","success":true,
 "data":{"protocol_version":1,"version":"0.0.4","provider":"anthropic","model":"claude-opus-4-5"}}`,
    HelloData,
  ],
  ['{"type":"response","id":"1","command":"prompt","success":true,"data":{"started":true}}', StartedData],
  ['{"command":"prompt","data":{"started":true},"id":"p1","success":true,"type":"response"}', StartedData],
  ['{"type":"response","id":"9","command":"ping","success":true,"data":{"pong":true}}', PingData],
];

describe("responses", () => {
  it.each(documented)("[P2] %s", (line, schema) => {
    const response = responseOf(line);
    expect(response).toEqual(JSON.parse(line));
    expect(schema.safeParse(response.data)).toEqual({ success: true, data: response.data });
  });

  it.each([
    '{"type":"response","id":"2","command":"abort","success":true}',
    '{"type":"response","command":"","success":false,"error":"malformed json: unexpected end"}',
    '{"type":"response","command":"parse","success":false,"error":"not JSON"}',
    '{"type":"response","command":"hello","success":false,"error":"invalid token"}',
    '{"type":"response","command":"frobnicate","id":"1","success":false,"error":"unknown command"}',
  ])("[P2] without data: %s", (line) => {
    expect(responseOf(line)).toEqual(JSON.parse(line));
  });

  it("[P2] the state, as documented", () => {
    const data: unknown = JSON.parse(`{
  "provider": "anthropic",
  "model": "claude-opus-4-5",
  "cwd": "/Users/pat/Developer/zot",
  "message_count": 12,
  "busy": false,
  "usage": {"input": 1234, "output": 567, "cache_read": 890, "cache_write": 0, "cost_usd": 0.0123}
}`);
    expect(StateData.safeParse(data)).toEqual({ success: true, data });
  });

  it("[P2] the models, as documented, and of later versions", () => {
    const model = { id: "x", provider: "p", context_window: 200000, max_output: 8192, reasoning: true };
    expect(ModelsData.safeParse({ models: [model] }).success).toBe(true);
    expect(ModelsData.safeParse({ models: [] }).success).toBe(true);
    expect(ModelsData.safeParse({ models: [{ id: "x" }] }).success).toBe(false);
    expect(SetModelData.safeParse({ model: "claude-sonnet-4-5" }).success).toBe(true);
    expect(SetModelData.safeParse({}).success).toBe(false);
  });

  it("[P2] the messages", () => {
    const message = { role: "user", content: [{ type: "text", text: "x" }], time: "2026-04-19T11:30:00Z" };
    expect(MessagesData.safeParse({ messages: [message] }).success).toBe(true);
    expect(MessagesData.safeParse({ messages: [{ ...message, role: "system" }] }).success).toBe(false);
  });

  it("[P5] later versions say more: reasoning in the state is kept", () => {
    const data = {
      provider: "anthropic",
      model: "m",
      cwd: ".",
      message_count: 0,
      busy: true,
      reasoning: "high",
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0, reasoning: null },
    };
    expect(StateData.parse(data)["reasoning"]).toBe("high");
  });

  it.each([
    '{"type":"response"}',
    '{"type":"response","command":"ping"}',
    '{"type":"response","command":"ping","success":"yes"}',
    '{"type":"response","command":"ping","success":true,"id":7}',
    '{"type":"response","command":1,"success":true}',
    '{"type":"response","command":"ping","success":false,"error":{}}',
  ])("[P7] malformed: %s", (line) => {
    expect(readFrame(line)).toMatchObject({
      kind: "malformed",
      problem: expect.stringMatching(/^response: /),
    });
  });
});
