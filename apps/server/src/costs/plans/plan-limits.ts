// What agents last told about the windows of their subscription plans. An account's windows outlive sessions and servers, so they are
// kept as a setting of the home. Nothing is asked for, and nothing is computed but which window binds first.
import { type AgentPlan, type PlanLimitsTold, PlanWindow } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { SettingsStore } from "../../store/settings-store.ts";
import { bindingWindow, hasReset, type ToldWindow } from "./binding-window.ts";

const setting = "plan_limits";
/** Agents of a server, and windows of an agent. More are a mistake of an agent; the oldest go. */
const maxAgents = 50;
const maxWindows = 24;
const maxText = 200;
/** A window that was told nothing new for so long is of a plan that is over. */
const keptMs = 32 * 86_400_000;

const Kept = z.array(
  z.object({
    agent: z.string(),
    plan: z.nullable(z.string()),
    windows: z.array(z.extend(PlanWindow, { told_at: z.string() })),
  }),
);
type Kept = z.infer<typeof Kept>;

export class PlanLimits {
  readonly #settings: SettingsStore;
  readonly #failed: (error: unknown) => void;
  #kept: Kept = [];
  #saving: Promise<void> = Promise.resolve();
  #isDirty = false;

  constructor(settings: SettingsStore, failed: (error: unknown) => void) {
    this.#settings = settings;
    this.#failed = failed;
  }

  async load(): Promise<void> {
    const text = await this.#settings.read(setting);
    if (text === null) return;
    try {
      this.#kept = Kept.parse(JSON.parse(text));
    } catch {
      this.#kept = []; // of a later version: agents will tell again
    }
  }

  /** `agent`: the worker's name. What was told later stays. */
  told(agent: string, { time, plan, windows }: PlanLimitsTold): void {
    if (windows.length === 0 || Number.isNaN(Date.parse(time))) return;
    const before = this.#kept.find((each) => each.agent === agent);
    const merged = new Map(before?.windows.map((window) => [window.id, window]));
    for (const window of windows.map(bounded)) {
      const known = merged.get(window.id);
      if (known !== undefined && known.told_at > time) continue;
      merged.delete(window.id); // the newest last
      merged.set(window.id, { ...window, told_at: time });
    }
    const next = {
      agent,
      plan: plan?.slice(0, maxText) ?? before?.plan ?? null,
      windows: [...merged.values()].slice(-maxWindows),
    };
    this.#kept = [...this.#kept.filter((each) => each !== before), next].slice(-maxAgents);
    this.#save();
  }

  /** The plan whose window binds first comes first. */
  list(now: number): AgentPlan[] {
    const plans = this.#kept.flatMap(({ agent, plan, windows: all }): AgentPlan[] => {
      const windows = all.filter(({ told_at }) => Date.parse(told_at) > now - keptMs);
      if (windows.length === 0) return [];
      const binding = bindingWindow(windows, now);
      const sorted = windows.toSorted((a, b) => rank(a, binding?.id) - rank(b, binding?.id));
      return [
        {
          agent,
          plan,
          told_at: windows.reduce((newest, { told_at }) => (told_at > newest ? told_at : newest), ""),
          windows: sorted.map((window) => ({ ...window, has_reset: hasReset(window, now) })),
          binds: binding?.id ?? null,
          reached_at: binding?.reached_at ?? null,
        },
      ];
    });
    const most = ({ windows, binds }: AgentPlan): number => {
      const binding = windows.find(({ id }) => id === binds);
      return binding === undefined ? -1 : binding.status === "reached" ? 1_000 : (binding.used_percent ?? 0);
    };
    return plans.sort((a, b) => most(b) - most(a));
  }

  /** Resolves when what was told is kept. */
  flushed(): Promise<void> {
    return this.#saving;
  }

  /** One write at a time, of what is newest then. */
  #save(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#saving = this.#saving
      .then(() => {
        this.#isDirty = false;
        return this.#settings.write(setting, JSON.stringify(this.#kept));
      })
      .catch(this.#failed);
  }
}

const rank = ({ id, minutes = Number.MAX_SAFE_INTEGER }: ToldWindow, binds: string | undefined): number =>
  id === binds ? -1 : minutes;

const bounded = (window: PlanWindow): PlanWindow => ({
  ...window,
  id: window.id.slice(0, maxText),
  ...(window.name === undefined ? {} : { name: window.name.slice(0, maxText) }),
});
