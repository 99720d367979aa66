// Who gets in: nobody without the token, and no page of another site, whatever cookies the browser has.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./story.ts";

test("without a token there is a login that explains itself, and the link lets in", async ({
  page,
  server,
}) => {
  await page.goto(server.url);
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
  await page.getByLabel("Link or token").fill(server.loginUrl);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("button", { name: /^Start a session/ })).toBeEnabled();
});

test("a wrong token does not let in", async ({ page, server }) => {
  await page.goto(server.url);
  await page.getByLabel("Link or token").fill("wrong-token");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
  const status = await page.evaluate(async () => (await fetch("/api/sessions")).status);
  expect(status).toBe(401);
});

test("a page of another origin reaches neither a call nor a socket", async ({
  session: page,
  context,
  server,
}) => {
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const foreign = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>elsewhere</title>");
  });
  await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
  try {
    const elsewhere = await context.newPage();
    // Another port is another origin, yet the same site: the strictest cookie is sent along.
    await elsewhere.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
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
        const socket = new WebSocket(`${url.replace("http", "ws")}/api/sessions/${id}/socket`);
        const heard = await new Promise<string>((resolve) => {
          socket.onmessage = () => resolve("heard");
          socket.onclose = () => resolve("closed");
        });
        return { read, blind, heard };
      },
      { url: server.url, id },
    );
    expect(outcome.read).toBe("refused");
    expect(outcome.heard).toBe("closed");
    // The blind call got an answer it cannot read; what counts is that it started nothing.
    const { body } = await server.call("GET", "/api/sessions");
    expect(body).toMatchObject({ sessions: [{ id }] });
    await expect(page.getByText("2 viewers on this session")).not.toBeAttached();
  } finally {
    foreign.close();
  }
});
