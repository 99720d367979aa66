// The dependency order of README.md: a folder of the page imports only folders that come after it. Type imports count.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";

const source = join(repository, "apps/web/src");
const readme = readFileSync(join(repository, "apps/web/README.md"), "utf8");

/** The folders in the numbered list, from the one that sees most to the ones that see nothing. */
const order = [...readme.matchAll(/^\d\. (.*)$/gm)]
  .slice(1) // the files of src itself
  .flatMap(([, line = ""]) => [...line.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name));

const folderOf = (file: string): string => relative(source, file).split(sep)[0] ?? "";

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && entry.parentPath !== source)
  .map((entry) => join(entry.parentPath, entry.name));

describe("the folders of the page", () => {
  it("are all in the order of the README", () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual([...order].sort());
  });

  it("import only folders that come after them", () => {
    const wrong = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
        .map(([, target = ""]) => resolve(dirname(file), target))
        .filter((target) => order.indexOf(folderOf(target)) < order.indexOf(folderOf(file)))
        .map((target) => `${relative(source, file)} -> ${relative(source, target)}`),
    );
    expect(wrong).toEqual([]);
  });
});
