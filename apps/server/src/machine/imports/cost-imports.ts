// The import of costs as something that runs: one at a time, and whoever asks while it runs is told of that one.
import type { CostImport } from "@patchbay/protocol";
import { type ImportOptions, importCosts, importFile, Stopped } from "./import-costs.ts";
import type { ProgramName } from "./places.ts";

export interface CostWish {
  from?: string | undefined;
  dry_run?: boolean | undefined;
}

export interface CostImportsOptions extends Pick<ImportOptions, "store" | "environment" | "prices"> {
  /** Where `from` leads, or why it may not be used. */
  directory(from: string): string;
  failed(error: unknown): void;
}

export class CostImports {
  readonly #options: CostImportsOptions;
  readonly #stop = new AbortController();
  #latest: CostImport | null = null;
  #running: Promise<CostImport> | null = null;

  constructor(options: CostImportsOptions) {
    this.#options = options;
  }

  /** The one that runs, or ran last since the start. */
  get latest(): CostImport | null {
    return this.#latest;
  }

  /** Starts one unless one is running; answers how it stands at once. */
  start(wish: CostWish): CostImport {
    if (this.#running !== null && this.#latest !== null) return this.#latest;
    const { begun, running } = this.#begin(wish);
    void running; // it never rejects, and `latest` tells how it ended
    return begun;
  }

  /** One of one's own, behind the one that may be running, to its end. */
  async runToEnd(wish: CostWish): Promise<CostImport> {
    while (this.#running !== null) await this.#running;
    return this.#begin(wish).running;
  }

  #begin(wish: CostWish): { begun: CostImport; running: Promise<CostImport> } {
    const { directory, failed } = this.#options;
    const from = wish.from === undefined ? undefined : directory(wish.from);
    const begun: CostImport = {
      state: "running",
      dry_run: wish.dry_run ?? false,
      ...(from === undefined ? {} : { from }),
      started_at: new Date().toISOString(),
      programs: [],
      problems: [],
    };
    this.#latest = begun;
    const run = this.#run(from, begun.dry_run).catch((error: unknown) => {
      if (!(error instanceof Stopped)) failed(error);
      const words = error instanceof Error ? error.message : String(error);
      const told = this.#latest ?? begun;
      return { ...told, state: "failed" as const, ended_at: new Date().toISOString(), error: words };
    });
    const running = run.then((report) => {
      this.#latest = report;
      this.#running = null;
      return report;
    });
    this.#running = running;
    return { begun, running };
  }

  /** What one session file says, when its session is continued here. */
  async file(program: ProgramName, path: string): Promise<void> {
    const { store, environment, prices } = this.#options;
    await importFile({ store, environment, prices, dryRun: false }, program, path);
  }

  /** Ends with what has been read so far; the next one goes on there. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #run(from: string | undefined, dryRun: boolean): Promise<CostImport> {
    const { store, environment, prices } = this.#options;
    return importCosts({
      store,
      environment,
      prices,
      from,
      dryRun,
      signal: this.#stop.signal,
      progress: (report) => {
        this.#latest = report;
      },
    });
  }
}
