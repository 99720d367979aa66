// What stands around the transcript: statuses, widgets, title, panels, settings, and what became of questions
// and retries.
import { emptyUiState, type Frame, foldTranscript } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { errorFrame, exited, foldAll, frame, time, turnEnd, turnStart, user } from "../make-frames.ts";

const ui = (method: string, fields: object): Frame =>
  frame({ type: "extension_ui_request", id: "u1", method, ...fields });
const status = (statusKey: string, statusText?: string): Frame => ui("setStatus", { statusKey, statusText });
const panel = (panel_id: string, lines: string[], extension = "todo"): Frame =>
  frame({ type: "ext_panel", extension, panel_id, title: "Todo", lines, footer: "Esc closes" });
const settings = frame({ type: "settings", thinking_level: "high", auto_retry: true, secret: "not ours" });

const everything = [
  status("build", "green"),
  ui("setWidget", { widgetKey: "plan", widgetLines: ["1. look", "2. leap"], widgetPlacement: "belowEditor" }),
  ui("setTitle", { title: " Releasing " }),
  panel("p", ["one"]),
  settings,
];

describe("the UI state", () => {
  it("[V1] holds statuses, widgets, title, panels and settings", () => {
    expect(foldAll(everything).surface).toEqual({
      ...emptyUiState,
      title: "Releasing",
      statuses: [{ key: "build", text: "green" }],
      widgets: [{ key: "plan", lines: ["1. look", "2. leap"], placement: "below" }],
      panels: [{ extension: "todo", id: "p", title: "Todo", lines: ["one"], footer: "Esc closes" }],
      settings: { thinking_level: "high", auto_retry: true },
    });
  });

  it("[V1] what is said again takes its old place", () => {
    const { statuses, panels } = foldAll([
      status("a", "1"),
      status("b", "2"),
      status("a", "3"),
      panel("p", ["old"]),
      panel("p", ["other extension"], "guard"),
      panel("p", ["new"]),
    ]).surface;
    expect(statuses).toEqual([
      { key: "a", text: "3" },
      { key: "b", text: "2" },
    ]);
    expect(panels.map(({ lines }) => lines)).toEqual([["new"], ["other extension"]]);
  });

  it("[V2] goes away when it has no content, or is closed", () => {
    const gone = [
      status("build"),
      ui("setWidget", { widgetKey: "plan", widgetLines: null }),
      ui("setTitle", { title: "" }),
      frame({ type: "ext_panel_close", extension: "todo", panel_id: "p" }),
    ];
    const { settings: kept, ...rest } = foldAll([...everything, ...gone]).surface;
    expect({ ...rest, settings: null }).toEqual(emptyUiState);
    const idle = foldAll([]);
    for (const again of gone) expect(foldTranscript(idle, again)).toBe(idle);
    expect(kept).not.toBeNull();
  });

  it("[V3] ends with the worker, but for the settings", () => {
    const { surface } = foldAll([...everything, exited()]);
    expect(surface).toEqual({ ...emptyUiState, settings: { thinking_level: "high", auto_retry: true } });
  });

  it("[V3] survives a clear: it is not part of what was said", () => {
    const cleared = frame({ type: "cleared", time });
    expect(foldAll([...everything, cleared]).surface).toEqual(foldAll(everything).surface);
  });

  it("[V4] is bounded in number and length", () => {
    const many = Array.from({ length: 200 }, (_, index) => [
      status(`s${index}`, "x".repeat(9_000)),
      ui("setWidget", { widgetKey: `w${index}`, widgetLines: Array.from({ length: 500 }, () => "y") }),
      panel(
        `p${index}`,
        Array.from({ length: 5_000 }, () => "z".repeat(3_000)),
      ),
      frame({ type: "extension_ui_request", id: `q${index}`, method: "input", title: "t".repeat(5_000) }),
    ]).flat();
    const { surface } = foldAll(many);
    expect(surface.statuses.at(-1)?.key).toBe("s199");
    expect(surface.widgets.at(-1)?.key).toBe("w199");
    expect(JSON.stringify(surface).length).toBeLessThan(4 * 1024 * 1024);
  });

  it("[V1] an unasked compaction is shown until it is over", () => {
    const start = frame({ type: "auto_compaction_start", reason: "threshold" });
    const end = frame({ type: "auto_compaction_end", aborted: false, willRetry: true });
    expect(foldAll([start]).surface.compacting).toBe("threshold");
    expect(foldAll([start, end]).surface.compacting).toBeNull();
    const failed = frame({
      type: "auto_compaction_end",
      aborted: false,
      willRetry: false,
      errorMessage: "no model",
    });
    expect(foldAll([start, failed]).marks).toMatchObject([
      { kind: "notice", level: "warn", text: "no model" },
    ]);
  });
});

describe("notices", () => {
  it("[V5] are counted when they are said again", () => {
    const said = ui("notify", { message: "saved", notifyType: "warning" });
    const { marks } = foldAll([said, said, said, ui("notify", { message: "other" })]);
    expect(marks).toEqual([
      { kind: "notice", at: 0, source: "extension", level: "warn", text: "saved", count: 3 },
      { kind: "notice", at: 0, source: "extension", level: "info", text: "other" },
    ]);
  });

  it("[V5] keep the newest hundred of a flood", () => {
    const flood = Array.from({ length: 1_000 }, (_, index) => ui("notify", { message: `n${index}` }));
    const { marks } = foldAll([user("hi"), errorFrame("first"), ...flood]);
    expect(marks.length).toBe(100);
    expect(marks.at(-1)).toMatchObject({ text: "n999" });
  });

  it("[V5] name the extension that failed", () => {
    const failed = frame({
      type: "extension_error",
      extensionPath: "/home/me/.patchbay/extensions/guard/",
      event: "tool_call",
      error: "it died",
    });
    expect(foldAll([failed]).marks).toEqual([
      { kind: "notice", at: 0, source: "guard", level: "error", text: "tool_call: it died" },
    ]);
  });
});

describe("a settled question", () => {
  const ask = frame({ type: "extension_ui_request", id: "q", method: "confirm", title: "Sure?" });
  const resolved = (how: object): Frame => frame({ type: "ui_resolved", id: "q", time, ...how });

  it.each([
    [{ by: "viewer", confirmed: true }, "Yes"],
    [{ by: "viewer", confirmed: false }, "No"],
    [{ by: "viewer", value: "allow" }, "allow"],
    [{ by: "viewer", value: "Deny", reason: "too wide" }, "Deny: too wide"],
    [{ by: "viewer", cancelled: true }, null],
    [{ by: "timeout", cancelled: true }, null],
  ])("[V6] %j is a mark", (how, answer) => {
    const { marks, surface } = foldAll([ask, resolved(how)]);
    expect(marks).toEqual([
      { kind: "question", at: 0, id: "q", method: "confirm", title: "Sure?", answer, by: how.by },
    ]);
    expect(surface.asked).toEqual([]);
  });

  it("[V6] that was never asked is none", () => {
    expect(foldAll([resolved({ by: "viewer", confirmed: true })]).marks).toEqual([]);
  });
});

describe("a retry", () => {
  const start = (attempt: number): Frame =>
    frame({ type: "auto_retry_start", attempt, maxAttempts: 3, delayMs: 2_000, errorMessage: "529", time });
  const end = (success: boolean): Frame => frame({ type: "auto_retry_end", success, attempt: 2 });

  it("[V7] is one mark, however many attempts", () => {
    const waiting = foldAll([user("hi"), turnStart(), start(1), start(2)]);
    expect(waiting.marks).toEqual([
      {
        kind: "retry",
        at: 1,
        attempt: 2,
        max_attempts: 3,
        delay_ms: 2_000,
        time,
        error: "529",
        outcome: "waiting",
      },
    ]);
    expect(foldAll([end(true)], waiting).marks).toMatchObject([{ outcome: "succeeded" }]);
    expect(foldAll([end(false), turnEnd("error", "529")], waiting).marks[0]).toMatchObject({
      outcome: "failed",
    });
  });
});
