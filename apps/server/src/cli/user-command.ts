// `patchbay user`: people of this server, managed from its own machine. stdout has only what a script needs (a link, a token, the list);
// explanations go to stderr.
import { parseArgs } from "node:util";
import { PersonState, Role } from "@patchbay/protocol";
import * as z from "zod/mini";
import { readConfig } from "../config/config.ts";
import { StartError } from "../diagnostics/start-error.ts";
import { callServer } from "./call-server.ts";

const usage = `patchbay user: manage the people of a running server

  patchbay user add NAME [--full-name TEXT] [--role guest|member|admin]
                           add a person and print an invitation link; the first one makes this server a team's
  patchbay user list       print everybody, with role and state
  patchbay user role NAME guest|member|admin
  patchbay user disable NAME
                           log out everywhere, end tokens, stop the agents of their sessions; sessions are kept
  patchbay user enable NAME
  patchbay user reset NAME end password, logins and tokens, and print a new invitation link
  patchbay user token NAME [--scopes LIST] [--days NUMBER] [--label TEXT]
                           print an access token for a program

  NAME is what the person types to log in.

  --full-name TEXT  how others see the person (default: NAME)
  --role ROLE       guest: only what others share; member (default); admin: also manages people
  --scopes LIST     read, drive, approve, admin, separated by commas (default: read)
  --days NUMBER     when the token expires; 0: never (default: 90)
  --label TEXT      what the token is for (default: "command line")
  --json            with "list": one line of JSON
  --home DIR, --config FILE   the same as for the server
`;

const verbs = ["add", "list", "role", "disable", "enable", "reset", "token"] as const;
type Verb = (typeof verbs)[number];

const Person = z.object({ handle: z.string(), name: z.string(), role: Role, state: PersonState });
const Invited = z.object({
  person: Person,
  invitation: z.object({ link: z.string(), expires_at: z.string() }),
});
const Changed = z.object({ person: Person });

interface Flags {
  verb: Verb;
  handle: string;
  role: string | undefined;
  fullName: string | undefined;
  scopes: string;
  days: number;
  label: string;
  json: boolean;
  server: string[];
}

export async function userCommand(argv: readonly string[]): Promise<void> {
  const flags = readFlags(argv);
  if (flags === "help") return void process.stdout.write(usage);
  const { verb, handle } = flags;
  const { home } = readConfig(flags.server);
  const call = <T>(method: string, params: object, schema: z.ZodMiniType<T>): Promise<T> =>
    callServer(home, method, params, schema);
  switch (verb) {
    case "list":
      return printPeople(await call("people/list", {}, z.object({ people: z.array(Person) })), flags.json);
    case "add": {
      const { role = "member", fullName } = flags;
      const params = { handle, role: asRole(role), ...(fullName === undefined ? {} : { name: fullName }) };
      return printInvitation(await call("people/add", params, Invited));
    }
    case "reset":
      return printInvitation(await call("people/reset", { handle }, Invited));
    case "role": {
      const { person } = await call("people/change", { handle, role: asRole(flags.role ?? "") }, Changed);
      return explain(`${person.name} is ${person.role === "admin" ? "an admin" : `a ${person.role}`} now.`);
    }
    case "disable": {
      const { person } = await call("people/change", { handle, disabled: true }, Changed);
      return explain(
        `${person.name} is disabled: logged out everywhere, tokens ended, agents stopped. Sessions are kept.`,
      );
    }
    case "enable": {
      const { person } = await call("people/change", { handle, disabled: false }, Changed);
      const next =
        person.state === "invited" ? ` Run "patchbay user reset ${handle}" for an invitation link.` : "";
      return explain(`${person.name} is enabled.${next}`);
    }
    case "token": {
      const { scopes, days, label } = flags;
      const params = {
        handle,
        name: label,
        scopes: scopes.split(",").map((scope) => scope.trim()),
        days: days === 0 ? null : days,
      };
      const { secret } = await call("people/token", params, z.object({ secret: z.string() }));
      process.stdout.write(`${secret}\n`);
      return explain(`Programs send it as "Authorization: Bearer TOKEN". It is not shown again.`);
    }
  }
}

function printPeople({ people }: { people: readonly z.infer<typeof Person>[] }, json: boolean): void {
  if (json) return void process.stdout.write(`${JSON.stringify(people)}\n`);
  if (people.length === 0)
    return explain(
      'This server has no people: it belongs to the holder of its token. "patchbay user add NAME" makes it a team\'s.',
    );
  const width = Math.max(...people.map(({ handle }) => handle.length));
  for (const { handle, name, role, state } of people)
    process.stdout.write(`${handle.padEnd(width)}  ${role.padEnd(6)}  ${state.padEnd(8)}  ${name}\n`);
}

function printInvitation({ person, invitation }: z.infer<typeof Invited>): void {
  process.stdout.write(`${invitation.link}\n`);
  explain(
    `Send this link to ${person.name}. It works once, until ${invitation.expires_at.slice(0, 10)}, and lets them choose a password. Where they reach this server at another address, replace the beginning of the link.`,
  );
}

const explain = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

function asRole(given: string): Role {
  const role = Role.safeParse(given);
  if (role.success) return role.data;
  throw new StartError(`"${given}" is not a role. Choose guest, member or admin.`);
}

function readFlags(argv: readonly string[]): Flags | "help" {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        "full-name": { type: "string" },
        role: { type: "string" },
        scopes: { type: "string" },
        days: { type: "string" },
        label: { type: "string" },
        json: { type: "boolean" },
        home: { type: "string" },
        config: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help === true) return "help";
    const [given, handle = "", role, ...more] = positionals;
    const verb = verbs.find((each) => each === given);
    if (verb === undefined) throw new Error(`Name what to do: ${verbs.join(", ")}`);
    if (verb !== "list" && handle === "") throw new Error(`Name the person: "patchbay user ${verb} NAME"`);
    if (verb === "role" && role === undefined)
      throw new Error(`Name the role: "patchbay user role ${handle} member"`);
    if (more.length > 0 || (verb !== "role" && role !== undefined))
      throw new Error("These are too many words");
    const days = Number(values.days ?? "90");
    if (!Number.isInteger(days) || days < 0) throw new Error("--days takes a whole number");
    return {
      verb,
      handle,
      role: verb === "role" ? role : values.role,
      fullName: values["full-name"],
      scopes: values.scopes ?? "read",
      days,
      label: values.label ?? "command line",
      json: values.json ?? false,
      server: [
        ...(values.home === undefined ? [] : ["--home", values.home]),
        ...(values.config === undefined ? [] : ["--config", values.config]),
      ],
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new StartError(`${problem}. Run "patchbay user --help" to see the options.`);
  }
}
