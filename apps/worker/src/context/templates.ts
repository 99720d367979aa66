// Prompts that people keep as markdown files and run as `/name arguments`. `$1`, `$2` … are arguments,
// `$ARGUMENTS` and `$@` all of them; all are put in at once, so that an argument is never read as a template.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type CommandOutcome, type SlashCommand, splitArguments } from "../features/slash-command.ts";
import type { ShowNotice } from "../output/notices.ts";
import { FileCache } from "./file-cache.ts";
import { fieldText, readFrontMatter } from "./front-matter.ts";

/** A prompt longer than this is a document; it can be mentioned with @. */
const maxBytes = 64 * 1024;
const maxPerDirectory = 200;
const maxDescription = 200;
const fileShape = /^([A-Za-z0-9][\w.-]{0,63})\.md$/;

interface Template extends SlashCommand {
  readonly body: string;
}

export class Templates {
  readonly #home: string;
  readonly #notice: ShowNotice;
  readonly #files = new FileCache(maxBytes);
  #found = new Map<string, Template>();

  constructor(home: string, notice: ShowNotice) {
    this.#home = home;
    this.#notice = notice;
  }

  async refresh(cwd: string): Promise<void> {
    const found = new Map<string, Template>();
    const directories = [
      join(cwd, ".patchbay/prompts"),
      join(cwd, ".claude/commands"),
      join(this.#home, "prompts"),
    ];
    for (const directory of directories) {
      for (const name of await namesIn(directory)) {
        const template = found.has(name) ? null : await this.#read(join(directory, `${name}.md`), name);
        if (template !== null) found.set(name, template);
      }
    }
    this.#found = found;
  }

  async #read(path: string, name: string): Promise<Template | null> {
    try {
      const file = await this.#files.read(path);
      if (file === null) return null;
      if (file.left > 0) throw new Error(`it is longer than ${maxBytes} bytes`);
      const { fields, body } = await readFrontMatter(file.text);
      const hint = fieldText(fields["argument-hint"]);
      const description = fieldText(fields["description"]) ?? firstLine(body);
      return {
        name,
        description: description.slice(0, maxDescription),
        source: "prompt",
        ...(hint === undefined ? {} : { hint }),
        body: body.trim(),
      };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#notice(`the prompt ${path} cannot be used: ${problem}`);
      return null;
    }
  }

  commands(): SlashCommand[] {
    return [...this.#found.values()].map(({ body: _body, ...command }) => command);
  }

  /** Null: there is no prompt of this name. */
  run(name: string, args: string): CommandOutcome | null {
    const template = this.#found.get(name);
    if (template === undefined) return null;
    const text = fill(template.body, args.trim());
    if (text === "") throw new Error(`the prompt /${name} is empty; write something into its file`);
    return { action: "prompt", text };
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names
      .flatMap((name) => fileShape.exec(name)?.[1] ?? [])
      .sort()
      .slice(0, maxPerDirectory);
  } catch {
    return []; // there is none, which is usual
  }
}

const firstLine = (body: string): string => body.trim().split("\n")[0] ?? "";

const place = /\$(?:(\d{1,2})|(ARGUMENTS\b|@))/g;

export function fill(body: string, args: string): string {
  if (!body.includes("$") || body.search(place) === -1) return args === "" ? body : `${body}\n\n${args}`;
  const values = splitArguments(args);
  return body.replace(place, (_all, number: string | undefined) =>
    number === undefined ? args : (values[Number(number) - 1] ?? ""),
  );
}
