// Prompts on their way: kept until answered for, sent again only by their own tab.
import { describe, expect, it } from "vitest";
import { Outbox, type OutboxItem, outgoing } from "../../../src/connection/outgoing/outbox.ts";

function storage(): Pick<Storage, "getItem" | "setItem"> & { full: boolean; data: Map<string, string> } {
  const data = new Map<string, string>();
  return {
    data,
    full: false,
    getItem: (key) => data.get(key) ?? null,
    setItem(key, value) {
      if (this.full) throw new DOMException("full", "QuotaExceededError");
      data.set(key, value);
    },
  };
}

const item = (id: string, more: Partial<OutboxItem> = {}): OutboxItem => ({
  id,
  session: "s",
  viewer: "v",
  message: id,
  at: 1_000,
  ...more,
});

describe("Outbox", () => {
  it("survives a reload until its response", () => {
    const kept = storage();
    new Outbox(() => kept).add(item("a"));
    const after = new Outbox(() => kept);
    expect(after.pending("s", "v").map(({ id }) => id)).toEqual(["a"]);
    expect(after.remove("a")?.message).toBe("a");
    expect(new Outbox(() => kept).pending("s", "v")).toEqual([]);
    expect(after.remove("a")).toBeUndefined();
  });

  it("gives a session and a tab only what is theirs, oldest first", () => {
    const kept = storage();
    const outbox = new Outbox(() => kept);
    for (const one of [item("a"), item("b", { session: "other" }), item("c", { viewer: "other" }), item("d")])
      outbox.add(one);
    expect(outbox.pending("s", "v").map(({ id }) => id)).toEqual(["a", "d"]);
  });

  it("takes over what a closed tab left behind, once, and only when it is old", () => {
    const kept = storage();
    const outbox = new Outbox(() => kept);
    outbox.add(item("old", { viewer: "gone", at: 10 }));
    outbox.add(item("new", { viewer: "gone", at: 900 }));
    expect(outbox.takeAbandoned("s", "v", 500).map(({ id }) => id)).toEqual(["old"]);
    expect(outbox.takeAbandoned("s", "v", 500)).toEqual([]);
  });

  it("full storage costs the reload, not the prompt", () => {
    const kept = storage();
    kept.full = true;
    const outbox = new Outbox(() => kept);
    outbox.add(item("a"));
    expect(outbox.pending("s", "v")).toHaveLength(1);
    outbox.remove("a");
    expect(outbox.pending("s", "v")).toEqual([]);
  });

  it("rubbish in storage is no reason to fail", () => {
    const kept = storage();
    kept.data.set("patchbay.outbox", '{"not":"a list"}');
    expect(new Outbox(() => kept).pending("s", "v")).toEqual([]);
  });

  it("is bounded", () => {
    const kept = storage();
    const outbox = new Outbox(() => kept);
    for (let n = 0; n < 60; n++) outbox.add(item(String(n)));
    const left = outbox.pending("s", "v");
    expect([left.length, left[0]?.id]).toEqual([50, "10"]);
  });
});

describe("what is sent", () => {
  it("is a prompt unless it was meant otherwise", () => {
    expect(outgoing(item("a"))).toEqual({ type: "prompt", id: "a", message: "a" });
    expect(outgoing(item("a", { as: "steer" }))).toEqual({ type: "steer", id: "a", message: "a" });
  });

  it("is a command's name, and all that follows it", () => {
    const sent = (message: string) => outgoing(item("a", { message, as: "command" }));
    expect(sent("/review")).toEqual({ type: "run_command", id: "a", name: "review" });
    expect(sent("/skill:pdf  two words\nand a line")).toEqual({
      type: "run_command",
      id: "a",
      name: "skill:pdf",
      args: "two words\nand a line",
    });
  });
});
