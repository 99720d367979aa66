// Runs imports of costs, one at a time. A request while one runs returns the running one.
import type { CostImport } from "@patchbay/protocol";
import type { ProgramName } from "../../machine/machine.ts";
import { type ImportOptions, ImportStopped, importCosts, importFile } from "./import-costs.ts";

export interface CostImportRequest {
  from?: string | undefined;
  dry_run?: boolean | undefined;
}

export interface CostImportsOptions
  extends Pick<ImportOptions, "store" | "imports" | "prices" | "settled" | "planLimits"> {
  /** Resolves `from`; rejects when the directory may not be used. */
  directory(from: string): Promise<string>;
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

  /** The running import, or the last one since the server started. */
  get latest(): CostImport | null {
    return this.#latest;
  }

  /** Starts an import unless one is running. Returns its progress at once. */
  async start(request: CostImportRequest): Promise<CostImport> {
    const from = await this.#directoryOf(request);
    if (this.#running !== null && this.#latest !== null) return this.#latest;
    const { begun, running } = this.#begin(from, request);
    void running; // it never rejects, and `latest` has its outcome
    return begun;
  }

  /** Waits for a running import, then runs this one to its end. */
  async runToEnd(request: CostImportRequest): Promise<CostImport> {
    const from = await this.#directoryOf(request);
    while (this.#running !== null) await this.#running;
    return this.#begin(from, request).running;
  }

  async #directoryOf({ from }: CostImportRequest): Promise<string | undefined> {
    return from === undefined ? undefined : this.#options.directory(from);
  }

  #begin(
    from: string | undefined,
    request: CostImportRequest,
  ): { begun: CostImport; running: Promise<CostImport> } {
    const { failed } = this.#options;
    const begun: CostImport = {
      state: "running",
      dry_run: request.dry_run ?? false,
      ...(from === undefined ? {} : { from }),
      started_at: new Date().toISOString(),
      programs: [],
      problems: [],
    };
    this.#latest = begun;
    const run = this.#run(from, begun.dry_run).catch((error: unknown) => {
      if (!(error instanceof ImportStopped)) failed(error);
      const message = error instanceof Error ? error.message : String(error);
      const latest = this.#latest ?? begun;
      return { ...latest, state: "failed" as const, ended_at: new Date().toISOString(), error: message };
    });
    const running = run.then((report) => {
      this.#latest = report;
      this.#running = null;
      return report;
    });
    this.#running = running;
    return { begun, running };
  }

  /** Imports the costs of one session file, when its session is continued here. */
  async file(program: ProgramName, path: string): Promise<void> {
    await importFile({ ...this.#shared, dryRun: false }, program, path);
  }

  get #shared(): Pick<ImportOptions, "store" | "imports" | "prices" | "settled" | "planLimits"> {
    const { store, imports, prices, settled, planLimits } = this.#options;
    return {
      ...{ store, imports, prices },
      ...(settled === undefined ? {} : { settled }),
      ...(planLimits === undefined ? {} : { planLimits }),
    };
  }

  /** Stops a running import. The next one continues where it ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #run(from: string | undefined, dryRun: boolean): Promise<CostImport> {
    return importCosts({
      ...this.#shared,
      from,
      dryRun,
      signal: this.#stop.signal,
      progress: (report) => {
        this.#latest = report;
      },
    });
  }
}
