// @vitest-environment happy-dom
// The table of what agents can do: what is not known is never shown as a no.
import type { AgentFacts, WorkerInfo } from "@patchbay/protocol";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, it } from "vitest";
import { AbilitiesTable } from "../../src/setup/abilities-table.tsx";

Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);

const shown = document.createElement("div");
const root = createRoot(shown);
afterEach(() => act(() => root.render(null)));

const agent = (name: string, more: Partial<WorkerInfo> & AgentFacts = {}): WorkerInfo => ({
  ...{ name, dialect: "acp", available: true, capabilities: [] },
  ...more,
});

/** What the row of the only agent says, by ability. */
function rowOf(worker: WorkerInfo): Record<string, string> {
  act(() => root.render(<AbilitiesTable workers={[worker]} />));
  const titles = [...shown.querySelectorAll("tbody td[title]")].map((cell) => cell.getAttribute("title"));
  return Object.fromEntries(titles.map((title) => (title ?? "").split(": ")));
}

it("[P340] says no only where that is known", () => {
  const open = agent("mine", { capabilities: ["images"] });
  expect(rowOf(open)).toMatchObject({
    Queue: "Yes",
    Images: "Yes",
    Steer: "Not known yet",
    Approvals: "Yes",
  });
  const known = agent("mine", { capabilities: ["images"], capabilities_from: { source: "session" } });
  expect(rowOf(known)).toMatchObject({ Queue: "Yes", Images: "Yes", Steer: "No", "Cost per call": "Partly" });
});

it("[P340] tells zot from the built-in agent, which speaks its protocol", () => {
  const from = { dialect: "zot", capabilities_from: { source: "known" } } as const;
  expect(rowOf(agent("zot", from))).toMatchObject({ Approvals: "No", Resume: "No" });
  expect(rowOf(agent("builtin", { ...from, capabilities: ["approvals", "restore"] }))).toMatchObject({
    Approvals: "Yes",
    Resume: "Yes",
    "Approval modes": "Yes",
  });
});

it("[P340] an agent opens to its version, Node, installation, and how all that is known", () => {
  const worker = agent("claude", {
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    capabilities: ["compact"],
    ...{ version: "0.101.0", node: "22", tested: "0.100.0" },
    capabilities_from: { source: "suite", version: "0.100.0" },
  });
  rowOf(worker);
  act(() => shown.querySelector<HTMLButtonElement>("tbody button")?.click());
  const text = shown.textContent ?? "";
  for (const part of ["0.101.0", "22 or newer", "0.100.0", "npm install -g", "in Patchbay's own tests"])
    expect(text).toContain(part);
});
