// Skills: found in six places, named in the prompt, loaded when the model asks.
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, runTool, startRig } from "../rig.ts";
import { putFile } from "./put-file.ts";

const skill = (name: string, description: string, body = "Do it well."): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

const systemOf = (rig: Rig): string => JSON.stringify(dig(rig.model.requests.at(-1)?.body, "system"));

describe("skills", () => {
  it("[N4] are named with their descriptions from all places, the project's before the person's", async () => {
    await using rig = await startRig();
    const places = [
      [rig.directory, ".patchbay/skills/one"],
      [rig.directory, ".zot/skills/two"],
      [rig.directory, ".claude/skills/three"],
      [rig.directory, ".agents/skills/four"],
      [rig.home, ".patchbay/skills/five"],
      [rig.home, ".claude/skills/six"],
    ] as const;
    for (const [root, place] of places) {
      const name = place.split("/").at(-1) ?? "";
      await putFile(root, `${place}/SKILL.md`, skill(name, `for ${name}`, "SECRET BODY"));
    }
    await putFile(rig.home, ".patchbay/skills/one/SKILL.md", skill("one", "shadowed"));
    await putFile(rig.home, "kept/seven/SKILL.md", skill("seven", "use when: it is linked"));
    await symlink(join(rig.home, "kept/seven"), join(rig.directory, ".agents/skills/seven"));
    await rig.worker.prompt("hello");
    const system = systemOf(rig);
    for (const name of ["one", "two", "three", "four", "five", "six"]) {
      expect(system).toContain(`- ${name}: for ${name}`);
    }
    expect(system).toContain("- seven: use when: it is linked");
    expect(system).not.toContain("SECRET BODY");
    expect(system).not.toContain("shadowed");
    expect(rig.model.requests.at(-1)?.tools).toContain("skill");
  });

  it("[N5] the skill tool gives the body and its directory; a wrong name is answered with the right ones", async () => {
    await using rig = await startRig();
    const path = await putFile(
      rig.directory,
      ".claude/skills/deploy/SKILL.md",
      skill("deploy", "Ships it", "Run scripts/ship.sh."),
    );
    const loaded = await runTool(rig, "skill", { name: "deploy" });
    expect(loaded).toMatchObject({ isError: false });
    expect(loaded.text).toBe(
      `<skill name="deploy" directory="${join(path, "..")}">\nRun scripts/ship.sh.\n</skill>`,
    );
    const wrong = await runTool(rig, "skill", { name: "destroy" });
    expect(wrong).toMatchObject({ isError: true, text: 'there is no skill "destroy"; available: deploy' });
  });

  it("[N6] what cannot be read is said once and stops nobody else; mended, it is there", async () => {
    await using rig = await startRig();
    const place = ".patchbay/skills";
    await putFile(rig.directory, `${place}/good/SKILL.md`, skill("good", "works"));
    await putFile(rig.directory, `${place}/open/SKILL.md`, "---\nname: open\n");
    await putFile(rig.directory, `${place}/silent/SKILL.md`, "---\nname: silent\n---\nwhat for?");
    await putFile(rig.directory, `${place}/odd/SKILL.md`, skill("../../etc", "climbs"));
    await putFile(rig.directory, `${place}/list/SKILL.md`, "---\n- a\n- b\n---\n");
    const frames = await rig.worker.prompt("hello");
    const notices = only(frames, "ext_notify").map((frame) => String(frame["message"]));
    expect(notices).toHaveLength(4);
    expect(notices.join("\n")).toMatch(
      /open\/SKILL\.md cannot be used: its front matter has no closing --- line/,
    );
    expect(notices.join("\n")).toMatch(
      /silent\/SKILL\.md cannot be used: its front matter has no description/,
    );
    expect(notices.join("\n")).toMatch(/odd\/SKILL\.md cannot be used: its name "..\/..\/etc" may have/);
    expect(notices.join("\n")).toMatch(/list\/SKILL\.md cannot be used: its front matter/);
    expect(systemOf(rig)).toContain("- good: works");
    await putFile(rig.directory, `${place}/silent/SKILL.md`, skill("silent", "speaks now"));
    const later = await rig.worker.prompt("again");
    expect(only(later, "ext_notify")).toEqual([]);
    expect(systemOf(rig)).toContain("- silent: speaks now");
  });

  it("[N6] --no-skills: none is looked for, and there is no tool; zot's --with-skills is accepted", async () => {
    await using rig = await startRig({ args: ["--no-skills", "--with-skills"] });
    await putFile(rig.directory, ".zot/skills/x/SKILL.md", skill("x", "unwanted"));
    await rig.worker.prompt("hello");
    expect(systemOf(rig)).not.toContain("unwanted");
    expect(rig.model.requests.at(-1)?.tools).not.toContain("skill");
  });
});
