// Where the permanent token must not be: on a terminal, in the arguments of a program, in an address, in a log.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@patchbay/testing/server-process";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { actorConfig, createSession, startActor } from "../../support/actor.ts";
import { ask, logIn } from "./http-client.ts";
import { runCommand } from "./run-command.ts";

describe("the token", () => {
  it("[X34] is in nothing that the server prints, logs, opens or starts, only in its file", async () => {
    const tools = temporaryDirectory("opener");
    const seen = join(tools, "seen");
    const opener = join(tools, "xdg-open");
    writeFileSync(
      opener,
      `#!/bin/sh\ntr '\\0' '\\n' </proc/$$/cmdline >"${seen}.part"\nmv "${seen}.part" "${seen}"\n`,
    );
    chmodSync(opener, 0o755);
    await using server = await startServer({
      config: actorConfig(),
      env: { PATH: `${tools}:${process.env["PATH"] ?? ""}`, DISPLAY: ":0", CI: "" },
    });
    await expect.poll(() => existsSync(seen)).toBe(true);
    const opened = readFileSync(seen, "utf8");
    const { token } = server;
    expect(token).toHaveLength(43);
    expect(opened).toContain(server.printedLoginUrl);
    expect(opened).not.toContain(token);
    expect(server.printedLoginUrl).not.toContain(token);
    expect(readFileSync(`/proc/${server.process.pid}/cmdline`, "utf8")).not.toContain(token);
    // It is used in every way there is.
    await createSession(server);
    await logIn(server, { token });
    await ask(server, `/api/sessions?token=${token}`);
    await ask(server, `/${token}`, { method: "POST", headers: { authorization: `Bearer ${token}x` } });
    await ask(server, "/api/login", { method: "POST", body: { token: [token] } });
    const answers = await Promise.all(
      ["/", "/api/sessions", "/api/logins", "/api/login", "/api/workers", "/metrics"].map((path) =>
        ask(server, path, { headers: { authorization: `Bearer ${token}` } }),
      ),
    );
    for (const { body, headers } of answers) expect(body + JSON.stringify(headers)).not.toContain(token);
    expect(server.stderr()).not.toContain(token);
    const file = join(server.home, ".patchbay/token");
    expect(readFileSync(file, "utf8").trim()).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("commands", () => {
  it("[X35] patchbay login prints a fresh link of the server that runs, and nothing else on stdout", async () => {
    await using server = await startActor();
    const home = join(server.home, ".patchbay");
    const { code, stdout, stderr } = await runCommand(["login", "--home", home]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${server.url}/#code=[\\w-]{32}\\n$`));
    expect(stderr).toContain("within one minute");
    expect(stdout + stderr).not.toContain(server.token);
    await logIn(server, { code: stdout.trim().split("#code=")[1] ?? "" });
    const below = await startActor({ base_path: "/team" });
    await using _below = below;
    const link = await runCommand(["login", "--home", join(below.home, ".patchbay")]);
    expect(link.stdout).toContain(`${below.url}/team/#code=`);
  });

  it("[X35] patchbay token prints the token, and where it is kept", async () => {
    await using server = await startActor();
    const home = join(server.home, ".patchbay");
    const { stdout, stderr } = await runCommand(["token", "--home", home]);
    expect(stdout).toBe(`${server.token}\n`);
    expect(stderr).toContain(join(home, "token"));
    const own = "a-token-of-the-environment-that-is-long";
    const given = await runCommand(["token", "--home", home], { PATCHBAY_TOKEN: own });
    expect(given.stdout).toBe(`${own}\n`);
    const nowhere = await runCommand(["token", "--home", temporaryDirectory("none")]);
    expect(nowhere).toMatchObject({ code: 1, stdout: "" });
    expect(nowhere.stderr).toMatch(/^patchbay: There is no token in .* yet\. [^\n]*\n$/);
  });

  it("[X35] patchbay logout --all logs every browser out, and no program", async () => {
    await using server = await startActor();
    const home = join(server.home, ".patchbay");
    const { headers } = await logIn(server);
    await logIn(server);
    expect(await runCommand(["logout", "--home", home])).toMatchObject({ code: 1, stdout: "" });
    expect((await ask(server, "/api/sessions", { headers })).status).toBe(200);
    const { stdout } = await runCommand(["logout", "--all", "--home", home]);
    expect(stdout).toBe("2 browsers were logged out.\n");
    expect((await ask(server, "/api/sessions", { headers })).status).toBe(401);
    expect((await server.call("GET", "/api/sessions")).status).toBe(200);
  });

  it("[X35] works with a server that was given its token, and says when none runs", async () => {
    const own = "a-token-of-the-environment-that-is-long";
    await using server = await startServer({ config: actorConfig(), env: { PATCHBAY_TOKEN: own } });
    const home = join(server.home, ".patchbay");
    const { stdout } = await runCommand(["login", "--home", home]);
    await logIn(server, { code: stdout.trim().split("#code=")[1] ?? "" });
    await server.kill();
    for (const command of [["login"], ["logout", "--all"]]) {
      const refused = await runCommand([...command, "--home", home]);
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toMatch(/^patchbay: No server is running for [^\n]*\n$/);
    }
    expect((await runCommand(["login", "--hom", home])).stderr).toContain('Run "patchbay login --help"');
    expect((await runCommand(["login", "--help"])).stdout).toContain("works once, within one minute");
    await server.start();
  });
});

describe("a home of the version before", () => {
  it("[X36] opens; its cookie is refused politely, and its token still logs in", async () => {
    const token = "TMtQ1lFm0lPZcvWX3hbKmUxIAdxLZuq3s2f4c7d5e6A";
    await using server = await startServer({
      config: actorConfig(),
      async prepare(home) {
        mkdirSync(home, { recursive: true });
        writeFileSync(join(home, "token"), `${token}\n`, { mode: 0o600 });
        const old = createHash("sha256").update(`patchbay cookie ${token}`).digest("base64url");
        writeFileSync(join(home, "old-cookie"), old);
        await makeOldDatabase(join(home, "patchbay.db"));
      },
    });
    expect(server.token).toBe(token);
    const { port } = new URL(server.url);
    const old = readFileSync(join(server.home, ".patchbay/old-cookie"), "utf8");
    for (const more of [{}, { "x-patchbay-page": "anything" }]) {
      const headers = { cookie: `patchbay_${port}=${old}`, ...more };
      const answer = await ask(server, "/api/sessions", { headers });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toMatchObject({
        error: { code: "login_ended", message: expect.stringContaining("Log in again") },
      });
      expect((await ask(server, "/", { headers })).status).toBe(200);
    }
    const { headers } = await logIn(server, { token });
    expect((await ask(server, "/api/sessions", { headers })).status).toBe(200);
    expect((await server.call("GET", "/api/sessions")).status).toBe(200);
  });
});

/** As the migrations up to the one before logins leave it. */
async function makeOldDatabase(path: string): Promise<void> {
  const store = await SqliteStore.open({
    home: join(path, ".."),
    segmentBytes: 1_000,
    onWriteError: () => {},
  });
  await store.close();
  const database = new DatabaseSync(path);
  database.exec(
    "drop table logins; drop table people; drop table groups; drop table group_members; drop table tokens;" +
      "alter table sessions drop column owner; alter table sessions drop column access;" +
      "delete from kysely_migration where name in ('012_logins', '030_people')",
  );
  database.close();
}
