// The dependency law is enforced: files that break it, planted in a copy of the layout, are refused.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { afterAll, describe, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "patchbay-law-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function lint(path: string, source: string): Promise<string> {
  copyFileSync(join(repository, ".oxlintrc.json"), join(directory, ".oxlintrc.json"));
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
  return new Promise((resolve) => {
    execFile(join(repository, "node_modules/.bin/oxlint"), [path], { cwd: directory }, (_error, stdout) => {
      rmSync(file);
      resolve(stdout);
    });
  });
}

const use = (from: string): string => `import { x } from "${from}";\n\nexport const y = x;\n`;

describe("dependency law", () => {
  const broken = [
    ["packages/protocol/src/a.ts", "node:fs"],
    ["packages/protocol/src/a.ts", "fastify"],
    ["packages/export/src/a.ts", "node:fs"],
    ["packages/protocol/src/a.ts", "@patchbay/sandbox"],
    ["packages/sandbox/src/a.ts", "@patchbay/protocol"],
    ["packages/sandbox/src/a.ts", "zod/mini"],
    ["packages/extension/src/a.ts", "@patchbay/worker"],
    ["packages/extension/src/a.ts", "@patchbay/sandbox"],
    ["apps/web/src/a.ts", "@patchbay/sandbox"],
    ["packages/extension/src/a.ts", "zod/mini"],
    ["apps/web/src/a.ts", "../../server/src/app.ts"],
    ["apps/web/src/a.ts", "@patchbay/server"],
    ["apps/web/src/a.ts", "node:path"],
    ["apps/worker/src/a.ts", "@patchbay/server"],
    ["apps/server/src/http/a.ts", "@patchbay/worker"],
    ["apps/server/src/store/a.ts", "../session/session.ts"],
    ["apps/server/src/costs/budgets/a.ts", "../../session/hub.ts"],
    ["apps/server/src/machine/processes/a.ts", "../../session/hub.ts"],
    ["apps/server/src/machine/dialects/a.ts", "../../http/sessions.ts"],
    ["apps/server/src/machine/dialects/pi/a.ts", "../../../session/hub.ts"],
    ["apps/server/src/machine/git/a.ts", "../../store/sqlite/sqlite-store.ts"],
    ["apps/server/src/machine/a.ts", "../app.ts"],
    ["apps/server/src/projections/a.ts", "../session/log/journal.ts"],
    ["apps/server/src/session/a.ts", "../sockets/socket-viewer.ts"],
    ["apps/server/src/session/a.ts", "../app.ts"],
    ["apps/server/src/session/a.ts", "../integrations/webhooks.ts"],
    ["apps/server/src/session/worker/a.ts", "node:child_process"],
    ["apps/server/src/session/log/a.ts", "../../store/log-files/file-log.ts"],
    ["apps/server/src/http/a.ts", "../store/sqlite/sqlite-store.ts"],
  ] as const;

  it.each(broken)("[L1] %s may not import %s", async (path, from) => {
    expect(await lint(path, use(from))).toContain("no-restricted-imports");
  });

  const allowed = [
    ["packages/protocol/src/a.ts", "zod/mini"],
    ["packages/protocol/src/transcript/a.ts", "../events/message.ts"],
    ["packages/extension/src/a.ts", "@patchbay/protocol/extension"],
    ["packages/sandbox/src/a.ts", "node:fs"],
    ["packages/sandbox/src/a.ts", "./fence.ts"],
    ["apps/worker/src/a.ts", "@patchbay/sandbox"],
    ["apps/server/src/machine/processes/a.ts", "@patchbay/sandbox"],
    ["apps/web/src/a.ts", "@patchbay/protocol"],
    ["apps/server/src/session/a.ts", "../store/store.ts"],
    ["apps/server/src/session/a.ts", "../machine/git/worktrees.ts"],
    ["apps/server/src/machine/files/a.ts", "../git/run-git.ts"],
    ["apps/server/src/http/a.ts", "../session/hub.ts"],
  ] as const;

  it.each(allowed)("[L2] %s may import %s", async (path, from) => {
    expect(await lint(path, use(from))).not.toContain("no-restricted-imports");
  });

  it("[L3] only config/ of the server reads the environment", async () => {
    const source = `export const path = process.env["PATH"];\n`;
    expect(await lint("apps/server/src/session/a.ts", source)).toContain("no-process-env");
    expect(await lint("apps/server/src/config/config.ts", source)).not.toContain("no-process-env");
  });
});
