// Files that other programs run later, outside any sandbox, without being called by name: git's hooks and
// config, configuration of agents and editors that starts programs, hooks that run when a directory is entered, and what a
// shell or a desktop runs at its start. The sandbox mounts them read-only, and no file tool writes them without a question.
//
// Not caught, because a person runs these knowingly: scripts of package.json, Makefiles, the project's own code. Not caught
// by the mounts, because there is nothing to mount: files that do not exist yet, repositories below the directory, links.
// (The question asks about those too: it goes by name, at any depth.)
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isWithin } from "./fence.ts";

const split = (list: string): string[] => list.split(/\s+/);

/** Anywhere in a directory: whole directories, and files. */
const inProjects: Readonly<Record<string, readonly string[]>> = {
  "git runs or reads it with every command": split(".git .gitconfig"),
  "git runs it as a hook": split(
    ".husky .githooks .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml",
  ),
  "agents start programs that it names": split(
    `.patchbay .zot .pi .omp .claude .codex .gemini .opencode .goose .cursor .windsurf .kiro .qwen .roo .continue .aider.conf.yml
     .mcp.json mcp.json opencode.json opencode.jsonc`,
  ),
  "editors run what it says when the directory is opened": split(
    ".vscode .idea .zed .fleet .devcontainer .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el",
  ),
  "the shell runs it when the directory is entered": split(".envrc .autoenv .env.zsh"),
};

/** In the person's home. */
const inHomes: Readonly<Record<string, readonly string[]>> = {
  "a shell runs it when it starts": split(
    `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
     .oh-my-zsh .config/fish .config/zsh .config/nushell .inputrc .tmux.conf .config/tmux .screenrc`,
  ),
  "it starts when a user logs in": split(
    `.config/autostart .config/autostart-scripts .config/systemd .local/share/systemd .config/environment.d .pam_environment
     .xprofile .xsession .xsessionrc .xinitrc .config/plasma-workspace .config/hypr .config/sway .config/i3
     .local/share/applications .local/share/dbus-1 Library/LaunchAgents`,
  ),
  "programs are found in it": split(
    "bin .local/bin .cargo/bin go/bin .deno/bin .bun/bin .volta/bin .npm-global/bin",
  ),
  "it decides who may log in, and where ssh leads": split(".ssh"),
  "programs run what it names": split(
    `.gitconfig .config/git .npmrc .config/pip .cargo/config .cargo/config.toml .vimrc .vim .config/nvim .emacs .emacs.d
     .config/emacs .gdbinit .config/gdb .lldbinit .pythonrc .config/direnv .gnupg .config/Code .config/mise .asdfrc .docker`,
  ),
};

/** Why a real path is run later; null: it is not. `roots` are what the session may write to. */
export function executedLater(path: string, roots: readonly string[], home: string): string | null {
  const root = roots.filter((candidate) => isWithin(path, candidate)).sort((a, b) => b.length - a.length)[0];
  // In lower case: some file systems take .GIT for .git.
  const parts = root === undefined ? [] : relative(root, path).toLowerCase().split(sep);
  const inProject = reasonIn(inProjects, (name) => parts.includes(name));
  if (inProject !== null) return inProject;
  if (!isWithin(path, home)) return isSchedule(path) ? "it is run at its time" : null;
  return reasonIn(inHomes, (name) => isWithin(path, join(home, name)));
}

function reasonIn(
  names: Readonly<Record<string, readonly string[]>>,
  matches: (name: string) => boolean,
): string | null {
  return Object.entries(names).find(([, list]) => list.some(matches))?.[0] ?? null;
}

const isSchedule = (path: string): boolean =>
  /^\/(etc\/cron|etc\/anacrontab|var\/spool\/(cron|at))/.test(path);

/** What a mount of the sandbox has to protect. */
export interface Guard {
  readonly path: string;
  /** False: it only must not be renamed, because something below it is protected. */
  readonly readOnly: boolean;
}

/** What of it exists in a directory that an agent may write to. A link is left out: a mount would follow it. */
export function guardsIn(root: string, home: string): Guard[] {
  const own = Object.values(inProjects).flat();
  const names = root === home ? [...own, ...Object.values(inHomes).flat()] : own;
  const guards = names
    .map((name) => join(root, name))
    .filter((path) => kindOf(path) !== null && !(path.endsWith("/.git") && kindOf(path) === "directory"))
    .flatMap((path) => [...parentsOf(path, root), { path, readOnly: true }]);
  return [...guards, ...gitGuards(join(root, ".git"))];
}

/** A directory between could be renamed, and another one put in its place: as a mount of its own it cannot. */
function parentsOf(path: string, root: string): Guard[] {
  const parts = relative(root, path).split(sep).slice(0, -1);
  return parts
    .map((_part, index) => ({ path: join(root, ...parts.slice(0, index + 1)), readOnly: false }))
    .filter(({ path: parent }) => kindOf(parent) === "directory");
}

/** Each costs some mounts; a repository with more submodules or worktrees is rare. */
const maxListed = 100;

/**
 * Config and hooks of a git directory and of its submodules, and what says where its worktrees belong. Hooks are made
 * where there are none, so that an agent cannot make them.
 */
export function gitGuards(git: string): Guard[] {
  if (kindOf(git) !== "directory" || kindOf(join(git, "HEAD")) !== "file") return [];
  makeIfMissing(join(git, "hooks"));
  return [
    ...held(git, ["config", "config.worktree", "hooks"]),
    ...below(join(git, "modules"), ["config", "config.worktree", "hooks"]),
    ...below(join(git, "worktrees"), ["commondir", "gitdir", "config.worktree"]),
  ];
}

function below(directory: string, names: readonly string[]): Guard[] {
  if (kindOf(directory) !== "directory") return [];
  const entries = readdirSync(directory)
    .slice(0, maxListed)
    .map((name) => join(directory, name));
  const guards = entries.filter((path) => kindOf(path) === "directory").flatMap((path) => held(path, names));
  return guards.length === 0 ? [] : [{ path: directory, readOnly: false }, ...guards];
}

const held = (directory: string, names: readonly string[]): Guard[] => [
  { path: directory, readOnly: false },
  ...names
    .map((name) => ({ path: join(directory, name), readOnly: true }))
    .filter(({ path }) => kindOf(path) !== null),
];

function makeIfMissing(path: string): void {
  try {
    mkdirSync(path);
  } catch {
    // it is there, or the directory is not ours to change: then it is not the agent's either
  }
}

function kindOf(path: string): "file" | "directory" | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isDirectory() === true ? "directory" : stats?.isFile() === true ? "file" : null;
  } catch {
    return null; // not ours to see
  }
}
