// Commands, with the examples of zot's documentation quoted as they stand there.
import { ViewerCommand, viewerCommandTypes, WorkerCommand } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";

const documented = [
  '{"id":"0","type":"hello","token":"shared-secret"}',
  '{"id":"1","type":"prompt","message":"fix the failing test","images":[]}',
  '{"id":"2","type":"abort"}',
  '{"id":"3","type":"compact"}',
  '{"id":"4","type":"get_state"}',
  '{"id":"5","type":"get_messages"}',
  '{"id":"6","type":"clear"}',
  '{"id":"7","type":"set_model","model":"claude-sonnet-4-5"}',
  '{"id":"8","type":"get_models"}',
  '{"id":"9","type":"ping"}',
  '{"id":"1","type":"prompt","message":"hello"}',
  '{"id":"1","type":"prompt","message":"check the current directory"}',
  '{"id":"p1","type":"prompt","message":"what is in this picture?","images":[{"mime_type":"image/png","data":"iVBORw0KGgo="}]}',
];

describe("commands", () => {
  it.each(documented)("[P1] %s", (line) => {
    const value: unknown = JSON.parse(line);
    expect(WorkerCommand.safeParse(value)).toEqual({ success: true, data: value });
    expect(ViewerCommand.safeParse(value)).toEqual({ success: true, data: value });
  });

  it.each([
    { type: "ping" },
    { type: "prompt" },
    { type: "prompt", message: "" },
    { type: "hello" },
    { type: "compact", customInstructions: "keep the paths" },
  ])("[P1] what zot makes optional may be left out: %j", (command) => {
    expect(WorkerCommand.safeParse(command).success).toBe(true);
  });

  it.each([
    { id: 1, type: "ping" },
    { id: null, type: "ping" },
    { type: "pong" },
    { type: 3 },
    { message: "no type" },
    { type: "prompt", message: 1 },
    { type: "prompt", message: "x", images: [{ mime_type: "image/png" }] },
    { type: "prompt", message: "x", images: "a.png" },
    { type: "set_model" },
    { type: "hello", token: 5 },
    { type: "compact", customInstructions: [] },
  ])("[P1] refused: %j", (command) => {
    expect(WorkerCommand.safeParse(command).success).toBe(false);
    expect(ViewerCommand.safeParse(command).success).toBe(false);
  });

  it.each([
    { type: "queue_remove", item: "i1" },
    { id: "1", type: "queue_move", item: "i1", to: 0 },
  ])("[P1] a viewer may also send %j, a worker is never sent it", (command) => {
    expect(ViewerCommand.safeParse(command).success).toBe(true);
    expect(WorkerCommand.safeParse(command).success).toBe(false);
  });

  it.each([
    { type: "extension_ui_response", id: "q1", value: "yes" },
    { type: "extension_ui_response", id: "q1", confirmed: false },
  ])("[P1] a viewer may send %j, and the worker that asked gets it", (command) => {
    expect(ViewerCommand.safeParse(command).success).toBe(true);
    expect(WorkerCommand.safeParse(command).success).toBe(true);
  });

  it.each([
    { type: "extension_ui_response", value: "without an id" },
    { type: "queue_move", item: "i1", to: -1 },
    { type: "queue_move", item: "i1", to: 1.5 },
    { type: "queue_remove" },
  ])("[P1] refused from a viewer: %j", (command) => {
    expect(ViewerCommand.safeParse(command).success).toBe(false);
  });

  it("[P1] a transcript is restored by the server only", () => {
    const restore = { type: "restore", messages: [{ role: "user", content: [], time: "t" }] };
    expect(WorkerCommand.safeParse(restore).success).toBe(true);
    expect(ViewerCommand.safeParse(restore).success).toBe(false);
    expect(viewerCommandTypes.has("restore")).toBe(false);
    expect(viewerCommandTypes.has("prompt")).toBe(true);
  });
});
