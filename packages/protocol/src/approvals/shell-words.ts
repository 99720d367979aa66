// The words of a shell command, if it is one plain command and nothing else: no operator, expansion, redirection or second line.
// Standing permissions for "commands that begin with …" depend on it, so whatever is not understood is refused.

/** More than a person reads before they allow something. */
const longest = 16 * 1024;

/** Outside quotes. A backslash, a dollar sign and a backquote can hide or make text; the others begin something new. */
const special = /[;&|<>()`$\\!#\n\r]/;
/** In double quotes the shell still expands these. */
const specialInQuotes = /[`$\\!]/;
/** Line ends, invisible characters and blanks other than the two that separate words. */
const unreadable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?![ ])\p{Zs}/u;

/** Null: it is more than one plain command, or cannot be read with certainty. */
export function shellWords(command: string): string[] | null {
  const text = command.trim();
  if (text === "" || text.length > longest || unreadable.test(text.replaceAll("\t", " "))) return null;
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === " " || character === "\t") {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === "'" || character === '"') {
      const end = text.indexOf(character, at + 1);
      if (end === -1) return null;
      const quoted = text.slice(at + 1, end);
      if (character === '"' && specialInQuotes.test(quoted)) return null;
      word = (word ?? "") + quoted;
      at = end;
    } else if (special.test(character)) return null;
    else word = (word ?? "") + character;
  }
  if (word !== null) words.push(word);
  return words;
}

/** Programs and shell words that run what their arguments say: allowing what begins with one allows everything. */
const runsArguments: ReadonlySet<string> = new Set(
  `. [ alias ash awk bash builtin bun busybox case chroot chrt command coproc csh dash declare deno doas docker do
  elif else enable entr env eval exec export expect find fish flock for function gawk gdb if ionice ksh
  let local lua make mawk mksh nawk nice node nodejs nohup npx nsenter osascript parallel perl php pipx pkexec
  podman powershell pwsh pypy python python2 python3 readonly rlwrap rsync ruby run0 runuser screen script
  select set setarch setpriv setsid sh shopt socat source ssh stdbuf strace su sudo systemd-run tclsh tcsh
  time timeout tmux trap tsx typeset unshare until unset uvx watch while xargs yash zsh {`
    .split(/\s+/)
    .filter(Boolean),
);

/** Characters that stand for themselves everywhere in a command. */
const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The first word is a plain name, and not an assignment (`A=b command`). */
const isRunnable = (word: string): boolean => plainWord.test(word) && !word.includes("=");

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Whether "commands that begin with these words" can be allowed. */
export function isSafePrefix(words: readonly string[]): boolean {
  const [first] = words;
  if (first === undefined || !isRunnable(first) || !words.every((word) => plainWord.test(word))) return false;
  // `python3.12` is a python.
  const name = baseName(first).toLowerCase();
  return !runsArguments.has(name) && !runsArguments.has(name.replace(/[\d.-]+$/, ""));
}

/** The prefixes of a command that can be allowed, shortest first. The first is at most two words: `git status`, `npm test`. */
export function prefixesOf(command: string): string[][] {
  const words = shellWords(command) ?? [];
  const found: string[][] = [];
  for (let count = 1; count <= Math.min(words.length, 4); count++) {
    const prefix = words.slice(0, count);
    if (isSafePrefix(prefix)) found.push(prefix);
  }
  return found;
}

/** Whether it is one plain command whose first words are these. */
export function beginsWith(command: string, prefix: readonly string[]): boolean {
  if (!isSafePrefix(prefix)) return false;
  const words = shellWords(command);
  return words !== null && prefix.every((word, at) => words[at] === word);
}
