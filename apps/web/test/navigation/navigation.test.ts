// @vitest-environment happy-dom
// The addresses of the pane with files, and the keys of actions.
import { describe, expect, it } from "vitest";
import { actionKeys, pressedKey } from "../../src/navigation/action-keys.ts";
import { filesAddress, readFilesPlace } from "../../src/navigation/files-address.ts";
import { shortcutGroups } from "../../src/shortcuts/shortcut-list.ts";

const read = (address: string, beside: string | null = null) => {
  const { pathname, searchParams } = new URL(address, "http://page");
  return readFilesPlace({ session: pathname.split("/")[2] ?? null, beside }, searchParams);
};

describe("the address of files", () => {
  it("[P283] names a file, a line of it, or its changes", () => {
    expect(filesAddress("s1")).toBe("/sessions/s1/files");
    expect(read("/sessions/s1/files")).toEqual({ of: "s1", tab: "changes", path: "", line: null });
    expect(filesAddress("s1", { path: "a b/c.ts", line: 7 })).toBe(
      "/sessions/s1/files?path=a+b%2Fc.ts&line=7",
    );
    for (const place of [
      { tab: "files", path: "a b/c.ts", line: 7 },
      { tab: "changes", path: "c.ts", line: null },
      { tab: "files", path: "", line: null },
    ] as const)
      expect(read(filesAddress("s1", place))).toEqual({ of: "s1", ...place });
  });

  it("[P283] is read as far as it makes sense", () => {
    for (const line of ["0", "-3", "1.5", "x", "1e99"])
      expect(read(`/sessions/s1/files?path=a&line=${line}`)?.line).toBeNull();
    expect(read("/sessions/s1/files?tab=terminal")?.tab).toBe("changes");
    expect(read("/sessions/s1/files?with=s2&of=s2", "s2")?.of).toBe("s2");
    expect(read("/sessions/s1/files?of=s9")?.of).toBe("s1");
  });
});

describe("the keys of actions", () => {
  it("[P288] are read without Caps Lock, and with Shift where it is pressed", () => {
    expect(pressedKey({ key: "d", shiftKey: false })).toBe(actionKeys.files);
    expect(pressedKey({ key: "C", shiftKey: true })).toBe(actionKeys.compact);
    expect(pressedKey({ key: "C", shiftKey: false })).toBe("C");
    expect(pressedKey({ key: "?", shiftKey: true })).toBe(actionKeys.shortcuts);
    expect(pressedKey({ key: "F6", shiftKey: true })).toBe(actionKeys.previousPane);
  });

  it("[P288] are different, and all in the sheet", () => {
    const keys = Object.values(actionKeys);
    expect(new Set(keys).size).toBe(keys.length);
    const listed = shortcutGroups().flatMap((group) =>
      group.keys.flatMap((shortcut) => shortcut.keys.split("|")),
    );
    expect(listed).toEqual(expect.arrayContaining(keys));
  });
});
