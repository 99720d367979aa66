// Keeps the catalog fresh from the file or address that the operator names. What was read last is kept in the
// home directory; when a new one cannot be had, the old one stays and `problem` says why.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { errorCode } from "../../diagnostics/error-code.ts";
import { Catalog } from "./catalog.ts";

/** The shipped catalog has 0.2 MB. */
const maxBytes = 8 * 1024 * 1024;
const fetchMs = 30_000;

interface CatalogSourceOptions {
  /** A path, or an http(s) address; undefined: the shipped catalog, always. */
  source: string | undefined;
  home: string;
  /** Told of every new catalog, and of every failure. */
  changed(catalog: Catalog): void;
  failed(problem: string): void;
}

const Kept = z.object({
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
  /** When the catalog in use was read from the source; null: it is the shipped one. */
  fetchedAt: string | null = null;
  problem: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CatalogSourceOptions) {
    this.#options = options;
    this.#path = join(options.home, "prices.json");
  }

  /** For people: an address without what may be secret in it. */
  get name(): string | undefined {
    const { source } = this.#options;
    if (source === undefined || !isAddress(source)) return source;
    const { origin, pathname } = new URL(source);
    return origin + pathname;
  }

  /** What was kept is used at once; then the source is asked, and again every so often. */
  async start(everyMs: number): Promise<void> {
    if (this.#options.source === undefined) return;
    await this.useKept();
    void this.refresh();
    this.#timer = setInterval(() => void this.refresh(), everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#refreshing;
  }

  /** Never rejects: a failure is `problem`. Concurrent callers share one refresh. */
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
      if (got === null) return; // as it was
      const catalog = Catalog.parse(got.text);
      this.#etag = got.etag;
      this.fetchedAt = new Date().toISOString();
      changed(catalog);
      await this.#keep(source, catalog);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.problem = `The price catalog could not be read from ${this.name}: ${why}. The one before stays in use.`;
      failed(this.problem);
    }
  }

  /** Null: it has not changed. */
  async #fetch(address: string): Promise<{ text: string; etag: string | null } | null> {
    const headers: Record<string, string> = this.#etag === null ? {} : { "if-none-match": this.#etag };
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(fetchMs) });
    if (response.status === 304) return null;
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return { text: await textOf(response), etag: response.headers.get("etag") };
  }

  async #keep(source: string, { file }: Catalog): Promise<void> {
    const kept = { source, etag: this.#etag, fetched_at: this.fetchedAt, catalog: file };
    const fresh = `${this.#path}.new`;
    await writeFile(fresh, JSON.stringify(kept), { mode: 0o600 }); // the address may hold a secret
    await rename(fresh, this.#path);
  }

  async useKept(): Promise<void> {
    try {
      const kept = Kept.parse(JSON.parse(await readBounded(this.#path)));
      if (kept.source !== this.#options.source) return;
      this.#options.changed(Catalog.parse(JSON.stringify(kept.catalog)));
      this.#etag = kept.etag;
      this.fetchedAt = kept.fetched_at;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return;
      this.#options.failed(`The kept price catalog ${this.#path} cannot be used: ${String(error)}`);
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
