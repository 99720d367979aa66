// The matrix of rights: every call and every command × everybody who may try it, against a running server. docs/rights.md is the result:
// a change of what anybody may do shows as a change of that page. PATCHBAY_WRITE_DOCS=1 writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { viewerCommandTypes } from "@patchbay/protocol";
import { repository } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { expect, it } from "vitest";
import WebSocket from "ws";
import { openTeam, session, share, type Team } from "../support/team.ts";

const page = join(repository, "docs/rights.md");

/** What a command needs beside its type to be valid. */
const fields: Readonly<Record<string, object>> = {
  set_model: { model: "x" },
  set_thinking_level: { level: "low" },
  set_reasoning: { reasoning: "low" },
  set_steering_mode: { mode: "all" },
  set_follow_up_mode: { mode: "all" },
  set_interrupt_mode: { mode: "immediate" },
  set_auto_compaction: { enabled: true },
  set_auto_retry: { enabled: true },
  steer_remove: { index: 0, text: "x" },
  prompt: { message: "say it" },
  steer: { message: "say it" },
  follow_up: { message: "say it" },
  abort_and_prompt: { message: "say it" },
  run_command: { name: "x" },
  panel_key: { panel: "x", key: "x" },
  panel_close: { panel: "x" },
  set_approval_mode: { mode: "ask" },
  set_jail: { mode: "on" },
  bash: { command: "true" },
  switch_session: { sessionPath: "x" },
  branch: { entryId: "x" },
  switch_branch: { branch: "x" },
  set_session_name: { name: "x" },
  extension_ui_response: { id: "x", cancelled: true },
  queue_remove: { item: "x" },
  queue_move: { item: "x", to: 0 },
  queue_edit: { item: "x", message: "x" },
  queue_retry: { item: "x" },
};

/** Everybody, in the order of the columns. */
async function cast(team: Team, id: string, owner: { id: string; token: string }) {
  const grant = async (handle: string, right: "watch" | "drive" | "approve") => ({
    ...(await team.add(handle)),
    right,
  });
  const granted = [
    await grant("watcher", "watch"),
    await grant("driver", "drive"),
    await grant("approver", "approve"),
  ];
  const grants = granted.map(({ id: person, right }) => ({ to: { person }, right }));
  await share(team, owner.token, id, { team: null, grants });
  const disabled = await team.add("disabled");
  await team.app.access.people.update(disabled.id, { state: "disabled" });
  const revoked = await team.tokenOf(owner.id);
  const last = team.app.access.tokens.list(owner.id)[0];
  await team.app.access.tokens.revoke(last === undefined ? [] : [last.id]);
  const scoped = async (scope: "read" | "drive" | "approve" | "admin") =>
    [`owner's token: ${scope}`, await team.tokenOf(owner.id, [scope])] as const;
  return new Map<string, string>([
    ["nobody", ""],
    ["guest", (await team.add("guest", "guest")).token],
    ["member", (await team.add("member")).token],
    ["watcher", granted[0]?.token ?? ""],
    ["driver", granted[1]?.token ?? ""],
    ["approver", granted[2]?.token ?? ""],
    ["owner", owner.token],
    ["admin", team.token],
    await scoped("read"),
    await scoped("drive"),
    await scoped("approve"),
    ["disabled", disabled.token],
    ["revoked token", revoked],
  ]);
}

/** Whether a call passes the guard. It is made so that it changes nothing where it passes. */
async function mayCall(team: Team, token: string, method: string, url: string, id: string): Promise<boolean> {
  const path = url.replace("/sessions/:id", `/sessions/${id}`).replaceAll(/:\w+/g, "x");
  const headers: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
  const hasBody = !["GET", "HEAD", "DELETE"].includes(method);
  const response = await fetch(`${team.url}${path}?undo=0`, {
    method,
    headers: { ...headers, ...(hasBody ? { "content-type": "application/json" } : {}) },
    ...(hasBody ? { body: '["no call takes this"]' } : {}),
  });
  const { status } = response;
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    await response.body?.cancel(); // it does not end
    return true;
  }
  const body = await response.text();
  // Wrong tokens are throttled after a while.
  if ([401, 403, 429].includes(status)) return false;
  return status !== 404 || JSON.parse(body).error?.code !== "no_such_session";
}

it("[X116] docs/rights.md says what everybody may do, and the server does what it says", async () => {
  await using team = await openTeam();
  const owner = await team.add("owner");
  const id = await session(team, owner.token);
  const people = await cast(team, id, owner);
  const rows: string[] = [];
  const mark = (allowed: boolean): string => (allowed ? "yes" : "");
  const calls = team.app
    .routes()
    .filter(({ method, url, open }) => method !== "HEAD" && !open && !url.includes("*"))
    .map(({ method, url, action, socket }) => ({ name: `${method} ${url}`, method, url, action, socket }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, method, url, action, socket } of calls) {
    const cells: string[] = [];
    for (const token of people.values()) {
      const allowed = socket
        ? await mayUpgrade(team, token, url.replace(":id", id))
        : await mayCall(team, token, method, url, id);
      cells.push(mark(allowed));
    }
    rows.push(`| \`${name}\` | ${action} | ${cells.join(" | ")} |`);
  }
  const commandRows: string[] = [];
  const viewers = new Map<string, TestViewer>();
  for (const [name, token] of people) {
    if (!(await mayUpgrade(team, token, `/api/sessions/${id}/socket`))) continue;
    const viewer = new TestViewer(team.url, token, id);
    await viewer.caughtUp();
    viewers.set(name, viewer);
  }
  for (const type of [...viewerCommandTypes].sort()) {
    const cells: string[] = [];
    for (const name of people.keys()) {
      const viewer = viewers.get(name);
      cells.push(mark(viewer !== undefined && (await mayCommand(viewer, { type, ...fields[type] }))));
    }
    commandRows.push(`| \`${type}\` | ${cells.join(" | ")} |`);
  }
  for (const viewer of viewers.values()) await viewer.close();
  const written = render([...people.keys()], rows, commandRows);
  if (process.env["PATCHBAY_WRITE_DOCS"] === "1") writeFileSync(page, written);
  expect(written).toBe(readFileSync(page, "utf8"));
}, 120_000);

/** Whether a command is executed. A refusal comes before the answer to what is sent next; other answers may take a turn. */
async function mayCommand(viewer: TestViewer, command: { type: string }): Promise<boolean> {
  let refused = false;
  viewer.ask(command).then(
    ({ error }) => {
      refused = typeof error === "string" && /^(You may|Only |This token may)/.test(error);
    },
    () => {}, // still open at the end of the test
  );
  await viewer.ask({ type: "ping" });
  return !refused;
}

/** Whether a WebSocket is opened. */
function mayUpgrade({ url }: Team, token: string, path: string): Promise<boolean> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, {
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
  });
  return new Promise((resolve) => {
    socket.once("open", () => {
      socket.close();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function render(people: readonly string[], calls: readonly string[], commands: readonly string[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = (count: number): string => `|${"---|".repeat(count)}`;
  return `# Who may do what

Written by a test that tries every cell against a running server (\`apps/server/test/access/matrix.test.ts\`); do not edit. It is about a server with people:
without people, the holder of the token may do everything. The session is private but for three grants: *watcher*, *driver* and *approver* are members with that right in it.
An *admin* has no right in other people's sessions. *Owner's token* is a personal access token of the owner with that one scope. An empty cell is refused: 401, 403, or 404
for a session that one may not know of. Lists, searches and costs have only what one may see, and a handler may refuse more (another person's token, say).
Answering a question needs \`approve\` where the answer allows something; denying needs \`drive\`.

## Calls

${line(["call", "action", ...people])}
${rule(people.length + 2)}
${calls.join("\n")}

## Commands of the session socket

${line(["command", ...people])}
${rule(people.length + 1)}
${commands.join("\n")}
`;
}
