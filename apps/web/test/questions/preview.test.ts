// What an approval shows of a call: all of it, nothing hidden, and folded only until it is opened.
import type { Question } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { approvalAnswers } from "../../src/questions/approvals/approval-answers.ts";
import { isCut, previewOf } from "../../src/questions/approvals/preview.ts";

const asking = (fields: object): Question => ({
  type: "extension_ui_request",
  id: "q",
  method: "select",
  asked_at: "2026-05-01T00:00:00.000Z",
  ...fields,
});
const command = (text: string, more: object = {}) =>
  previewOf(asking({ tool: "bash", args: { command: text, ...more } }));

describe("the preview of an approval", () => {
  it("[P243] shows characters that cannot be seen, or that change the order of others", () => {
    expect(command("echo \u202egpj.exe\u200b\u0007\tx\ny")).toMatchObject({
      text: "echo \\u{202e}gpj.exe\\u{200b}\\u{0007}\tx\ny",
    });
    const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\u202e\n";
    expect(previewOf(asking({ tool: "edit", args: { path: "x" }, diff }))).toMatchObject({
      kind: "diff",
      path: "x",
      lines: expect.arrayContaining([expect.objectContaining({ text: "b\\u{202e}" })]),
    });
  });

  it("[P243] a long one is cut until it is opened", () => {
    expect(isCut(command("ls"))).toBe(false);
    expect(isCut(command("x".repeat(1_201)))).toBe(true);
    expect(isCut(command("x\n".repeat(13)))).toBe(true);
    expect(isCut(previewOf(asking({ tool: "write", args: { path: "x", content: "a\n".repeat(41) } })))).toBe(
      true,
    );
    expect(isCut(previewOf(asking({ tool: "none" })))).toBe(false);
  });

  it("[P243] arguments beside the command are not left out", () => {
    expect(command("ls", { timeout: 5 })).toMatchObject({ language: "bash", text: "ls" });
    expect(command("ls", { cwd: "/" })).toMatchObject({
      language: "json",
      text: expect.stringContaining('"/"'),
    });
  });

  it("[P242] finds the answer that allows once and the one that denies, however an agent names them", () => {
    const options = [
      { label: "Sure, forever", value: "1", kind: "allow_always" },
      { label: "Go", value: "2", kind: "allow_once" },
      { label: "Never", value: "3", kind: "reject_always" },
      { label: "Stop", value: "4", kind: "reject_once" },
    ];
    const { allow, deny, others } = approvalAnswers(asking({ options }));
    expect([allow?.value, deny?.value, others.map(({ value }) => value)]).toEqual(["2", "4", ["1", "3"]]);
    const plain = approvalAnswers(asking({ options: ["Allow once", "Always allow edit", "Deny"] }));
    expect([plain.allow?.value, plain.deny?.value]).toEqual(["Allow once", "Deny"]);
  });
});
