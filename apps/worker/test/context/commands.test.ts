// Prompt files and skills as slash commands, over rpc and at the start of a prompt.
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, startRig } from "../rig.ts";
import { putFile } from "./put-file.ts";

const commandsFrom = async (rig: Rig, source: string): Promise<unknown[]> => {
  const listed = dig(await rig.worker.ask({ type: "get_commands" }), "data", "commands");
  return Array.isArray(listed) ? listed.filter((command) => dig(command, "source") === source) : [];
};

describe("prompts and skills as commands", () => {
  it("[N10] prompt files are listed with description and hint, the project's first, and found at once", async () => {
    await using rig = await startRig();
    await putFile(
      rig.directory,
      ".claude/commands/review.md",
      "---\ndescription: Review a file: carefully\nargument-hint: [file] [focus]\n---\nReview $1 for $2.",
    );
    await putFile(rig.home, ".patchbay/prompts/review.md", "shadowed");
    await putFile(rig.home, ".patchbay/prompts/tidy.md", "Tidy up.\nAll of it.");
    await putFile(rig.directory, ".patchbay/prompts/broken.md", "---\nno end");
    expect(await commandsFrom(rig, "prompt")).toEqual([
      { name: "review", description: "Review a file: carefully", source: "prompt", hint: "[file] [focus]" },
      { name: "tidy", description: "Tidy up.", source: "prompt" },
    ]);
    expect(await rig.worker.next("ext_notify")).toMatchObject({
      message: expect.stringContaining("broken.md cannot be used: its front matter has no closing --- line"),
    });
    const frames = await rig.worker.prompt('/review src/a.ts "race conditions"');
    expect(dig(only(frames, "user_message")[0], "content", 0, "text")).toBe(
      "Review src/a.ts for race conditions.",
    );
    await putFile(rig.directory, ".patchbay/prompts/new.md", "Brand new: $ARGUMENTS");
    rig.worker.send({ type: "run_command", name: "new", args: "and shiny" });
    await rig.worker.next("done");
    expect(rig.model.requests.at(-1)?.userText).toBe("Brand new: and shiny");
  });

  it("[N10] an empty prompt file says so, and an unknown name goes to the model", async () => {
    await using rig = await startRig();
    await putFile(rig.directory, ".patchbay/prompts/nothing.md", "---\ndescription: none\n---\n");
    expect(await rig.worker.ask({ type: "run_command", name: "nothing" })).toMatchObject({
      success: false,
      error: "the prompt /nothing is empty; write something into its file",
    });
    await rig.worker.prompt("/etc/hosts is what?");
    expect(rig.model.requests.at(-1)?.userText).toBe("/etc/hosts is what?");
  });

  it("[N11] /skill:name gives the model the skill, and the prompt stays as it was written", async () => {
    await using rig = await startRig();
    await putFile(
      rig.directory,
      ".claude/skills/deploy/SKILL.md",
      "---\nname: deploy\ndescription: Ships it\n---\nRun scripts/ship.sh.",
    );
    expect(await commandsFrom(rig, "skill")).toMatchObject([
      { name: "skill:deploy", description: "Ships it" },
    ]);
    const frames = await rig.worker.prompt("/skill:deploy to staging");
    const [message] = only(frames, "user_message");
    expect(dig(message, "content", 0, "text")).toBe("/skill:deploy to staging");
    expect(dig(message, "content", 1)).toMatchObject({
      mention: "skill:deploy",
      text: expect.stringContaining("Run scripts/ship.sh."),
    });
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).toContain("Run scripts/ship.sh.");
    rig.worker.send({ type: "run_command", name: "skill:deploy" });
    const turn = await rig.worker.turn();
    expect(dig(only(turn, "user_message")[0], "content", 1, "mention")).toBe("skill:deploy");
  });
});
