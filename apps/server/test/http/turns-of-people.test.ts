// Prompts over HTTP on a server with people: each route needs its right, and a right that is taken away is gone at once.
import { describe, expect, it } from "vitest";
import { EventStreamReader } from "../support/event-stream-reader.ts";
import { openTeam, session, share } from "../support/team.ts";

describe("turns of people", () => {
  it("[H62] need the right and the scope of what they do", async () => {
    await using team = await openTeam();
    const [owner, other] = [await team.add("owner"), await team.add("other")];
    const id = await session(team, owner.token);
    const path = `/api/sessions/${id}`;
    const reader = await team.tokenOf(owner.id, ["read"]);
    const driver = await team.tokenOf(owner.id, ["drive"]);
    const prompt = { prompt: "say hello", wait: 60 };
    expect((await team.call(reader, "POST", `${path}/prompts`, prompt)).status).toBe(403);
    expect((await team.call(reader, "POST", "/api/sessions", prompt)).status).toBe(403);
    const { status, body } = await team.call(driver, "POST", `${path}/prompts`, prompt);
    expect([status, body.turn.state]).toEqual([200, "done"]);
    const turn = `${path}/turns/${body.turn.id}`;
    expect((await team.call(reader, "GET", turn)).body).toEqual(body);
    expect((await team.call(driver, "GET", turn)).status).toBe(403);
    for (const [method, address] of [
      ["POST", `${path}/prompts`],
      ["GET", turn],
      ["GET", `${path}/events`],
    ] as const)
      expect(
        (await team.call(other.token, method, address, method === "POST" ? prompt : undefined)).status,
      ).toBe(404);
    await share(team, owner.token, id, { team: "watch", grants: [] });
    expect((await team.call(other.token, "GET", turn)).status).toBe(200);
    expect((await team.call(other.token, "POST", `${path}/prompts`, prompt)).status).toBe(403);
    const made = await team.call(driver, "POST", "/api/sessions", { prompt: "say mine", wait: 60 });
    expect(made.body.session.owner).toBe(owner.id);
    const { entries } = (await team.call(owner.token, "GET", `/api/audit?target=${id}`)).body;
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: "session.drive",
        result: "ok",
        detail: expect.objectContaining({ command: "prompt", length: prompt.prompt.length }),
      }),
    );
    expect(JSON.stringify(entries)).not.toContain(prompt.prompt);
  });

  it("[H62] a right that is taken away ends event streams, and calls that wait", async () => {
    await using team = await openTeam();
    const [owner, other] = [await team.add("owner"), await team.add("other")];
    const id = await session(team, owner.token);
    await share(team, owner.token, id, { team: "watch", grants: [] });
    const prompts = `/api/sessions/${id}/prompts`;
    const { turn } = (await team.call(owner.token, "POST", prompts, { prompt: "hang" })).body;
    const waiting = team.call(other.token, "GET", `/api/sessions/${id}/turns/${turn.id}?wait=240`);
    await using reader = new EventStreamReader({ url: team.url, token: other.token }, id);
    await reader.named("caught_up");
    await share(team, owner.token, id, { team: null, grants: [] });
    expect(JSON.parse((await reader.named("closed")).data)).toMatchObject({ code: "no_such_session" });
    await team.call(owner.token, "POST", `/api/sessions/${id}/stop`);
    expect((await waiting).status).toBe(404);
  });
});
