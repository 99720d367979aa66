// What a person chose for earlier sessions, remembered in this browser: directory, agent, and the model of each agent. A default of
// the settings comes first. The server's own start directory is only the default of the very first session.
import type { SessionInfo } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Workers } from "../api/sessions.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { directoriesOf } from "../session-list/group-sessions.ts";

const key = "patchbay.start";
/** As many as are read at a glance. */
const recentCount = 8;

const Remembered = z.object({
  worker: z._default(z.string(), ""),
  /** By agent; absent: its default. */
  models: z._default(z.record(z.string(), z.string()), {}),
  /** The directories that were chosen, the last one first. */
  directories: z._default(z.array(z.string()), []),
});
type Remembered = z.infer<typeof Remembered>;

export interface StartChoice {
  cwd: string;
  worker: string;
  /** `provider/model`; empty: the agent's default. */
  model: string;
}

function load(): Remembered {
  try {
    const read = Remembered.safeParse(JSON.parse(localStorage.getItem(key) ?? "{}"));
    return read.success ? read.data : Remembered.parse({});
  } catch {
    return Remembered.parse({}); // storage is forbidden
  }
}

/** Without a model, the one that was remembered stays. */
export function rememberChoice({
  cwd,
  worker,
  model,
}: Omit<StartChoice, "model"> & { model?: string }): void {
  const { models, directories } = load();
  const remembered: Remembered = {
    worker,
    models: model === undefined ? models : { ...models, [worker]: model },
    directories: [cwd, ...directories.filter((known) => known !== cwd)].slice(0, recentCount),
  };
  try {
    localStorage.setItem(key, JSON.stringify(remembered));
  } catch {
    // Only the next suggestion depends on it.
  }
}

/** What a new session starts with unless the person chooses something else. An empty `cwd` is to be chosen. */
export function suggestedChoice(known: Workers, sessions: readonly SessionInfo[]): StartChoice {
  const { worker: last, models, directories } = load();
  const { defaultAgent, defaultDirectory } = usePreferences.getState();
  const isUsable = (name: string): boolean =>
    known.workers.some((worker) => worker.name === name && worker.available);
  const usual = known.default_worker ?? known.workers[0]?.name ?? "";
  const worker = [defaultAgent, last].find(isUsable) ?? usual;
  const cwd =
    (defaultDirectory === "" ? directories[0] : defaultDirectory) ??
    directoriesOf(sessions)[0] ??
    (sessions.length === 0 ? known.default_cwd : undefined);
  return { cwd: cwd ?? "", worker, model: rememberedModel(known, worker, models) };
}

/** The default of the settings, or the model that was chosen last for an agent, if the agent has it. */
export const modelFor = (known: Workers, worker: string): string =>
  rememberedModel(known, worker, load().models);

function rememberedModel(known: Workers, worker: string, models: Readonly<Record<string, string>>): string {
  const offered = known.workers.find(({ name }) => name === worker)?.models ?? [];
  const has = (model: string): boolean => offered.some((option) => modelValue(option) === model);
  return [usePreferences.getState().defaultModel, models[worker] ?? ""].find(has) ?? "";
}

/** As `model` of `POST /api/sessions`. */
const modelValue = ({ provider, id }: { provider: string; id: string }): string =>
  provider === "" ? id : `${provider}/${id}`;

/** The directories to offer: those that were chosen here, then those of sessions. */
export const recentDirectories = (sessions: readonly SessionInfo[]): string[] =>
  [...new Set([...load().directories, ...directoriesOf(sessions)])].slice(0, recentCount);
