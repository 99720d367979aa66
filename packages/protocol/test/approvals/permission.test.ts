// Standing permissions: which commands they cover, and which tricks do not get past them.
import { describe, expect, it } from "vitest";
import {
  beginsWith,
  covers,
  isSafePrefix,
  prefixesOf,
  readApproval,
  rememberable,
  shellWords,
  termsOf,
  type UiRequestEvent,
} from "../../src/index.ts";

const question = (command: unknown, more: object = {}): UiRequestEvent => ({
  type: "extension_ui_request",
  id: "q",
  method: "select",
  tool: "bash",
  args: { command },
  options: [
    { label: "Allow once", value: "yes", kind: "allow_once" },
    { label: "Deny", value: "no", kind: "reject_once" },
  ],
  ...more,
});

const approval = (command: string) => {
  const read = readApproval(question(command));
  if (read === null) throw new Error("no approval");
  return read;
};

describe("words of a command", () => {
  it.each([
    ["git status", ["git", "status"]],
    ["  git\tlog  --oneline ", ["git", "log", "--oneline"]],
    [`git commit -m 'a; b && c $(d) \\ "e"'`, ["git", "commit", "-m", 'a; b && c $(d) \\ "e"']],
    [`grep "two words" src/*.ts`, ["grep", "two words", "src/*.ts"]],
    ["git'' sta\"tus\"", ["git", "status"]],
    ["echo ''", ["echo", ""]],
  ])("[Q241] %s", (command, words) => {
    expect(shellWords(command)).toEqual(words);
  });

  const attacks = [
    "git status; rm -rf /",
    "git status;rm -rf /",
    "git status && rm -rf /",
    "git status & rm -rf /",
    "git status || rm -rf /",
    "git status | sh",
    "git status |& sh",
    "git status\nrm -rf /",
    "git status\r\nrm -rf /",
    "git status \\\nrm",
    "git status > /etc/passwd",
    "git status >> ~/.bashrc",
    "git status 2>/dev/null",
    "git status < /etc/shadow",
    "git status <<EOF",
    "git status <(rm -rf /)",
    "git status $(rm -rf /)",
    'git status "$(rm -rf /)"',
    "git status `rm -rf /`",
    'git status "`rm -rf /`"',
    "git status ${IFS}x",
    "git status $'\\n'rm",
    "(git status)",
    "git status #",
    "git status !rm",
    'git status "!rm"',
    "git\\ status",
    "git status 'unfinished",
    'git status "unfinished',
    "git status\u0000rm",
    "git status\u2028rm",
    "git\u00a0status",
    "git\u200bstatus x",
    "git status \u202etxt.exe",
    "",
    " ",
    `git status ${"x".repeat(20_000)}`,
  ];

  it.each(attacks)("[Q241] %j is not one plain command", (command) => {
    expect(shellWords(command)).toBeNull();
    expect(beginsWith(command, ["git", "status"])).toBe(false);
    expect(
      covers({ what: "prefix", tool: "bash", prefix: ["git", "status"] }, { ...approval("x"), command }),
    ).toBe(false);
  });

  it.each([
    "gitstatus",
    "git statusx",
    "git statu s",
    "GIT status",
    "X=1 git status",
    "env git status",
    "./git status",
    "git -c alias.status='!rm' status",
    "{ git status",
    "time git status",
  ])("[Q241] %s does not begin with git status", (command) => {
    expect(beginsWith(command, ["git", "status"])).toBe(false);
  });

  it("[Q241] what begins with the words, on the same line, is covered", () => {
    for (const command of ["git status", "git status -sb", "git status 'a b'", "git  status *.ts"])
      expect(beginsWith(command, ["git", "status"])).toBe(true);
  });

  it.each([
    "bash",
    "sh",
    "/bin/sh",
    "python3",
    "python3.12",
    "node",
    "sudo",
    "env",
    "xargs",
    "eval",
    "exec",
    "find",
    "ssh",
    "npx",
    "A=b",
    "git*",
    "$X",
    "",
  ])("[Q241] %s… can run anything: it is no prefix", (word) => {
    expect(isSafePrefix([word, "x"])).toBe(false);
  });

  it("[Q241] the prefixes that are offered are of whole words", () => {
    expect(prefixesOf("npm run test -- --watch 'a b'")).toEqual([
      ["npm"],
      ["npm", "run"],
      ["npm", "run", "test"],
      ["npm", "run", "test", "--"],
    ]);
    expect(prefixesOf("npm test; rm x")).toEqual([]);
    expect(prefixesOf("bash -c ls")).toEqual([]);
    expect(prefixesOf("ls '$x'")).toEqual([["ls"]]);
  });
});

describe("approvals", () => {
  it("[Q243] a question that must be decided each time is none, nor one whose answers are not described", () => {
    expect(readApproval(question("ls"))).toEqual({ tool: "bash", allow: "yes", command: "ls" });
    expect(readApproval(question("ls", { why: "You are asked because …" }))).toBeNull();
    expect(readApproval(question("ls", { options: ["Allow once", "Deny"] }))).toBeNull();
    expect(readApproval(question("ls", { tool: undefined }))).toBeNull();
    expect(readApproval(question("ls", { method: "confirm" }))).toBeNull();
  });

  it("[Q240] other arguments may change what a command does: then only the tool can be allowed", () => {
    const elsewhere = readApproval(question("ls", { args: { command: "ls", cwd: "/" } }));
    expect(elsewhere).toMatchObject({ command: null });
    expect(rememberable({ tool: "bash", allow: "yes", command: null }).what).toEqual(["tool", "all"]);
    expect(rememberable(approval("npm test")).what).toEqual(["command", "prefix", "tool", "all"]);
    expect(rememberable(approval("a && b")).what).toEqual(["command", "tool", "all"]);
    expect(readApproval(question(7))).toMatchObject({ command: null });
  });

  it("[Q240] what a permission covers", () => {
    const asked = approval("npm test");
    const granted = (what: "command" | "prefix" | "tool" | "all", prefix?: string[]) => {
      const terms = termsOf(asked, { what, where: "session", ...(prefix === undefined ? {} : { prefix }) });
      if (terms === null) throw new Error("refused");
      return terms;
    };
    const other = { ...asked, tool: "write", command: null };
    const cases = [
      { terms: granted("command"), yes: ["npm test"], no: ["npm test ", "npm test -u", "npm"] },
      { terms: granted("prefix", ["npm", "test"]), yes: ["npm test", "npm test -u"], no: ["npm run x"] },
      { terms: granted("tool"), yes: ["npm test", "rm x; ls"], no: [] },
    ];
    for (const { terms, yes, no } of cases) {
      for (const command of yes) expect(covers(terms, approval(command))).toBe(true);
      for (const command of no) expect(covers(terms, approval(command))).toBe(false);
      expect(covers(terms, other)).toBe(false);
    }
    expect(covers(granted("all"), other)).toBe(true);
  });

  it("[Q243] terms that do not fit their question are refused", () => {
    const asked = approval("npm test");
    expect(termsOf(asked, { what: "prefix", where: "session", prefix: ["git"] })).toBeNull();
    expect(termsOf(asked, { what: "prefix", where: "session" })).toBeNull();
    expect(termsOf(approval("bash x"), { what: "prefix", where: "session", prefix: ["bash"] })).toBeNull();
    expect(termsOf({ ...asked, command: null }, { what: "command", where: "session" })).toBeNull();
  });
});
