// Directories that are held, not named: no link is followed and no name leaves them, also when they are moved meanwhile.
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HeldDirectory, readBelow, readBelowNow } from "../../../src/machine/files/held-directory.ts";
import { directory } from "../git/repositories.ts";

describe("a held directory", () => {
  it("[L97] is not reached through a link, and neither is anything in it", async () => {
    const root = directory({ "real/a.txt": "a\n" });
    const elsewhere = directory({ "b.txt": "b\n" });
    symlinkSync(elsewhere, join(root, "link"));
    symlinkSync(join(elsewhere, "new.txt"), join(root, "real/new.txt"));
    await expect(HeldDirectory.open(join(root, "link"))).rejects.toThrow("through a link");
    await expect(HeldDirectory.open(join(root, "real/a.txt"))).rejects.toThrow("not a directory");
    await using held = await HeldDirectory.open(root);
    await expect(held.child("link")).rejects.toThrow("through a link");
    await expect(held.ensure("link")).rejects.toThrow("through a link");
    await using real = await held.child("real");
    await expect(real.create("new.txt", "x")).rejects.toThrow("EEXIST");
    expect(await real.readText("new.txt", 100)).toBeUndefined();
    expect(await real.readText("a.txt", 100)).toBe("a\n");
    expect(await real.readText("a.txt", 1)).toBeUndefined();
    expect(readdirSync(elsewhere)).toEqual(["b.txt"]);
    for (const name of ["..", "", "a/b", "a\0"])
      await expect(held.create(name, "")).rejects.toThrow("no name");
    for (const path of ["link/b.txt", "real/../real/a.txt", "real/new.txt", "real"]) {
      expect(await readBelow(root, path, 100)).toBeUndefined();
      expect(readBelowNow(root, Buffer.from(path), 100)).toBeUndefined();
    }
    expect(readBelowNow(root, Buffer.from("real/a.txt"), 100)?.toString()).toBe("a\n");
  });

  it.runIf(process.platform === "linux")(
    "[L97] stays the same when its path leads elsewhere by now",
    async () => {
      const root = directory({ "place/a.txt": "a\n" });
      const other = directory();
      await using held = await HeldDirectory.open(join(root, "place"));
      renameSync(join(root, "place"), join(root, "moved"));
      symlinkSync(other, join(root, "place"));
      await held.create("b.txt", "b\n");
      expect(readFileSync(join(root, "moved/b.txt"), "utf8")).toBe("b\n");
      expect(readdirSync(other)).toEqual([]);
    },
  );

  it("[L97] removes everything in it but what links lead to, whatever the names are", async () => {
    const outside = directory({ "kept.txt": "kept\n" });
    const root = directory({ "tree/deep/a.txt": "a\n", "tree/-rf": "" });
    mkdirSync(Buffer.concat([Buffer.from(`${root}/tree/`), Buffer.from([0xff, 0xfe])]));
    symlinkSync(outside, join(root, "tree/deep/out"));
    await using held = await HeldDirectory.open(root);
    await held.removeTree("tree");
    expect([readdirSync(root), readdirSync(outside)]).toEqual([[], ["kept.txt"]]);
  });
});
