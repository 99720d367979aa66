// `npm run screenshots`: starts the built server with the offline demo and takes the pictures of the
// documentation, so that they always show what the program really looks like.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";
import WebSocket from "ws";
import { buildAll } from "./build.mjs";
import { ensureChromium } from "./chromium.mjs";
import { root } from "./install.mjs";

const images = join(root, "docs/images");
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const files = {
  "README.md": "# Weather\n\nA small forecast service. Temperatures are in Kelvin.\n",
  "src/units.ts":
    '/** The unit of every temperature in this project. */\nexport const unit = "Celsius";\n\nexport const format = (degrees: number): string => `${degrees.toFixed(1)} ${unit}`;\n',
  "test/units.mjs":
    'import { readFileSync } from "node:fs";\n\nconst right = /Kelvin/.test(readFileSync("src/units.ts", "utf8"));\nconsole.log(`${right ? "ok" : "not ok"} 1 - temperatures are in Kelvin`);\nprocess.exitCode = right ? 0 : 1;\n',
};

/** A worker that ends badly, and one that needs somebody. */
const dyingWorker = `import { serve } from ${JSON.stringify(join(root, "testing/workers/zot-worker.mjs"))};
serve({
  async Deploy(_rest, { write }) {
    write({ type: "text_delta", delta: "I will check the staging cluster first, then roll out the new image." });
    process.stderr.write("zot: provider anthropic: stream closed after 412 bytes\\nzot: fatal: cannot continue without a model\\n");
    setImmediate(() => process.exit(1));
    return new Promise(() => {});
  },
  async Release(_rest, { write, untilAborted }) {
    write({ type: "text_delta", delta: "Everything is ready. The last step cannot be undone." });
    write({ type: "extension_ui_request", id: "q1", method: "confirm", title: "Push the tag v1.4.0 to origin?" });
    return untilAborted;
  },
});
`;

await buildAll();
const browserPath = await ensureChromium();
mkdirSync(images, { recursive: true });
const wanted = join(tmpdir(), "code");
const home = existsSync(wanted) ? mkdtempSync(`${wanted}-`) : wanted;
const project = join(home, "weather");
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}
mkdirSync(join(home, "billing"));
mkdirSync(join(home, ".patchbay"));
writeFileSync(join(home, ".patchbay/dying.mjs"), dyingWorker);
writeFileSync(
  join(home, ".patchbay/patchbay.config.json"),
  JSON.stringify({
    workers: { zot: { dialect: "zot", command: [process.execPath, join(home, ".patchbay/dying.mjs")] } },
  }),
);

const server = spawn(process.execPath, [join(root, "dist/server/main.js"), "--port", "0"], {
  cwd: project,
  env: { PATH: process.env.PATH, HOME: home, CI: "1" },
  stdio: ["ignore", "pipe", "inherit"],
});
const serverEnded = once(server, "exit");
try {
  const { url, login_url } = await listening(server);
  const sessions = await act(url, new URL(login_url).searchParams.get("token"));
  await takeAll(url, login_url, sessions);
} finally {
  server.kill("SIGTERM");
  await serverEnded;
  rmSync(home, { recursive: true, force: true });
}

async function listening(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{"type":"listening"')) return JSON.parse(line);
  }
  throw new Error("the server ended before it listened");
}

/** Sessions as a working day leaves them. */
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
  const prompt = (id, message, until = "idle|failed") =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/api/sessions/${id}/socket`, { headers });
      let began = false;
      socket.on("error", reject);
      socket.on("open", () => socket.send(`${JSON.stringify({ type: "prompt", id: "p", message })}\n`));
      socket.on("message", (data) => {
        const text = new TextDecoder().decode(data);
        began ||= text.includes('"type":"user_message"');
        if (!began || !new RegExp(`"state":"(?:${until})"`).test(text)) return;
        socket.close();
        resolve();
      });
    });
  const billing = join(home, "billing");
  const started = [
    [
      { cwd: billing, name: "Rename the invoice fields" },
      "Write a file invoice.md that says total, then replace `total` with `amount` in invoice.md",
    ],
    [{ cwd: billing, name: "Why is the nightly export slow?" }, "Run `uptime`"],
    [{ cwd: project, name: "List the open questions" }, "List the files"],
  ];
  for (const [body, message] of started) await prompt(await create(body), message);
  const failed = await create({ worker: "zot", name: "Deploy the staging branch" });
  await prompt(failed, "Deploy the staging branch");
  const main = await create({ name: "Temperatures should be in Kelvin" });
  await prompt(main, "Read README.md, then run `node test/units.mjs`");
  await prompt(main, "Replace `Celsius` with `Kelvin` in src/units.ts");
  await prompt(
    await create({ worker: "zot", cwd: billing, name: "Release 1.4.0" }),
    "Release 1.4.0",
    "waiting",
  );
  await prompt(await create({ name: "Watch the build" }), "Run `sleep 600`", "busy");
  return { main, failed };
}

async function takeAll(url, loginUrl, sessions) {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ["dark", "light"])
        await take(browser, { url, loginUrl, sessions, size, viewport, colorScheme });
    }
  } finally {
    await browser.close();
  }
}

async function take(browser, { url, loginUrl, sessions, size, viewport, colorScheme }) {
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
  const shoot = async (name) => {
    await page.evaluate(() => document.fonts.ready);
    await page.mouse.move(0, 0);
    await page.screenshot({
      path: join(images, `${name}-${size}-${colorScheme}.png`),
      animations: "disabled",
    });
    process.stderr.write(`${name}-${size}-${colorScheme}.png\n`);
  };
  const show = async (path) => {
    await page.goto(`${url}${path}`);
    if (path !== "/") await page.locator("[data-turn]").last().waitFor();
  };
  const tool = (name) => page.locator(`[data-tool="${name}"]`).last().getByRole("button").first();

  await page.goto(url);
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  await shoot("login");
  await page.goto(loginUrl);
  await page.getByRole("link", { name: /Kelvin/ }).waitFor();
  await shoot("list");
  await page.getByRole("button", { name: "New session" }).click();
  await page.getByRole("textbox", { name: "Directory" }).waitFor();
  await shoot("new-session");
  await show(`/sessions/${sessions.main}`);
  await tool("edit").click();
  await page.getByRole("group", { name: "Changes" }).waitFor();
  await page.locator(".hljs-addition").first().waitFor();
  await page.getByRole("log").evaluate((log) => log.scrollTo(0, log.scrollHeight));
  await page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "hidden" });
  await shoot("session");
  await tool("bash").click();
  await tool("read").click();
  await page.locator(".hljs-section").first().waitFor();
  await page
    .getByRole("log")
    .evaluate((log) => log.querySelector('[data-tool="bash"]').scrollIntoView({ block: "center" }));
  await page.getByRole("button", { name: "Jump to latest" }).waitFor();
  await shoot("tools");
  await show(`/sessions/${sessions.failed}`);
  await page.getByRole("group", { name: "Standard error of the worker" }).waitFor();
  await shoot("failed");
  await context.close();
}
