// Panels, and omp's UI methods: from an extension to the person and back.
import { describe, expect, it } from "vitest";
import { only } from "../rig.ts";
import { commandNames, logged, startWith, trouble } from "./kit.ts";

/** Sends a ui_request when /go runs, and answers with what came back. */
const asks = (fields: string): string => `
  hello(); emit({ type: "register_command", name: "go" }); emit({ type: "ready" });
  let invoked;
  on("command_invoked", ({ id }) => { invoked = id; emit({ type: "ui_request", id: "q", ${fields} }); });
  on("ui_response", (frame) => emit({ type: "command_response", id: invoked, action: "display", display: JSON.stringify(frame) }));
`;

async function roundTrip(fields: string, answer: Record<string, unknown> | null) {
  await using rig = await startWith({ form: asks(fields) });
  const done = rig.worker.ask({ type: "run_command", name: "go" });
  const question = await rig.worker.some((frame) => frame.type === "extension_ui_request");
  if (answer !== null)
    rig.worker.send({ type: "extension_ui_response", id: String(question["id"]), ...answer });
  await done;
  const said = only(rig.worker.frames, "ext_display")[0]?.["text"];
  return { question, response: JSON.parse(String(said)) as unknown };
}

describe("omp's extension UI", () => {
  it("[E40] select goes out with its options and comes back with the choice", async () => {
    const { question, response } = await roundTrip(
      `method: "select", title: "Pick one", options: ["alpha", "beta"]`,
      { value: "beta" },
    );
    expect(question).toMatchObject({
      method: "select",
      extension: "form",
      title: "Pick one",
      options: ["alpha", "beta"],
    });
    expect(response).toEqual({ type: "ui_response", id: "q", value: "beta" });
  });

  it('[E40] { "type": "extension_ui_request", "id": "123", "method": "confirm", "title": "Confirm", "message": "Continue?", "timeout": 30000 }', async () => {
    const { question, response } = await roundTrip(
      `method: "confirm", title: "Confirm", message: "Continue?", timeout: 30000`,
      { confirmed: true },
    );
    expect(question).toMatchObject({
      method: "confirm",
      title: "Confirm",
      message: "Continue?",
      timeout: 30000,
    });
    expect(response).toEqual({ type: "ui_response", id: "q", confirmed: true });
  });

  it('[E40] { "type": "extension_ui_request", "id": "ui_7", "method": "input", "title": "Branch name", "placeholder": "feature/..." }', async () => {
    const { question, response } = await roundTrip(
      `method: "input", title: "Branch name", placeholder: "feature/..."`,
      { value: "feature/rpc-host" },
    );
    expect(question).toMatchObject({ title: "Branch name", placeholder: "feature/..." });
    expect(response).toEqual({ type: "ui_response", id: "q", value: "feature/rpc-host" });
  });

  it("[E40] editor, closed by the person: { type: extension_ui_response, id: string, cancelled: true }", async () => {
    const { question, response } = await roundTrip(`method: "editor", title: "ed", prefill: "p"`, {
      cancelled: true,
    });
    expect(question).toMatchObject({ method: "editor", prefill: "p" });
    expect(response).toEqual({ type: "ui_response", id: "q", cancelled: true });
  });

  it("[E41] 'If a dialog has a timeout, RPC mode resolves to a default value when timeout/abort fires.'", async () => {
    const late = async (fields: string): Promise<unknown> => (await roundTrip(fields, null)).response;
    expect(await late(`method: "confirm", title: "?", timeout: 40, default: true`)).toEqual({
      type: "ui_response",
      id: "q",
      confirmed: true,
      timed_out: true,
    });
    expect(
      await late(`method: "select", title: "?", options: ["a", "b"], timeout: 40, default: "a"`),
    ).toMatchObject({
      value: "a",
      timed_out: true,
    });
    expect(await late(`method: "input", title: "?", timeout: 40`)).toMatchObject({
      cancelled: true,
      timed_out: true,
    });
  });

  it("[E41] a question that lacks something is answered at once, with what it lacks", async () => {
    const refused = async (fields: string): Promise<unknown> => {
      await using rig = await startWith({ form: asks(fields) });
      await rig.worker.ask({ type: "run_command", name: "go" });
      expect(only(rig.worker.frames, "extension_ui_request")).toEqual([]);
      return JSON.parse(String(only(rig.worker.frames, "ext_display")[0]?.["text"]));
    };
    expect(await refused(`method: "select", title: "?"`)).toMatchObject({
      cancelled: true,
      error: "select needs options",
    });
    expect(await refused(`method: "confirm", title: "?", default: "yes"`)).toMatchObject({
      error: "default: expected boolean",
    });
  });

  it("[E42] notify, setStatus, setWidget, setTitle, set_editor_text go out with omp's fields, and nothing stays of an extension that ends", async () => {
    await using rig = await startWith({
      form: `hello(); emit({ type: "register_command", name: "die" });
        const tell = (fields) => emit({ type: "ui_request", ...fields });
        tell({ method: "notify", message: "hi", notifyType: "warning" });
        tell({ method: "setStatus", statusKey: "k", statusText: "loaded" });
        tell({ method: "setWidget", widgetKey: "w", widgetLines: ["a", "b"], widgetPlacement: "belowEditor" });
        tell({ method: "setTitle", title: "ui-demo title" });
        tell({ method: "set_editor_text", text: "draft" });
        tell({ id: "q1", method: "confirm", title: "Sure?" });
        emit({ type: "ready" });
        on("command_invoked", () => process.exit(0));`,
    });
    await commandNames(rig);
    const asked = only(rig.worker.frames, "extension_ui_request");
    expect(asked).toMatchObject([
      { method: "notify", extension: "form", message: "hi", notifyType: "warning" },
      { method: "setStatus", statusKey: "k", statusText: "loaded" },
      { method: "setWidget", widgetKey: "w", widgetLines: ["a", "b"], widgetPlacement: "belowEditor" },
      { method: "setTitle", title: "ui-demo title" },
      { method: "set_editor_text", text: "draft" },
      { method: "confirm", title: "Sure?" },
    ]);
    await rig.worker.ask({ type: "run_command", name: "die" });
    await trouble(rig, "exit");
    const after = only(rig.worker.frames, "extension_ui_request").slice(asked.length);
    expect(after.map(({ id: _id, type: _type, extension: _extension, ...fields }) => fields)).toEqual([
      { method: "cancel", targetId: asked.at(-1)?.["id"] },
      { method: "setStatus", statusKey: "k" },
      { method: "setWidget", widgetKey: "w" },
      { method: "setTitle", title: "" },
    ]);
  });
});

const panel = `
  hello(); emit({ type: "register_command", name: "show" }); emit({ type: "register_command", name: "die" });
  emit({ type: "ready" });
  on("command_invoked", ({ id, name }) => name === "die" ? process.exit(0) : emit({ type: "command_response", id, action: "open_panel",
    open_panel: { id: "p", title: "Cities", lines: ["Rome"], footer: "esc closes" } }));
  on("panel_key", ({ panel_id, key, text }) => emit({ type: "panel_render", panel_id, lines: [key + " " + text] }));
  on("panel_close", ({ panel_id }) => emit({ type: "notify", message: "closed " + panel_id }));
`;

describe("panels", () => {
  it("[E43] open_panel, panel_key, panel_render, panel_close: all viewers see the same", async () => {
    await using rig = await startWith({ atlas: panel });
    expect(await rig.worker.ask({ type: "run_command", name: "show" })).toMatchObject({
      data: { action: "open_panel", panel: "p" },
    });
    expect(await rig.worker.next("ext_panel")).toEqual({
      type: "ext_panel",
      extension: "atlas",
      panel_id: "p",
      title: "Cities",
      lines: ["Rome"],
      footer: "esc closes",
    });
    const key = { type: "panel_key", panel: "p", key: "rune", text: "r" };
    expect(await rig.worker.ask(key)).toMatchObject({ success: true });
    expect(await rig.worker.next("ext_panel")).toMatchObject({
      title: "Cities",
      lines: ["rune r"],
      footer: "",
    });
    expect(await rig.worker.ask({ ...key, panel: "q" })).toMatchObject({
      success: false,
      error: "there is no open panel q",
    });
    expect(await rig.worker.ask({ type: "panel_close", panel: "p", extension: "atlas" })).toMatchObject({
      success: true,
    });
    expect(await rig.worker.next("ext_panel_close")).toMatchObject({ extension: "atlas", panel_id: "p" });
    await rig.worker.next((frame) => frame["message"] === "closed p");
    expect(await rig.worker.ask(key)).toMatchObject({ success: false });
  });

  it("[E43] a panel opens without a command too, closes itself, and goes with its extension", async () => {
    await using rig = await startWith({
      atlas: `${panel}
        emit({ type: "open_panel", panel: { id: "own", lines: ["1"] } });
        emit({ type: "open_panel", panel: { id: "brief" } });
        emit({ type: "panel_close", panel_id: "brief" });
        emit({ type: "panel_render", panel_id: "never", lines: [] });`,
    });
    await commandNames(rig);
    const about = (type: string) => only(rig.worker.frames, type).map((frame) => frame["panel_id"]);
    await rig.worker.some((frame) => frame.type === "ext_panel_close");
    expect([about("ext_panel"), about("ext_panel_close")]).toEqual([["own", "brief"], ["brief"]]);
    await logged(rig, "atlas", "panel never is not open");
    await rig.worker.ask({ type: "run_command", name: "die" });
    await trouble(rig, "exit");
    expect(about("ext_panel_close")).toEqual(["brief", "own"]);
  });

  it("[E43] one that redraws without end shows its newest state now and then, and the last one", async () => {
    await using rig = await startWith({
      busy: `hello(); emit({ type: "open_panel", panel: { id: "p" } });
        for (let n = 0; n <= 500; n++) emit({ type: "panel_render", panel_id: "p", lines: [String(n)] });`,
    });
    await commandNames(rig);
    await rig.worker.some((frame) => frame.type === "ext_panel" && String(frame["lines"]) === "500");
    expect(only(rig.worker.frames, "ext_panel").length).toBeLessThan(100);
  });

  it("[E43] display, insert and clear_notes come at any time", async () => {
    await using rig = await startWith({
      notes: `hello(); emit({ type: "display", text: "look" }); emit({ type: "insert", text: "here" });
        emit({ type: "clear_notes" }); emit({ type: "ready" });`,
    });
    await commandNames(rig);
    expect(rig.worker.frames.filter(({ type }) => type.startsWith("ext_"))).toEqual([
      { type: "ext_display", extension: "notes", text: "look" },
      { type: "ext_insert", extension: "notes", text: "here" },
      { type: "ext_clear_notes", extension: "notes" },
    ]);
  });
});
