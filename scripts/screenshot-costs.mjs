// The pictures of the costs page: a home of its own with two months of spending in it, and agents at work.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { tsImport } from "tsx/esm/api";
import WebSocket from "ws";
import { root } from "./install.mjs";
import { newLoginUrl } from "./screenshot-login.mjs";
import { atWork, busyWorker, writeFixture } from "./screenshot-scenes.mjs";

export async function costsScene({ browserPath, images, sizes, listening }) {
  const wanted = join(tmpdir(), "work");
  const home = existsSync(wanted) ? mkdtempSync(`${wanted}-`) : wanted;
  const own = join(home, ".patchbay");
  for (const path of [own, ...["weather", "billing", "shop", "infra"].map((name) => join(home, name))])
    mkdirSync(path, { recursive: true });
  const { writeDemoLedger } = await tsImport("../testing/src/demo-ledger.ts", import.meta.url);
  await writeDemoLedger({ home: own, projects: home, days: 60, perDay: 12, withPeople: true });
  writeFixture(own, "claude-sonnet-4-5");
  writeFileSync(join(own, "busy.mjs"), busyWorker);
  const command = [process.execPath, join(own, "busy.mjs")];
  writeFileSync(join(own, "patchbay.config.json"), JSON.stringify({ workers: { zot: { command } } }));
  const server = spawn(process.execPath, [join(root, "dist/server/main.js"), "--port", "0"], {
    cwd: join(home, "weather"),
    env: { PATH: process.env.PATH, HOME: home, CI: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  try {
    const { url } = await listening(server);
    const token = readFileSync(join(own, "token"), "utf8").trim();
    for (const { where, name } of atWork) await setToWork(url, token, join(home, where), name);
    await takeCosts({ browserPath, images, sizes, token, url });
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** Resolves when it has spent something and goes on. */
async function setToWork(url, token, cwd, name) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ worker: "zot", cwd, name });
  const { session } = await (await fetch(`${url}/api/sessions`, { method: "POST", headers, body })).json();
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/sessions/${session.id}/socket`, { headers });
  await new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => socket.send(`${JSON.stringify({ type: "prompt", id: "p", message: "Work" })}\n`));
    socket.on("message", (data) => {
      if (new TextDecoder().decode(data).includes('"type":"usage"')) resolve();
    });
  });
  socket.close();
}

async function takeCosts({ browserPath, images, sizes, token, url }) {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ["dark", "light"]) {
        const phone = size === "phone";
        const context = await browser.newContext({
          viewport,
          colorScheme,
          deviceScaleFactor: 2,
          hasTouch: phone,
          isMobile: phone,
          reducedMotion: "reduce",
        });
        const page = await context.newPage();
        await page.goto(await newLoginUrl(url, token));
        await page
          .getByRole("link", { name: /^Costs/ })
          .first()
          .waitFor(); // the page is logged in
        await page.goto(`${url}/costs`);
        await page.getByText("/ h").first().waitFor();
        await page.getByRole("region", { name: "By model" }).getByRole("row").nth(1).waitFor();
        await page.locator("canvas").waitFor();
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({
          path: join(images, `costs-${size}-${colorScheme}.png`),
          animations: "disabled",
        });
        process.stderr.write(`costs-${size}-${colorScheme}.png\n`);
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
}
