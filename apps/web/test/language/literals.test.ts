// Every text that a person reads is in the catalogue of its folder (`texts.ts`), and every catalogue has a German translation.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

const source = join(repository, "apps/web/src");

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)));

/** Attributes whose value a person sees or hears. */
const readAttributes =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|title|placeholder|alt|label|hint|description|text|legend|heading|name_?label|empty|note)$/;

const isText = (value: unknown): value is string => typeof value === "string" && /\p{L}{2}/u.test(value);

interface SyntaxNode {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";

/** Texts that are written in JSX: between tags, or as the value of an attribute that is read. */
function literalsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "JSXText" && isText(node["value"])) found.push(node["value"].trim());
    if (node.type === "JSXAttribute") {
      const name = String((node["name"] as { name?: unknown }).name);
      if (readAttributes.test(name)) found.push(...stringsIn(node["value"]));
      else if (isNode(node["value"])) visit(node["value"]);
      return;
    }
    if (node.type === "JSXElement" || node.type === "JSXFragment") {
      for (const child of node["children"] as SyntaxNode[])
        if (child.type === "JSXExpressionContainer") found.push(...stringsIn(child["expression"]));
    }
    for (const value of Object.values(node)) {
      if (isNode(value)) visit(value);
      else if (Array.isArray(value)) value.filter(isNode).forEach(visit);
    }
  };
  visit(parseSync(file, readFileSync(join(source, file), "utf8")).program as unknown as SyntaxNode);
  return found;
}

/** The strings that an expression can be: its own, those of both branches of a condition, and those of a template. */
function stringsIn(value: unknown): string[] {
  if (!isNode(value)) return [];
  if (value.type === "Literal") return isText(value["value"]) ? [value["value"]] : [];
  if (value.type === "TemplateLiteral")
    return (value["quasis"] as { value: { cooked: string } }[])
      .map(({ value: { cooked } }) => cooked)
      .filter(isText);
  if (value.type === "ConditionalExpression")
    return [...stringsIn(value["consequent"]), ...stringsIn(value["alternate"])];
  if (value.type === "LogicalExpression") return [...stringsIn(value["left"]), ...stringsIn(value["right"])];
  if (value.type === "JSXExpressionContainer") return stringsIn(value["expression"]);
  return [];
}

/** Names of the product, of formats and of keys are the same in every language. */
const sameEverywhere = /^(Patchbay|HTML|Markdown|JSON|JSONL|CSV|PNG|Esc|Tab|Enter|Ctrl|Shift|Alt|Cmd)$/;

describe("texts of the page", () => {
  it("are in the catalogues", () => {
    const found = files
      .filter((file) => file.endsWith(".tsx"))
      .flatMap((file) => literalsOf(file).map((text) => `${file}: ${text}`))
      .filter((line) => !sameEverywhere.test(line.slice(line.indexOf(": ") + 2)));
    expect(found).toEqual([]);
  });

  it("have a German translation in every folder, which german.ts loads", () => {
    const catalogues = files.filter((file) => /(^|\/)texts\.ts$/.test(file));
    const german = readFileSync(join(source, "german.ts"), "utf8");
    expect(catalogues.length).toBeGreaterThan(0);
    for (const catalogue of catalogues) {
      const translation = catalogue.replace(/\.ts$/, ".de.ts");
      expect(existsSync(join(source, translation)), translation).toBe(true);
      expect(german).toContain(`"./${translation}"`);
      expect(readFileSync(join(source, catalogue), "utf8")).toContain(`defineTexts("${dirname(catalogue)}"`);
    }
  });
});
