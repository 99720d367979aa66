// Slash commands over rpc, without any source of them; those of extensions have tests of their own.
import { describe, expect, it } from "vitest";
import { dig, only, startRig } from "../rig.ts";

describe("slash commands", () => {
  it("[E1] an unknown command is refused with what there is", async () => {
    await using rig = await startRig();
    expect(dig(await rig.worker.ask({ type: "get_commands" }), "data", "commands")).toBeInstanceOf(Array);
    const answer = await rig.worker.ask({ type: "run_command", name: "dance" });
    expect(answer).toMatchObject({ success: false });
    expect(answer["error"]).toMatch(/there is no command \/dance; available: /);
  });

  it("[E2] words after a slash that no command has go to the model as they are", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "a path" });
    const frames = await rig.worker.prompt("/usr/bin is what?");
    expect(dig(only(frames, "user_message")[0], "content", 0, "text")).toBe("/usr/bin is what?");
    expect(JSON.stringify(rig.model.requests[0]?.body)).toContain("/usr/bin is what?");
  });
});
