// What agents can do in Patchbay, as the columns of a table, and whether one can: by the capabilities of its sessions, and by
// what its protocol has for everyone.
import { AgentFacts, type WorkerInfo } from "@patchbay/protocol";
import { setupTexts } from "./texts.ts";

/** `unknown`: its first session here will show it. */
export type Extent = "yes" | "partly" | "no" | "unknown";

type TextName = keyof typeof setupTexts;
/** Its texts are `can…` and `can…What`. */
type AbilityId = TextName extends infer Name ? (Name extends `can${infer Id}What` ? Id : never) : never;

interface Ability {
  id: AbilityId;
  extent(worker: WorkerInfo): Extent;
}

export const abilityName = (id: AbilityId): string => setupTexts[`can${id}`];
export const abilityWhat = (id: AbilityId): string => setupTexts[`can${id}What`];

const isKnown = (worker: WorkerInfo): boolean =>
  AgentFacts.safeParse(worker).data?.capabilities_from !== undefined;

const has =
  (...capabilities: string[]) =>
  (worker: WorkerInfo): Extent => {
    if (capabilities.some((capability) => worker.capabilities.includes(capability))) return "yes";
    return isKnown(worker) ? "no" : "unknown";
  };

/** The built-in agent speaks zot's dialect, and much beyond it. */
const isPlainZot = ({ name, dialect }: WorkerInfo): boolean => dialect === "zot" && name !== "builtin";
const isPi = ({ dialect }: WorkerInfo): boolean => dialect === "pi" || dialect === "omp";

/** In the order of the columns. */
export const agentAbilities: readonly Ability[] = [
  { id: "Queue", extent: () => "yes" },
  { id: "Steer", extent: has("steer") },
  { id: "Compact", extent: has("compact") },
  { id: "Branch", extent: has("branch") },
  { id: "Resume", extent: (worker) => (isPi(worker) ? "yes" : has("restore")(worker)) },
  { id: "Thinking", extent: has("thinking") },
  { id: "Levels", extent: has("thinking_levels") },
  { id: "Models", extent: has("set_model") },
  {
    id: "Modes",
    // Agents over ACP have modes of their own, or none; `/mode` shows them.
    extent: (worker) => (worker.dialect === "acp" ? "partly" : has("approvals")(worker)),
  },
  {
    id: "Asks",
    // pi and omp ask through their extensions.
    extent: (worker) => (isPi(worker) ? "partly" : isPlainZot(worker) ? has("approvals")(worker) : "yes"),
  },
  { id: "Images", extent: has("images") },
  { id: "Commands", extent: has("commands") },
  { id: "Shell", extent: has("bash") },
  { id: "Extensions", extent: has("extensions") },
  { id: "Mcp", extent: has("mcp") },
  {
    id: "Costs",
    // Over ACP, and from the daemon, they come for a turn and not for each call, or not at all.
    extent: ({ dialect }) => (dialect === "acp" || dialect === "zeroclaw" ? "partly" : "yes"),
  },
  { id: "Permits", extent: has("call_permits") },
];
