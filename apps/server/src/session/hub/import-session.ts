// Continues a session that another program left on disk: lists the sessions of a directory with the workers that can continue
// each, and writes the conversation as the first frames of a new log.
import {
  type CreateSession,
  type FoundSession,
  type ImportProgram,
  type ImportSource,
  PatchbayError,
  readFrameValue,
} from "@patchbay/protocol";
import { callPricer, importedUsage } from "../../costs/imports/call-pricer.ts";
import type { Prices } from "../../costs/prices/prices.ts";
import { errorCode } from "../../diagnostics/error-code.ts";
import type { Logger } from "../../diagnostics/logger.ts";
import type { Machine, MachineWorkers, SessionFile, WorkerKind } from "../../machine/machine.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Store } from "../../store/store.ts";
import type { SessionImporter } from "./hub.ts";
import { newRecord } from "./new-record.ts";

interface Dependencies {
  store: Store;
  prices: Prices;
  machine: Pick<Machine, "workers" | "directories" | "imports">;
  log: Logger;
  /** Records the costs of the file in the ledger. */
  importCosts(program: ImportProgram, path: string): Promise<void>;
}

interface Continued {
  file: SessionFile;
  kind: WorkerKind;
  /** The worker resumes from the program's own file, and needs no restored context. */
  resumes: boolean;
}

/** One append to the log. */
const runBytes = 512 * 1024;
const longestName = 80;

export class SessionImports implements SessionImporter {
  readonly #deps: Dependencies;
  /** The records of all sessions. */
  readonly #records: () => readonly SessionRecord[];

  constructor(deps: Dependencies, records: () => readonly SessionRecord[]) {
    this.#deps = deps;
    this.#records = records;
  }

  /** The importable sessions of a directory, newest first. */
  async list(requested: string | undefined): Promise<FoundSession[]> {
    const { machine } = this.#deps;
    const found = await machine.imports.sessions(await machine.directories.find(requested));
    return found.map(({ path, ...session }) => {
      const existing = this.#continuedAs(path);
      return {
        ...session,
        workers: workersFor(session.program, machine.workers),
        ...(existing === undefined ? {} : { continued_as: existing.id }),
      };
    });
  }

  /** Creates the log of a session that begins with the imported conversation, and returns its record. */
  async begin(
    imported: ImportSource,
    cwd: string,
    requested: Pick<CreateSession, "worker" | "name" | "model">,
  ): Promise<SessionRecord> {
    const { store, log, importCosts } = this.#deps;
    const continued = await this.#find(imported, requested.worker, cwd);
    const { file, kind, resumes } = continued;
    const record = newRecord(kind, cwd, { ...requested, name: requested.name?.trim() || nameOf(file) });
    try {
      await importCosts(file.program, file.path);
      const filled = await this.#fillLog(record.id, continued);
      return { ...record, ...filled, agent_session: resumes ? file.path : null };
    } catch (error) {
      await store.deleteSession(record.id);
      log.warn({ err: error, program: file.program }, "a session could not be imported");
      const code = errorCode(error); // the file was removed since it was listed, or is not readable
      if (code === undefined) throw error;
      throw new PatchbayError("bad_request", `The session file of ${file.program} cannot be read (${code}).`);
    }
  }

  /** The requested session and the worker to continue it; throws a sentence for a person if there is none. */
  async #find(requested: ImportSource, worker: string | undefined, cwd: string): Promise<Continued> {
    const { machine } = this.#deps;
    const found = await machine.imports.sessions(cwd);
    const file = found.find(
      ({ program, session }) => program === requested.program && session === requested.session,
    );
    if (file === undefined)
      throw new PatchbayError(
        "bad_request",
        `${requested.program} has no session ${requested.session} in ${cwd}.`,
      );
    const possible = workersFor(requested.program, machine.workers);
    const name = worker ?? possible[0] ?? "builtin";
    const kind = machine.workers.get(name);
    const problem = machine.workers.problemWith(name);
    if (problem !== undefined) throw new PatchbayError("worker_unavailable", problem);
    if (!possible.includes(name))
      throw new PatchbayError(
        "bad_request",
        `${name} cannot continue a session of ${requested.program}. These agents can: ${possible.join(", ")}.`,
      );
    const resumes = kind.name !== "builtin";
    const existing = resumes ? this.#continuedAs(file.path) : undefined;
    if (existing !== undefined)
      throw new PatchbayError(
        "bad_request",
        `This session was already imported: "${existing.name}" (${existing.id}).`,
      );
    return { file, kind, resumes };
  }

  /** Writes the imported conversation to the session's log. */
  async #fillLog(id: string, { file, resumes }: Continued): Promise<{ seq: number; message_count: number }> {
    const { store, prices, machine } = this.#deps;
    const log = await (await store.claim(id)).openLog();
    try {
      let lines: Buffer[] = [];
      let bytes = 0;
      const write = async (): Promise<void> => {
        if (lines.length > 0) await log.append(Buffer.concat(lines), lines.length);
        lines = [];
        bytes = 0;
      };
      const put = (frame: object): void => {
        const line = Buffer.from(`${JSON.stringify(frame)}\n`);
        lines.push(line);
        bytes += line.length;
      };
      let totals = { messages: 0, unreadable: 0 };
      const { program, path, session: agent_session } = file;
      let unreadableCalls = 0;
      const pricer = callPricer(prices);
      const batches = machine.imports.conversation(program, path, { entryIds: !resumes });
      for await (const { items, messages, unreadable } of batches) {
        for (const item of items) {
          const frame = "frame" in item ? item.frame : importedUsage(item.call, pricer);
          if (readFrameValue(frame).kind === "frame") put(frame);
          else unreadableCalls++;
        }
        totals = { messages, unreadable: unreadable + unreadableCalls };
        if (bytes >= runBytes) await write();
      }
      put({ type: "imported", time: new Date().toISOString(), program, agent_session, ...totals });
      await write();
      return { seq: log.seq, message_count: totals.messages };
    } finally {
      await log.close();
    }
  }

  #continuedAs(path: string): SessionRecord | undefined {
    return this.#records().find((record) => record.agent_session === path && record.deletes_at === null);
  }
}

/** The program itself if it can resume a session (zot's rpc cannot), and the built-in worker, which restores the conversation. */
function workersFor(program: string, workers: MachineWorkers): string[] {
  const own = workers
    .list()
    .filter(({ name, dialect, available }) => available && dialect === program && workers.get(name).resumes);
  return [...own.map(({ name }) => name), "builtin"];
}

const nameOf = ({ title, first_prompt }: SessionFile): string => {
  const name = title === "" ? first_prompt : title;
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
};
