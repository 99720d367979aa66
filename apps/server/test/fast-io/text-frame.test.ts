// Short messages past `ws`: what a client reads of them.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { maxFrameBytes, textFrame } from "../../src/fast-io/text-frame.ts";

/** What a client is handed when these are written one after the other and the socket is closed. */
async function read(messages: readonly (string | Uint8Array)[]): Promise<string[]> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  server.on("connection", (socket, request) => {
    for (const message of messages) request.socket.write(textFrame(message) ?? "");
    socket.close();
  });
  await once(server, "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const found: string[] = [];
  client.on("message", (data: Buffer, isBinary) => found.push(isBinary ? "binary" : data.toString()));
  await once(client, "close");
  server.close();
  return found;
}

describe("a short message in one piece", () => {
  it("[A21] is what a client reads, of any length up to the longest", async () => {
    const texts = [0, 1, 125, 126, 127, 255, 256, maxFrameBytes].map((length) => "x".repeat(length));
    expect(await read(texts)).toEqual(texts);
    expect(await read(texts.map((text) => Buffer.from(text)))).toEqual(texts);
  });

  it("[A21] is what a client reads, whatever was written", async () => {
    const texts = fc.sample(fc.string({ unit: "grapheme", maxLength: 400 }), 200);
    expect(await read(texts)).toEqual(texts);
  });

  it("[A21] a longer one is left to ws", () => {
    expect(textFrame("x".repeat(maxFrameBytes + 1))).toBeUndefined();
    expect(textFrame("é".repeat(maxFrameBytes / 2 + 1))).toBeUndefined();
    expect(textFrame(Buffer.alloc(maxFrameBytes + 1))).toBeUndefined();
  });
});
