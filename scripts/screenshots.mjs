// `npm run screenshots`: starts the built server and takes the pictures of the documentation, so that they
// always show what the program really looks like. The scenes are in screenshot-scenes.mjs. With names, only the
// pictures of those are taken: `npm run screenshots -- files setup`.
import { execFileSync, spawn } from "node:child_process";
import { on, once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";
import { tsImport } from "tsx/esm/api";
import WebSocket from "ws";
import { buildAll } from "./build.mjs";
import { ensureChromium } from "./chromium.mjs";
import { root } from "./install.mjs";
import { costsScene } from "./screenshot-costs.mjs";
import { filesScene } from "./screenshot-files.mjs";
import { browserOf, logInOthers, newLoginUrl } from "./screenshot-login.mjs";
import {
  files,
  laterFiles,
  mainReplies,
  otherSessions,
  strangeWorker,
  working,
  writeFixture,
} from "./screenshot-scenes.mjs";

const images = join(root, "docs/images");
const only = process.argv.slice(2);
const isWanted = (name) => only.length === 0 || only.includes(name);
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

await buildAll();
const browserPath = await ensureChromium();
mkdirSync(images, { recursive: true });
const wanted = join(tmpdir(), "code");
const home = existsSync(wanted) ? mkdtempSync(`${wanted}-`) : wanted;
layOut();
const { startFakeModel } = await tsImport("../testing/src/fake-model/server.ts", import.meta.url);
const model = await startFakeModel();
const server = spawn(process.execPath, [join(root, "dist/server/main.js"), "--port", "0"], {
  cwd: join(home, "weather"),
  env: {
    PATH: process.env.PATH,
    HOME: home,
    CI: "1",
    ANTHROPIC_API_KEY: "not-a-real-key",
    ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
  },
  stdio: ["ignore", "pipe", "inherit"],
});
const serverEnded = once(server, "exit");
try {
  const { url } = await listening(server);
  const token = readFileSync(join(home, ".patchbay/token"), "utf8").trim();
  const sessions = await act(url, token);
  await takeAll(url, token, sessions);
  if (isWanted("costs")) await costsScene({ browserPath, images, sizes, listening });
} finally {
  server.kill("SIGTERM");
  await serverEnded;
  await model[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
}

function layOut() {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, "weather", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const git = (...args) => execFileSync("git", args, { cwd: join(home, "weather") });
  git("init", "-q", "-b", "flaky-retry");
  git("add", "-A");
  git("-c", "user.name=ada", "-c", "user.email=ada@example.com", "commit", "-qm", "Retry after a 503");
  mkdirSync(join(home, "billing"));
  const own = join(home, ".patchbay");
  mkdirSync(own);
  writeFixture(own, "claude-opus-4-8");
  writeFileSync(join(own, "strange.mjs"), strangeWorker);
  writeFileSync(
    join(own, "patchbay.config.json"),
    JSON.stringify({
      workers: { zot: { dialect: "zot", command: [process.execPath, join(own, "strange.mjs")] } },
    }),
  );
}

async function listening(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{"type":"listening"')) return JSON.parse(line);
  }
  throw new Error("the server ended before it listened");
}

/** Makes the sessions and waits until each is as the pictures need it. */
async function act(url, token) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const create = async (body) => {
    const answer = await fetch(`${url}/api/sessions`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()).session.id;
  };
  const prompt = (id, message, until = /"state":"(?:idle|failed)"/) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/api/sessions/${id}/socket`, { headers });
      let began = false;
      const late = setTimeout(() => reject(new Error(`"${message}" did not come to ${until}`)), 60_000);
      socket.on("error", reject);
      socket.on("close", () => clearTimeout(late));
      socket.on("open", () => socket.send(`${JSON.stringify({ type: "prompt", id: "p", message })}\n`));
      socket.on("message", (data) => {
        const text = new TextDecoder().decode(data);
        began ||= text.includes('"type":"user_message"');
        if (!began || !until.test(text)) return;
        socket.close();
        resolve();
      });
    });
  /** Says something into a turn; what comes of it is not waited for. */
  const tell = async (id, command) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/sessions/${id}/socket`, { headers });
    await once(socket, "open");
    socket.send(`${JSON.stringify({ id: "t", ...command })}\n`);
    for await (const [data] of on(socket, "message"))
      if (
        /"type":"response"[^\n]*"id":"t"|"id":"t"[^\n]*"type":"response"/.test(new TextDecoder().decode(data))
      )
        break;
    socket.close();
  };
  for (const { where, name, replies } of otherSessions) {
    model.reply(...replies);
    await prompt(await create({ cwd: join(home, where), name }), name);
  }
  const failed = await create({ worker: "zot", name: "Deploy the staging branch" });
  await prompt(failed, "Deploy the staging branch");
  const main = await create({ name: "Fix the flaky retry test" });
  model.reply(...mainReplies);
  await prompt(main, "The retry test fails about one time in five. Find out why, and fix it.");
  const question = await create({ worker: "zot", cwd: join(home, "billing"), name: "Release 1.4.0" });
  await prompt(question, "Release 1.4.0", /"state":"waiting"/);
  model.reply(working.reply);
  const busy = await create({ name: "Watch the build" });
  await prompt(busy, working.prompt, /mirror/); // what is said before the tool runs would keep it from running
  await tell(busy, { type: "steer", message: working.steer });
  for (const message of working.queue) await tell(busy, { type: "prompt", message });
  for (const [name, text] of Object.entries(laterFiles)) {
    mkdirSync(dirname(join(home, "weather", name)), { recursive: true });
    writeFileSync(join(home, "weather", name), text);
  }
  return { main, failed, question, busy };
}

async function takeAll(url, token, sessions) {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ["dark", "light"])
        await take(browser, { url, token, sessions, size, viewport, colorScheme });
    }
  } finally {
    await browser.close();
  }
}

async function take(browser, { url, token, sessions, size, viewport, colorScheme }) {
  const phone = size === "phone";
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor: 2,
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: "reduce",
    userAgent: browserOf(size),
  });
  await logInOthers(url, token);
  // The offer of notifications would be in every picture.
  await context.addInitScript(() => localStorage.setItem("patchbay.notify", "off"));
  const page = await context.newPage();
  const shoot = async (name) => {
    if (!isWanted(name)) return;
    await page.evaluate(() => document.fonts.ready);
    await page.mouse.move(0, 0);
    await page.screenshot({
      path: join(images, `${name}-${size}-${colorScheme}.png`),
      animations: "disabled",
    });
    process.stderr.write(`${name}-${size}-${colorScheme}.png\n`);
  };
  const show = (id) => page.goto(`${url}/sessions/${id}`);
  const tools = (name) => page.locator(`[data-tool="${name}"]`);
  const open = (card) => card.getByRole("button").first().click();

  await page.goto(url);
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  await shoot("login");
  await page.goto(await newLoginUrl(url, token));
  await page.getByRole("link", { name: /flaky/ }).first().waitFor();
  if (!phone) await page.getByRole("button", { name: /^Start without a prompt/ }).waitFor();
  await page.locator("[data-home] [data-directory]").waitFor(); // the agents and directories are known
  await shoot("list");
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Settings" }).click();
  const devices = page.getByRole("region", { name: "Devices" });
  await devices.getByRole("listitem").nth(2).waitFor();
  await devices.evaluate((region) => region.scrollIntoView({ block: "start" })); // far down on a phone
  await shoot("devices");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page
    .getByRole("option", { name: /^New session/ })
    .first()
    .click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Directory/ })
    .waitFor();
  await shoot("new-session");
  await show(sessions.main);
  await page.locator("[data-turn]").last().waitFor();
  await open(tools("edit"));
  await page.getByRole("group", { name: "Changes" }).waitFor();
  await page.getByRole("log").evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "hidden" });
  await shoot("session");
  await open(tools("bash").first());
  await open(tools("read").last());
  await page.locator(".hljs-keyword").first().waitFor();
  await page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await page.getByRole("button", { name: "Jump to latest" }).waitFor();
  await shoot("tools");
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  await page.getByText("MB").waitFor();
  await shoot("details");
  await show(sessions.busy);
  await page.getByRole("group", { name: "Output" }).filter({ hasText: "mirror" }).waitFor();
  await page.getByRole("region", { name: "Queue" }).waitFor();
  await page.getByRole("textbox", { name: "Prompt" }).fill(working.draft);
  await shoot("working");
  await page.getByRole("textbox", { name: "Prompt" }).fill("");
  await show(sessions.question);
  await page.getByRole("region", { name: "The agent asks" }).waitFor();
  await shoot("question");
  await show(sessions.failed);
  await page.getByRole("group", { name: "Error output of the agent" }).waitFor();
  await shoot("failed");
  await page.goto(url);
  await page.getByRole("button", { name: /Search or run/ }).click();
  await page.getByRole("combobox").fill("retry");
  await page.getByRole("option", { name: /fails about one time/ }).waitFor();
  await shoot("palette");
  await page.goto(`${url}/search?q=test`);
  await page.getByRole("status").filter({ hasText: "result" }).waitFor();
  await shoot("search");
  await page.goto(`${url}/setup`);
  await page.getByRole("heading", { name: /^Agents \d/ }).waitFor();
  await shoot("setup");
  await filesScene({ page, shoot, phone, address: `${url}/sessions/${sessions.main}/files` });
  if (!phone) {
    await page.goto(`${url}/sessions/${sessions.main}?with=${sessions.question}`);
    await page.getByRole("table").waitFor();
    await page.getByRole("region", { name: "The agent asks" }).waitFor();
    await shoot("split");
  }
  await context.close();
}
