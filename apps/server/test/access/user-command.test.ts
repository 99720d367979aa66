// `patchbay user`: people of a running server, managed from its own machine.
import { join } from "node:path";
import { startServer } from "@patchbay/testing/server-process";
import { expect, it } from "vitest";
import { ask, logIn } from "../attacks/access/http-client.ts";
import { runCommand } from "../attacks/access/run-command.ts";

it("[X230] adds, lists, changes, resets, disables and enables people, and prints tokens", async () => {
  await using server = await startServer({ env: {} });
  const user = (...args: string[]) => runCommand(["user", ...args, "--home", join(server.home, ".patchbay")]);
  const list = async () => JSON.parse((await user("list", "--json")).stdout);
  expect(await user("list")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("has no people"),
  });

  const added = await user("add", "Ada", "--full-name", "Ada L.", "--role", "guest");
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("Send this link to Ada L.") });
  expect(added.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#invitation=[\w-]{43}\n$/);
  expect(await list()).toMatchObject([{ role: "admin" }, { handle: "ada", role: "guest", state: "invited" }]);
  const invitation = added.stdout.trim().split("#invitation=")[1];
  const password = "a rather long passphrase";
  const login = await logIn(server, { invitation, password });

  expect((await user("role", "ada", "member")).stderr).toBe("Ada L. is a member now.\n");
  const token = await user("token", "ada", "--scopes", "read,drive", "--days", "7");
  expect(token.stdout).toMatch(/^pbt_\S+\n$/);
  const headers = { authorization: `Bearer ${token.stdout.trim()}` };
  expect((await ask(server, "/api/sessions", { headers })).status).toBe(200);

  expect((await user("disable", "ada")).code).toBe(0);
  expect((await ask(server, "/api/sessions", { headers })).status).toBe(401);
  expect((await ask(server, "/api/login", { headers: login.headers })).status).toBe(401);
  expect((await user("enable", "ada")).stderr).toBe("Ada L. is enabled.\n");
  expect(
    (await ask(server, "/api/login", { method: "POST", body: { handle: "ada", password } })).status,
  ).toBe(201);
  const reset = await user("reset", "ada");
  expect(
    (await ask(server, "/api/login", { method: "POST", body: { handle: "ada", password } })).status,
  ).toBe(401);
  expect((await user("list")).stdout).toMatch(/^ada +member +active +Ada L\.$/m);

  for (const [args, sentence] of [
    [["remove", "ada"], "Name what to do"],
    [["disable"], "Name the person"],
    [["role", "ada", "king"], '"king" is not a role'],
    [["disable", "nobody"], 'There is nobody with the name "nobody" here.'],
    [["add", "ada"], 'The name "ada" is taken.'],
    [["add", "No Spaces"], "handle"],
    [["token", "ada", "--scopes", "all"], "scopes"],
    [["token", "ada", "--days", "soon"], "--days takes a whole number"],
  ] as const) {
    const refused = await user(...args);
    expect([args, refused.code, refused.stdout]).toEqual([args, 1, ""]);
    expect(refused.stderr).toContain(sentence);
  }
  expect((await user("--help")).stdout).toContain("patchbay user add NAME");
  // Nothing secret is in the log.
  for (const secret of [invitation, reset.stdout.trim().split("=")[1], token.stdout.trim(), password])
    expect(server.stderr()).not.toContain(secret);
});

it("[X230] says so when no server is running", async () => {
  const { code, stderr } = await runCommand(["user", "list", "--home", "/nonexistent/home"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("No server is running")]);
});
