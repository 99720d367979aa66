// People of a team: who sees a session, who may do what in it, and that a right that is taken away is gone at once.
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { openTeam, session, share } from "../support/team.ts";

describe("people", () => {
  it("[X100] the first person makes the token's holder an admin, who owns what there was", async () => {
    await using team = await openTeam();
    const id = await session(team, team.token);
    const before = await team.call(team.token, "GET", "/api/people");
    expect(before.body).toMatchObject({ me: null, people: [] });
    const { body } = await team.call(team.token, "POST", "/api/people", { handle: "Ada", name: "Ada L." });
    expect(body.person).toMatchObject({ handle: "ada", role: "member", state: "invited" });
    const { me } = (await team.call(team.token, "GET", "/api/people")).body;
    expect(me).toMatchObject({ role: "admin", state: "active" });
    const view = await team.call(team.token, "GET", `/api/sessions/${id}`);
    expect(view.body.session.owner).toBe(me.id);
  });

  it("[X101] the last active admin cannot be disabled, and two people cannot have one name", async () => {
    await using team = await openTeam();
    const ada = await team.add("ada");
    const { me } = (await team.call(team.token, "GET", "/api/people")).body;
    expect((await team.call(team.token, "PATCH", `/api/people/${me.id}`, { disabled: true })).status).toBe(
      400,
    );
    expect((await team.call(team.token, "POST", "/api/people", { handle: "ADA", name: "x" })).status).toBe(
      400,
    );
    expect((await team.call(ada.token, "POST", "/api/people", { handle: "b", name: "b" })).status).toBe(403);
  });
});

describe("rights in a session", () => {
  it("[X110] a session is private until it is shared, and then exactly as far as it says", async () => {
    await using team = await openTeam();
    const [owner, other, guest] = [
      await team.add("owner"),
      await team.add("other"),
      await team.add("guest", "guest"),
    ];
    const id = await session(team, owner.token);
    const seenBy = async (token: string) =>
      (await team.call(token, "GET", "/api/sessions")).body.sessions.length;
    const statusFor = async (token: string) => (await team.call(token, "GET", `/api/sessions/${id}`)).status;
    for (const token of [other.token, guest.token, team.token]) {
      expect(await seenBy(token)).toBe(0);
      expect(await statusFor(token)).toBe(404);
    }
    await share(team, owner.token, id, { team: "watch", grants: [] });
    expect([await statusFor(other.token), await statusFor(guest.token)]).toEqual([200, 404]);
    expect((await team.call(other.token, "POST", `/api/sessions/${id}/stop`)).status).toBe(403);
    await share(team, owner.token, id, {
      team: "watch",
      grants: [{ to: { person: guest.id }, right: "drive" }],
    });
    expect((await team.call(guest.token, "POST", `/api/sessions/${id}/stop`)).status).toBe(200);
    expect((await team.call(guest.token, "DELETE", `/api/sessions/${id}`)).status).toBe(403);
    expect((await share(team, guest.token, id, { team: "drive", grants: [] })).status).toBe(403);
    expect((await team.call(guest.token, "POST", "/api/sessions", {})).status).toBe(403);
  });

  it("[X111] a group's right is each member's, and ends with the membership", async () => {
    await using team = await openTeam();
    const [owner, other] = [await team.add("owner"), await team.add("other")];
    const id = await session(team, owner.token);
    const { group } = (
      await team.call(team.token, "POST", "/api/groups", { name: "web", members: [other.id] })
    ).body;
    await share(team, owner.token, id, { team: null, grants: [{ to: { group: group.id }, right: "watch" }] });
    expect((await team.call(other.token, "GET", `/api/sessions/${id}`)).status).toBe(200);
    await team.call(team.token, "PUT", `/api/groups/${group.id}`, { name: "web", members: [] });
    expect((await team.call(other.token, "GET", `/api/sessions/${id}`)).status).toBe(404);
  });

  it("[X112] a watcher's commands are refused with a sentence, and reach no worker", async () => {
    await using team = await openTeam();
    const [owner, other] = [await team.add("owner"), await team.add("other")];
    const id = await session(team, owner.token);
    await share(team, owner.token, id, { team: "watch", grants: [] });
    await using viewer = new TestViewer(team.url, other.token, id);
    await viewer.caughtUp();
    expect(await viewer.ask({ type: "get_state" })).toMatchObject({ success: true });
    const refused = await viewer.ask({ type: "prompt", message: "say hello" });
    expect(refused).toMatchObject({
      success: false,
      error: "You may watch this session, but not change it. owner can let you.",
    });
    expect(viewer.transcript.messages).toEqual([]);
  });

  it("[X113] a right that is taken away closes the open socket", async () => {
    await using team = await openTeam();
    const [owner, other] = [await team.add("owner"), await team.add("other")];
    const id = await session(team, owner.token);
    await share(team, owner.token, id, { team: "watch", grants: [] });
    await using viewer = new TestViewer(team.url, other.token, id);
    await viewer.caughtUp();
    await share(team, owner.token, id, { team: null, grants: [] });
    expect((await viewer.untilClosed()).code).toBe(4404);
  });

  it("[X114] a disabled person's tokens and sockets end, and their workers", async () => {
    await using team = await openTeam();
    const owner = await team.add("owner");
    const id = await session(team, owner.token);
    await using viewer = new TestViewer(team.url, owner.token, id);
    await viewer.caughtUp();
    expect((await team.call(team.token, "PATCH", `/api/people/${owner.id}`, { disabled: true })).status).toBe(
      200,
    );
    expect((await viewer.untilClosed()).code).toBe(4401);
    expect((await team.call(owner.token, "GET", "/api/sessions")).status).toBe(401);
    expect(team.app.hub.view(id).state).toBe("stopped");
  });

  it("[X115] a token does no more than its scopes", async () => {
    await using team = await openTeam();
    const owner = await team.add("owner");
    const id = await session(team, owner.token);
    const reads = await team.tokenOf(owner.id, ["read"]);
    expect((await team.call(reads, "GET", `/api/sessions/${id}`)).status).toBe(200);
    expect((await team.call(reads, "POST", `/api/sessions/${id}/stop`)).status).toBe(403);
    const all = owner.token;
    const refused = await team.call(all, "POST", "/api/tokens", { name: "more", scopes: ["read"] });
    expect(refused.body.error.message).toContain("log in with a browser");
  });

  it("[X117] shows nobody what others spend or have allowed", async () => {
    await using team = await openTeam();
    const [ada, bob] = [await team.add("ada"), await team.add("bob")];
    const id = await session(team, ada.token);
    const budget = { name: "all", scope: "everything", period: "day", limit_usd: 5, kind: "soft" };
    expect((await team.call(team.token, "POST", "/api/budgets", budget)).status).toBe(201);
    const each = { name: "each", scope: "person", period: "day", limit_usd: 1, kind: "soft" };
    expect((await team.call(team.token, "POST", "/api/budgets", each)).status).toBe(201);
    const named = async (token: string) =>
      (await team.call(token, "GET", "/api/budgets")).body.budgets.map(({ name }: { name: string }) => name);
    expect(await named(bob.token)).toEqual(["each"]);
    expect((await named(team.token)).toSorted()).toEqual(["all", "each"]);
    expect((await team.call(bob.token, "GET", `/api/budgets?session=${id}`)).status).toBe(404);
    expect((await team.call(bob.token, "GET", "/api/usage/now")).body.sessions).toEqual([]);
    const view = team.app.hub.view(id);
    const question = {
      ...{
        type: "extension_ui_request" as const,
        id: "q",
        method: "select",
        title: "Run?",
        tool: "bash",
        args: {},
      },
      options: [{ value: "yes", kind: "allow_once" }],
    };
    const asker = { id, cwd: view.cwd, worker: view.worker, owner: ada.id };
    const remember = { what: "all", where: "directory" } as const;
    const { permissions } = team.app.hub;
    expect(permissions.grant(asker, question, remember, { label: "ada", person: ada.id })).not.toBeNull();
    expect(permissions.answerTo({ ...asker, id: "another" }, question)).not.toBeNull();
    expect(permissions.answerTo({ ...asker, id: "another", owner: bob.id }, question)).toBeNull();
    expect((await team.call(bob.token, "GET", "/api/permissions")).body.permissions).toEqual([]);
  });
});
