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
import { dirname, join, relative, resolve } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { DatabaseSync } from "@photostructure/sqlite";
import * as z from "zod/mini";
import { Catalog } from "../../../src/costs/prices/catalog.ts";
import { Prices } from "../../../src/costs/prices/prices.ts";

/** The recorded models are in no catalog. */
export const prices = new Prices(Catalog.shipped(), {});

const places = {
  pi: ".pi/agent/sessions/--work-project--/",
  omp: ".omp/agent/sessions/-work-project/",
  zot: ".local/state/zot/sessions/0011223344556677/",
  claude: ".claude/projects/-work-project/",
  codex: ".codex/sessions/2026/08/20/rollout-",
  gemini: ".gemini/tmp/project/chats/session-",
} as const;
type Program = keyof typeof places;

const OpencodeFile = z.object({
  session: z.looseObject({ id: z.string(), projectID: z.string(), directory: z.string(), title: z.string() }),
  messages: z.array(
    z.looseObject({ id: z.string(), sessionID: z.string(), time: z.looseObject({ created: z.number() }) }),
  ),
  parts: z.array(z.looseObject({ id: z.string(), sessionID: z.string(), messageID: z.string() })),
});
type OpencodeFile = z.infer<typeof OpencodeFile>;

/** The tables of opencode 1.18 (packages/core/src/session/sql.ts), with the columns that are read. */
const opencodeTables = `
  create table if not exists session (id text primary key, project_id text not null, parent_id text, slug text not null, directory text not null,
    title text not null, version text not null, time_created integer not null, time_updated integer not null);
  create table if not exists message (id text primary key, session_id text not null, time_created integer not null, time_updated integer not null, data text not null);
  create table if not exists part (id text primary key, message_id text not null, session_id text not null, time_created integer not null,
    time_updated integer not null, data text not null);
  create index if not exists message_session_time_created_id_idx on message (session_id, time_created, id);
`;

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
    return join(this.home, `${places[program]}${name}.jsonl`);
  }

  /** A recorded file, as if it had been written for the project. */
  record(program: Program, ...names: string[]): void {
    for (const name of names) {
      const text = readFileSync(join(repository, `testing/session-files/${program}/${name}.jsonl`), "utf8");
      this.write(program, name, text.replaceAll("/work/project", this.project));
    }
  }

  write(program: Program, name: string, text: string): void {
    this.writeFile(this.path(program, name), text);
  }

  writeFile(path: string, text: string): void {
    const whole = join(this.home, relative(this.home, resolve(this.home, path)));
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  }

  /** A recorded session of opencode. */
  opencode(name: string): OpencodeFile {
    const text = readFileSync(join(repository, `testing/session-files/opencode/${name}.json`), "utf8");
    return OpencodeFile.parse(JSON.parse(text.replaceAll("/work/project", this.project)));
  }

  /** As versions before 1.2 kept it: a file for each session, message and part. */
  writeOpencodeFiles({ session, messages, parts }: OpencodeFile): void {
    const storage = ".local/share/opencode/storage";
    this.writeFile(`${storage}/session/${session.projectID}/${session.id}.json`, JSON.stringify(session));
    for (const message of messages)
      this.writeFile(
        `${storage}/message/${message.sessionID}/${message.id}.json`,
        JSON.stringify(message, null, 2),
      );
    for (const part of parts)
      this.writeFile(`${storage}/part/${part.messageID}/${part.id}.json`, JSON.stringify(part, null, 2));
  }

  /** As newer versions keep it. Left open, it has a WAL that is not yet written back. */
  writeOpencodeDatabase({ session, messages, parts }: OpencodeFile): InstanceType<typeof DatabaseSync> {
    const path = join(this.home, ".local/share/opencode/opencode.db");
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    database.exec("pragma journal_mode = wal");
    database.exec(opencodeTables);
    const now = Date.now();
    const { id, projectID, directory, title } = session;
    database
      .prepare("insert or replace into session values (?, ?, null, 'slug', ?, ?, '1.18.18', ?, ?)")
      .run(id, projectID, directory, title, now, now);
    for (const { id: message, sessionID, ...data } of messages)
      database
        .prepare("insert or replace into message values (?, ?, ?, ?, ?)")
        .run(message, sessionID, data.time.created, now, JSON.stringify(data));
    for (const { id: part, sessionID, messageID, ...data } of parts)
      database
        .prepare("insert or replace into part values (?, ?, ?, ?, ?, ?)")
        .run(part, messageID, sessionID, now, now, JSON.stringify(data));
    return database;
  }

  append(program: Program, name: string, text: string): void {
    appendFileSync(this.path(program, name), text);
  }

  [Symbol.dispose](): void {
    if (this.#isOwn) rmSync(this.home, { recursive: true, force: true });
  }
}
