// The agents that need no profile, and the page of the documentation that lists them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { expect, it } from "vitest";
import { commonVariables } from "../../../src/machine/processes/environment.ts";
import { acpPrograms } from "../../../src/machine/profiles/acp-programs.ts";

const ofTheAccount = [...commonVariables, "XDG_CONFIG_HOME", "XDG_DATA_HOME"];

it("[K27] docs/agents.md lists every agent over ACP with its command, variables, Node and installation", () => {
  const rows = readFileSync(join(repository, "docs/agents.md"), "utf8")
    .split("\n")
    .flatMap((line) => /^(\| `\w+` \| .*) \| [^|]* \|$/.exec(line.replaceAll("\\|", "¦"))?.[1] ?? []);
  const expected = Object.entries(acpPrograms).map(([name, { command, env, node, install }]) => {
    const variables = env.filter((variable) => !ofTheAccount.includes(variable));
    const cells = [
      `\`${name}\``,
      `\`${command.join(" ")}\``,
      variables.map((variable) => `\`${variable}\``).join(" "),
      node === undefined ? "" : `≥ ${node}`,
      `\`${install.replaceAll("|", "¦")}\``,
    ];
    return `| ${cells.join(" | ")}`;
  });
  expect(rows).toEqual(expected);
});
