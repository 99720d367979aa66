// Who gets in: nobody without a login, no page of another site, and no program that was sent the cookie.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { WebSocket } from "ws";
import { makeCertificate } from "../testing/src/certificate.ts";
import { startServer } from "../testing/src/server-process.ts";
import { temporaryDirectory } from "../testing/src/test-run.ts";
import { composer, expect, prompt, startSession, state, test, turnEnds } from "./story.ts";

test("[X15] a page on another port that is sent the cookie can do nothing with it", async ({
  session: page,
  context,
  server,
}) => {
  const id = new URL(page.url()).pathname.split("/").at(-1);
  let received = "";
  const foreign = createServer((request, response) => {
    received = request.headers.cookie ?? received;
    response.setHeader("content-type", "text/html").end("<!doctype html><title>elsewhere</title>");
  });
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  try {
    const elsewhere = await context.newPage();
    // Another port is another origin, yet the same site: the strictest cookie is sent along.
    await elsewhere.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    expect(received).toMatch(/^patchbay_\d+=/);
    // From its page, in the browser.
    const outcome = await elsewhere.evaluate(
      async ({ url, id }) => {
        const read = await fetch(`${url}/api/sessions`, { credentials: "include" }).then(
          () => "read",
          () => "refused",
        );
        const blind = await fetch(`${url}/api/sessions`, {
          method: "POST",
          mode: "no-cors",
          credentials: "include",
          body: "{}",
        }).then(
          (response) => response.type,
          () => "refused",
        );
        const heard = await Promise.all(
          [undefined, ["patchbay"], ["patchbay", "patchbay.guess"]].map((protocols) => {
            const address = `${url.replace("http", "ws")}/api/sessions/${id}/socket`;
            const socket = new WebSocket(address, protocols);
            return new Promise<string>((resolve) => {
              socket.onmessage = () => resolve("heard");
              socket.onclose = () => resolve("closed");
            });
          }),
        );
        return { read, blind, heard, stored: localStorage.length };
      },
      { url: server.url, id },
    );
    expect(outcome).toMatchObject({ read: "refused", heard: ["closed", "closed", "closed"], stored: 0 });
    // From its server, which has the cookie and can say anything.
    for (const path of ["/api/sessions", `/api/sessions/${id}/messages`, "/api/logins", "/metrics"])
      for (const method of ["GET", "POST", "DELETE"]) {
        const headers = { cookie: received, origin: server.url };
        const { status } = await fetch(server.url + path, { method, headers });
        expect([method, path, status]).toEqual([method, path, 401]);
      }
    for (const path of [`/api/sessions/${id}/socket`, "/api/sessions/events"]) {
      const socket = new WebSocket(server.url.replace("http", "ws") + path, ["patchbay"], {
        headers: { cookie: received, origin: server.url },
      });
      const status = await new Promise((resolve) => {
        socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
        socket.once("open", () => resolve("open"));
      });
      expect([path, status]).toEqual([path, 401]);
    }
    // The blind call got an answer it cannot read; what counts is that it started nothing.
    const { body } = await server.call("GET", "/api/sessions");
    expect(body).toMatchObject({ sessions: [{ id }] });
    await expect(page.getByText("2 viewers on this session")).not.toBeAttached();
    // And whose cookie it is has noticed nothing.
    await page.reload();
    await expect(composer(page)).toBeVisible();
  } finally {
    foreign.close();
  }
});

test("[X40] exports are saved without a secret in any address", async ({ session: page, server, model }) => {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  model.reply({ text: "An answer to keep." });
  await prompt(page, "Say something");
  await expect(turnEnds(page)).toBeVisible();
  for (const [name, ending] of [
    ["Web page (HTML)", "html"],
    ["Text (Markdown)", "md"],
    ["Everything (JSONL)", "jsonl"],
  ] as const) {
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Export" }).press("ArrowRight");
    const saved = page.waitForEvent("download");
    await page.getByRole("menuitem", { name }).press("Enter");
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^Say-something.*\\.${ending}$`));
    const stream = await download.createReadStream();
    let text = "";
    for await (const piece of stream) text += String(piece);
    expect(text).toContain("An answer to keep.");
  }
  await page.goto(`${server.url}/costs`);
  await page.getByRole("button", { name: "Export" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV, by day" }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/);
  const secret = await page.evaluate(() => localStorage.getItem("patchbay.login"));
  expect(secret).not.toBeNull();
  for (const address of addresses) {
    expect(address).not.toContain(String(secret));
    expect(address).not.toContain(server.token);
  }
});

test("[X31] over TLS of our own everything works: login, session, socket, reload", async ({ browser }) => {
  const directory = temporaryDirectory("tls");
  const made = makeCertificate(["localhost", "127.0.0.1"]);
  const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  writeFileSync(files.cert, made.cert);
  writeFileSync(files.key, made.key);
  await using server = await startServer({
    args: ["--tls-cert", files.cert, "--tls-key", files.key],
    env: { PATCHBAY_DEMO_DELAY_MS: "1" },
  });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(server.printedLoginUrl);
  await startSession(page);
  await prompt(page, "List the files");
  await expect(turnEnds(page)).toBeVisible();
  await page.reload();
  await expect(turnEnds(page)).toBeVisible();
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: "Strict" });
  await context.close();
});

test("[X38] a session that was opened by its address attaches once, with the early socket", async ({
  session: page,
}) => {
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await page.reload();
  await expect(composer(page)).toBeVisible();
  await expect(state(page, "idle")).toBeVisible();
  expect(sockets.filter((url) => url.includes("/socket?"))).toHaveLength(1);
});
