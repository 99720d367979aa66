// A home directory in which other programs have left session files, as recorded in testing/session-files.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { Catalog } from "../../../src/costs/prices/catalog.ts";
import { Prices } from "../../../src/costs/prices/prices.ts";

/** The recorded models are in no catalog. */
export const prices = new Prices(Catalog.shipped(), {});

const places = {
  pi: ".pi/agent/sessions/--work-project--",
  omp: ".omp/agent/sessions/-work-project",
  zot: ".local/state/zot/sessions/0011223344556677",
  claude: ".claude/projects/-work-project",
} as const;
type Program = keyof typeof places;

export class Outside implements Disposable {
  readonly home: string;
  readonly project: string;
  readonly #isOwn: boolean;

  /** In the home of a server, or in one of its own. */
  constructor(home?: string) {
    this.#isOwn = home === undefined;
    this.home = home ?? realpathSync(mkdtempSync(join(tmpdir(), "patchbay-outside-")));
    this.project = join(this.home, "project");
    mkdirSync(this.project, { recursive: true });
  }

  get environment(): Record<string, string> {
    return { HOME: this.home };
  }

  path(program: Program, name: string): string {
    return join(this.home, places[program], `${name}.jsonl`);
  }

  /** A recorded file, as if it had been written for the project. */
  record(program: Program, ...names: string[]): void {
    for (const name of names) {
      const text = readFileSync(join(repository, `testing/session-files/${program}/${name}.jsonl`), "utf8");
      this.write(program, name, text.replaceAll("/work/project", this.project));
    }
  }

  write(program: Program, name: string, text: string): void {
    const path = this.path(program, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  append(program: Program, name: string, text: string): void {
    appendFileSync(this.path(program, name), text);
  }

  [Symbol.dispose](): void {
    if (this.#isOwn) rmSync(this.home, { recursive: true, force: true });
  }
}
