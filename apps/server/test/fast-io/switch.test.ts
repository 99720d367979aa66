// The switch of the fast I/O: without it, sessions do the same.
import { startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { actorConfig, openSession, startActor } from "../support/actor.ts";

describe("fast I/O", () => {
  it.each([[false], [["read-pace"]], [["read-buffers", "text-frame"]]])(
    "[S10] with fast_io %j a flood, a long line and a question arrive whole",
    async (fast_io) => {
      await using server = await startActor({ fast_io });
      await using viewer = await openSession(server);
      for (const message of ["flood 5000 300", "line 300000", "say hello"]) {
        const before = viewer.transcript.marks.length;
        await viewer.ask({ type: "prompt", message });
        await viewer.until(() => viewer.transcript.marks.length > before);
        await viewer.state("idle");
      }
      const text = JSON.stringify(viewer.transcript.messages);
      for (const part of ["4999 x", "y".repeat(300_000), "hello"]) expect(text).toContain(part);
    },
  );

  it("[S10] a name that there is not is refused with those that there are", async () => {
    await expect(
      startServer({ config: actorConfig(), env: { PATCHBAY_FAST_IO: "read-buffers,turbo" } }),
    ).rejects.toThrow(
      '"turbo" is not valid. Use on, off, or a comma-separated list of read-buffers, read-pace, text-frame',
    );
  });
});
