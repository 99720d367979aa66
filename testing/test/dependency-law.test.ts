// The dependency law is enforced: files that break it, planted in a copy of the layout, are refused.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";

const directory = mkdtempSync(join(tmpdir(), "patchbay-law-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Planted {
  path: string;
  source: string;
}

/** Plants the files, each beside its path under a name of its own, and lints them in one go: which rules each breaks. */
async function lint(planted: readonly Planted[]): Promise<string[][]> {
  copyFileSync(join(repository, ".oxlintrc.json"), join(directory, ".oxlintrc.json"));
  const paths = planted.map(({ path, source }, index) => {
    const own = join(dirname(path), `planted-${index}.ts`);
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, own), source);
    return own;
  });
  const oxlint = join(repository, "node_modules/.bin/oxlint");
  const stdout = await new Promise<string>((resolve) => {
    execFile(oxlint, ["--format", "json"], { cwd: directory }, (_error, stdout) => resolve(stdout));
  });
  const { diagnostics } = Found.parse(JSON.parse(stdout));
  return paths.map((path) => diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code));
}

const Found = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

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
    ["apps/server/src/session/a.ts", "../machine/git/worktrees.ts"],
    ["apps/server/src/session/hub/a.ts", "node:fs"],
    ["apps/server/src/projections/a.ts", "../machine/git/repository.ts"],
    ["apps/server/src/projections/a.ts", "node:fs/promises"],
    ["apps/server/src/http/a.ts", "../machine/files/read-files.ts"],
    ["apps/server/src/sockets/local/a.ts", "../../machine/profiles/profiles.ts"],
    ["apps/server/src/costs/budgets/a.ts", "../../machine/files/real-path.ts"],
    ["apps/server/src/machine/imports/a.ts", "../../costs/prices/prices.ts"],
    ["apps/server/src/machine/imports/a.ts", "../../store/store.ts"],
    ["apps/server/src/store/a.ts", "../machine/machine.ts"],
    ["apps/server/src/http/a.ts", "../features/costs.ts"],
  ] as const;

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
    ["apps/server/src/session/a.ts", "../machine/machine.ts"],
    ["apps/server/src/http/a.ts", "../machine/machine.ts"],
    ["apps/server/src/costs/imports/a.ts", "../../machine/machine.ts"],
    ["apps/server/src/features/a.ts", "../http/files.ts"],
    ["apps/server/src/machine/files/a.ts", "../git/run-git.ts"],
    ["apps/server/src/http/a.ts", "../session/hub.ts"],
  ] as const;

  const environment = `export const path = process.env["PATH"];\n`;
  const cases: (readonly [name: string, planted: Planted, rule: string, isBroken: boolean])[] = [
    ...broken.map(
      ([path, from]) =>
        [
          `[L1] ${path} may not import ${from}`,
          { path, source: use(from) },
          "no-restricted-imports",
          true,
        ] as const,
    ),
    ...allowed.map(
      ([path, from]) =>
        [
          `[L2] ${path} may import ${from}`,
          { path, source: use(from) },
          "no-restricted-imports",
          false,
        ] as const,
    ),
    [
      "[L3] a session may not read the environment",
      { path: "apps/server/src/session/a.ts", source: environment },
      "no-process-env",
      true,
    ],
    [
      "[L3] config/ may read the environment",
      { path: "apps/server/src/config/a.ts", source: environment },
      "no-process-env",
      false,
    ],
  ];
  const linted = lint(cases.map(([, planted]) => planted));

  it.each(cases.map(([name, , rule, isBroken], index) => ({ name, rule, isBroken, index })))(
    "$name",
    async ({ rule, isBroken, index }) => {
      const codes = (await linted)[index] ?? [];
      expect(codes.some((code) => code.includes(rule))).toBe(isBroken);
    },
  );
});
