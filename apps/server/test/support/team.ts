// A server in the process of the test whose team has people, each with a token.
import type { Role, SessionAccess } from "@patchbay/protocol";
import { fixtureWorker } from "@patchbay/testing/server-process";
import type { TokenScope } from "../../src/access/policy.ts";
import { ask } from "../attacks/access/http-client.ts";
import { openApp } from "./app-in-process.ts";

export type Team = Awaited<ReturnType<typeof openTeam>>;

export async function openTeam() {
  const opened = await openApp({
    config: {
      defaultWorker: "actor",
      workers: { actor: { dialect: "zot", command: fixtureWorker("actor"), env: [] } },
    },
  });
  const { access } = opened.app;
  const tokenOf = async (person: string, scopes: TokenScope[] = ["read", "drive", "approve", "admin"]) =>
    (await access.tokens.create(person, { name: "test", scopes, expiresAt: null })).text;
  const add = async (handle: string, role: Role = "member") => {
    const { id } = await access.people.add({ handle, name: handle, role });
    await access.people.update(id, { state: "active" });
    return { id, token: await tokenOf(id) };
  };
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const answered = await ask(opened, path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answered.status, body: answered.body === "" ? {} : JSON.parse(answered.body) };
  };
  return { ...opened, add, tokenOf, call, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

/** A new session of the token's person. */
export async function session({ call }: Team, token: string): Promise<string> {
  const { status, body } = await call(token, "POST", "/api/sessions", {});
  if (status !== 201) throw new Error(`no session: ${status} ${JSON.stringify(body)}`);
  return body.session.id;
}

export const share = (team: Team, token: string, id: string, access: SessionAccess) =>
  team.call(token, "PUT", `/api/sessions/${id}/access`, access);
