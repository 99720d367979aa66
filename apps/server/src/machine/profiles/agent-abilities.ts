// What each agent of this machine can do, and in which version it is installed. What its last session said is kept in the
// settings, over restarts; before its first session, the list has what our conformance suite saw or what its protocol says.
import type { AgentFacts, CapabilitiesFrom } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { SettingsStore } from "../../store/settings-store.ts";
import { locateProgram } from "./locate-program.ts";
import { isFromNpm, oldestNode, readPackageFile } from "./package-file.ts";
import type { Profile } from "./profiles.ts";
import { testedAgents } from "./tested-agents.ts";

/** What an agent says when it starts, and when that changes. */
export interface ReportedAbilities {
  /** As the agent names it. */
  readonly version: string;
  readonly capabilities: readonly string[];
  /** It has only just started. */
  readonly isHello: boolean;
}

interface AgentAbilitiesOptions {
  settings: SettingsStore;
  /** The server's PATH. */
  path: string;
  failed(error: unknown): void;
}

/** For the list: facts beside a `WorkerInfo`, and its capabilities where they are not the profile's. */
type Known = AgentFacts & { capabilities?: string[] };

const setting = "agents";
/** Names that are none of ours are kept and shown nowhere; an agent that names more has no use of them here. */
const maxCapabilities = 64;
const isName = (name: string): boolean => /^[a-z0-9_]{1,40}$/.test(name);

const Said = z.object({
  version: z.optional(z.string()),
  capabilities: z.array(z.string()),
  /** More may be known when it has a session of its own: an ACP agent's commands and models come with that. */
  preliminary: z.optional(z.boolean()),
  at: z.string(),
});
type Said = z.infer<typeof Said>;

export class AgentAbilities {
  readonly #options: AgentAbilitiesOptions;
  readonly #said: Map<string, Said>;
  #written: Promise<void> = Promise.resolve();

  static async open(options: AgentAbilitiesOptions): Promise<AgentAbilities> {
    return new AgentAbilities(options, readSaid(await options.settings.read(setting)));
  }

  private constructor(options: AgentAbilitiesOptions, said: Map<string, Said>) {
    this.#options = options;
    this.#said = said;
  }

  /** Most sessions of an agent say the same: it is written when something is new, and once a day. */
  note({ name, dialect }: Profile, { version, capabilities, isHello }: ReportedAbilities): void {
    const before = this.#said.get(name);
    const said: Said = {
      ...(/^v?\d/.test(version) ? { version: version.slice(0, 40) } : {}), // some name themselves instead
      capabilities: capabilities.filter(isName).slice(0, maxCapabilities),
      ...(isHello && dialect.capabilities === undefined ? { preliminary: true } : {}),
      at: new Date().toISOString(),
    };
    const isLess =
      said.preliminary === true && before?.preliminary !== true && before?.version === said.version;
    const now = before !== undefined && isLess ? { ...before, at: said.at } : said;
    this.#said.set(name, now);
    if (before !== undefined && dayAndContent(before) === dayAndContent(now)) return;
    const value = JSON.stringify(Object.fromEntries(this.#said));
    this.#written = this.#written
      .then(() => this.#options.settings.write(setting, value))
      .catch((error: unknown) => this.#options.failed(error));
  }

  of(profile: Profile): Known {
    const said = this.#said.get(profile.name);
    const tested = Object.hasOwn(testedAgents, profile.name) ? testedAgents[profile.name] : undefined;
    const installed = this.#installed(profile);
    const version = installed.version ?? said?.version;
    const node = installed.node ?? profile.node;
    return {
      ...(version === undefined ? {} : { version }),
      ...(node === undefined ? {} : { node }),
      ...(tested === undefined ? {} : { tested: tested.version }),
      ...capabilitiesOf(profile, said, tested),
    };
  }

  /** Resolves when everything that was noted is written. Never rejects. */
  settled(): Promise<void> {
    return this.#written;
  }

  /** Read from its package, never by starting it: the list is asked for often. */
  #installed({ name, command: [program], socket }: Profile): { version?: string; node?: string } {
    if (name === "builtin" || socket !== undefined) return {};
    const path = locateProgram(program, this.#options.path);
    if (path === undefined || !isFromNpm(path)) return {};
    const version = readPackageFile(path, (content) => PackageVersion.safeParse(content).data?.version);
    const node = oldestNode(path);
    return {
      ...(version === undefined ? {} : { version: version.slice(0, 40) }),
      ...(node === undefined ? {} : { node }),
    };
  }
}

function capabilitiesOf(
  { dialect, name }: Profile,
  said: Said | undefined,
  tested: (typeof testedAgents)[string] | undefined,
): Known {
  const from = (source: CapabilitiesFrom["source"], more: Omit<CapabilitiesFrom, "source"> = {}) => ({
    capabilities_from: { source, ...more },
  });
  if (said !== undefined) {
    const { capabilities, at, version } = said;
    if (said.preliminary === true) return { capabilities };
    return { capabilities, ...from("session", version === undefined ? { at } : { at, version }) };
  }
  if (name === "builtin") return from("known"); // the list of profiles has its capabilities
  if (dialect.capabilities !== undefined)
    return { capabilities: [...dialect.capabilities], ...from("known") };
  if (tested === undefined) return {};
  const { capabilities, version } = tested;
  return { capabilities: [...capabilities], ...from("suite", { version }) };
}

const PackageVersion = z.looseObject({ version: z.string() });

/** Of a setting that an earlier or later version wrote; what cannot be read is forgotten. */
function readSaid(value: string | null): Map<string, Said> {
  try {
    const all = z.record(z.string(), z.unknown()).parse(JSON.parse(value ?? "{}"));
    return new Map(
      Object.entries(all).flatMap(([name, given]) => {
        const said = Said.safeParse(given);
        return said.success ? [[name, said.data]] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

const dayAndContent = ({ at, ...said }: Said): string => JSON.stringify([at.slice(0, 10), said]);
