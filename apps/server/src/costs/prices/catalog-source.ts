// Refreshes the catalog from the file or address that the operator configured. The last one is saved in the home directory. When a
// refresh fails, the old catalog stays in use and `problem` has the reason.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { errorCode } from "../../diagnostics/error-code.ts";
import { Catalog } from "./catalog.ts";

/** The shipped catalog has 0.2 MB. */
const maxBytes = 8 * 1024 * 1024;
const fetchMs = 30_000;

interface CatalogSourceOptions {
  /** A path, or an http(s) address; undefined: the shipped catalog. */
  source: string | undefined;
  home: string;
  /** Called with every new catalog. */
  changed(catalog: Catalog): void;
  failed(problem: string): void;
}

const SavedCatalog = z.object({
  source: z.string(),
  etag: z.nullable(z.string()),
  fetched_at: z.string(),
  catalog: z.unknown(),
});

export class CatalogSource {
  readonly #options: CatalogSourceOptions;
  readonly #path: string;
  #refreshing: Promise<void> | undefined;
  #etag: string | null = null;
  /** When the current catalog was read from the source; null: it is the shipped one. */
  fetchedAt: string | null = null;
  problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CatalogSourceOptions) {
    this.#options = options;
    this.#path = join(options.home, "prices.json");
  }

  /** The source without its query, which may contain a secret. */
  get name(): string | undefined {
    const { source } = this.#options;
    if (source === undefined || !isAddress(source)) return source;
    const { origin, pathname } = new URL(source);
    return origin + pathname;
  }

  /** Uses the saved catalog at once, then refreshes now and at every interval. */
  async start(everyMs: number): Promise<void> {
    if (this.#options.source === undefined) return;
    await this.useSaved();
    void this.refresh();
    this.#timer = setInterval(() => void this.refresh(), everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#refreshing;
  }

  /** Never rejects: a failure sets `problem`. Concurrent callers share one refresh. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const { source, changed, failed } = this.#options;
    if (source === undefined) return;
    try {
      const got = isAddress(source)
        ? await this.#fetch(source)
        : { text: await readBounded(source), etag: null };
      this.problem = undefined;
      if (got === null) return; // unchanged
      const catalog = Catalog.parse(got.text);
      this.#etag = got.etag;
      this.fetchedAt = new Date().toISOString();
      changed(catalog);
      await this.#save(source, catalog);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.problem = `The price catalog could not be read from ${this.name}: ${why}. The previous one stays in use.`;
      failed(this.problem);
    }
  }

  /** Null: unchanged. */
  async #fetch(address: string): Promise<{ text: string; etag: string | null } | null> {
    const headers: Record<string, string> = this.#etag === null ? {} : { "if-none-match": this.#etag };
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(fetchMs) });
    if (response.status === 304) return null;
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return { text: await textOf(response), etag: response.headers.get("etag") };
  }

  async #save(source: string, { file }: Catalog): Promise<void> {
    const saved = { source, etag: this.#etag, fetched_at: this.fetchedAt, catalog: file };
    const fresh = `${this.#path}.new`;
    await writeFile(fresh, JSON.stringify(saved), { mode: 0o600 }); // the address may contain a secret
    await rename(fresh, this.#path);
  }

  async useSaved(): Promise<void> {
    try {
      const saved = SavedCatalog.parse(JSON.parse(await readBounded(this.#path)));
      if (saved.source !== this.#options.source) return;
      this.#options.changed(Catalog.parse(JSON.stringify(saved.catalog)));
      this.#etag = saved.etag;
      this.fetchedAt = saved.fetched_at;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return;
      this.#options.failed(`The saved price catalog ${this.#path} cannot be used: ${String(error)}`);
    }
  }
}

const isAddress = (source: string): boolean => /^https?:\/\//.test(source);

async function readBounded(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.length > maxBytes) throw new Error(tooLarge);
  return bytes.toString("utf8");
}

const tooLarge = `it is larger than ${maxBytes / 1024 / 1024} MiB`;

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
