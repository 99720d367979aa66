// A page in German: what the server says of an error is in German too, where its sentence has no parameters.
import { errorTable } from "../packages/protocol/src/api/errors.ts";
import { expect, test } from "./story.ts";

test.use({ worker: "demo", locale: "de-DE" });

test("[P292] a session that does not exist says so in the language of the page", async ({ page, server }) => {
  await page.goto(await server.loginUrl());
  await expect(page.getByRole("button", { name: /^Ohne Prompt starten/ })).toBeVisible();
  await page.goto(`${server.url}/sessions/0123456789abcdef`);
  await expect(page.getByText("Diese Sitzung gibt es nicht.")).toBeVisible();
  await expect(page.getByText(errorTable.no_such_session.sentence)).toHaveCount(0);
});

test("[P292] a refused call is explained in the language of the page, and an exact sentence stays as it is", async ({
  page,
  server,
}) => {
  await page.goto(await server.loginUrl());
  const start = page.getByRole("button", { name: /^Ohne Prompt starten/ });
  await expect(start).toBeEnabled();
  let message: string = errorTable.going_away.sentence;
  await page.route("**/api/sessions", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 503, json: { error: { code: "going_away", message } } })
      : route.continue(),
  );
  await start.click();
  await expect(page.getByText("Der Server wird gerade beendet.")).toBeVisible();
  message = "The server is shutting down for 5 minutes.";
  await start.click();
  await expect(page.getByText(message)).toBeVisible();
});
