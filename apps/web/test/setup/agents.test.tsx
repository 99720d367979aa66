// @vitest-environment happy-dom
// The agents of the setup page: how to sign in to those that have a login of their own.
import type { WorkerInfo } from "@patchbay/protocol";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, it } from "vitest";
import { acpPrograms } from "../../../server/src/machine/profiles/acp-programs.ts";
import { Agents } from "../../src/setup/agents.tsx";

Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);

const shown = document.createElement("div");
const root = createRoot(shown);
afterEach(() => act(() => root.render(null)));

function show(...names: string[]): string {
  const workers: WorkerInfo[] = names.map((name) => ({
    name,
    dialect: "acp",
    available: true,
    capabilities: [],
  }));
  act(() => root.render(<Agents found={{ workers, default_worker: "builtin" }} />));
  return shown.textContent ?? "";
}

it.each([
  ["claude", "To sign in, run claude, then /login."],
  ["codex", "To sign in, run codex login."],
  ["gemini", "To sign in, run gemini, then choose how to sign in."],
  ["opencode", "To sign in, run opencode auth login."],
  ["goose", "To sign in, run goose configure."],
  ["pi", "To sign in, run pi, then /login."],
  ["omp", "To sign in, run omp, then /login."],
  ["cursor", "To sign in, run cursor-agent login."],
  ["copilot", "To sign in, run copilot login."],
])("[P222] says how to sign in to %s", (name, sentence) => {
  expect(show("builtin", name)).toContain(sentence);
});

it("[K27] describes every agent over ACP that needs no profile as known, not as one of the config file", () => {
  expect(show(...Object.keys(acpPrograms))).not.toContain("config file");
});

it("[P222] offers no sign-in for agents without a login of their own", () => {
  expect(show("builtin", "constructor", "my-agent")).not.toContain("sign in");
});
