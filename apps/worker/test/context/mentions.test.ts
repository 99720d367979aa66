// `@file` in a prompt: what the model gets, and what stays as it was written.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { messageText } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, startRig } from "../rig.ts";
import { putFile } from "./put-file.ts";

/** The content of the last prompt as the provider received it. */
const given = (rig: Rig): unknown[] => {
  const messages = dig(rig.model.requests.at(-1)?.body, "messages");
  const content = Array.isArray(messages) ? dig(messages.at(-1), "content") : undefined;
  return Array.isArray(content) ? content : [{ type: "text", text: content }];
};
const texts = (rig: Rig): string[] =>
  given(rig).map((block) => String(dig(block, "text") ?? dig(block, "type")));

/** One transparent pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

describe("mentions", () => {
  it("[N7] files, quoted names, directories and images go with the prompt, whose words stay", async () => {
    await using rig = await startRig();
    await putFile(rig.directory, "src/a.ts", "export const a = 1;\n");
    await putFile(rig.directory, "my notes.txt", "remember the milk");
    await putFile(rig.directory, "dot.png", png);
    const words = 'Compare @src/a.ts with @"my notes.txt", look at (@dot.png) and at @src/.';
    const frames = await rig.worker.prompt(words);
    expect(texts(rig)).toEqual([
      words,
      '<file path="src/a.ts">\nexport const a = 1;\n</file>',
      '<file path="my notes.txt">\nremember the milk\n</file>',
      "image",
      '<directory path="src/">\na.ts\n</directory>',
    ]);
    const content = Object(only(frames, "user_message")[0]?.["content"]);
    expect(messageText({ content })).toBe(words);
    expect(dig(content, 1, "mention")).toBe("src/a.ts");
    expect(dig(content, 3)).toMatchObject({ type: "image", mention: "dot.png", bytes: png.length });
  });

  it("[N7] what was given stays given: the file may change, and a restored worker remembers it", async () => {
    await using rig = await startRig();
    await putFile(rig.directory, "plan.md", "first plan");
    await rig.worker.prompt("read @plan.md");
    await putFile(rig.directory, "plan.md", "second plan");
    const kept = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(await rig.worker.ask({ type: "restore", messages: kept })).toMatchObject({ success: true });
    await rig.worker.prompt("and now?");
    const body = JSON.stringify(rig.model.requests.at(-1)?.body);
    expect(body).toContain("first plan");
    expect(body).not.toContain("second plan");
  });

  it("[N8] what names no file is only a word; one file is given once", async () => {
    await using rig = await startRig();
    await putFile(rig.directory, "a.txt", "A");
    const words = "Ask me@a.txt or @nobody or @override about @a.txt, @./a.txt and `@a.txt`!";
    await rig.worker.prompt(words);
    expect(texts(rig)).toEqual([words, '<file path="a.txt">\nA\n</file>']);
  });

  it("[N8] a long file is cut, one that is no text is named, and there is an end to how much goes along", async () => {
    await using rig = await startRig();
    await putFile(rig.directory, "blob.bin", new Uint8Array([1, 0, 2]));
    for (const name of ["a", "b", "c", "d", "e"]) {
      await putFile(rig.directory, name, `${name} begins\n${`${"0123456789".repeat(10)}\n`.repeat(1_000)}`);
    }
    await mkdir(join(rig.directory, "many"));
    await Promise.all(Array.from({ length: 205 }, (_, at) => putFile(rig.directory, `many/${at}`, "")));
    await rig.worker.prompt("@blob.bin @many @a @b @c @d @e");
    const [, blob, many, first, , , fourth, fifth] = texts(rig);
    expect(blob).toContain("[not included: blob.bin looks binary");
    expect(many).toContain("[5 more]");
    expect(first).toContain("a begins");
    expect(first).toMatch(/continue with offset=\d+\]/);
    expect([fourth, fifth].join("")).toContain("[not included: the files before it filled");
    expect(texts(rig).join("").length).toBeLessThan(250_000);
  });
});
