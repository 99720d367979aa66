// A worker's end as a heading and what to do. The server's reason is a few sentences; the first says
// what happened. Whatever it leaves out (other servers, older logs) is added here.
export interface ExitWords {
  title: string;
  advice: string;
}

export function exitWords(reason: string, stderr: string): ExitWords {
  const [, first = reason, rest = ""] = /^(.*?[.!?])\s+(.*)$/s.exec(reason.trim()) ?? [];
  const title = /[.!?]$/.test(first) ? first : `${first}.`;
  const words = "Its last words are below.";
  const silent = stderr.trim() === "";
  // Silence is worth a word only where the reason promises words: a killed server could not listen.
  const told = rest.includes(words)
    ? rest.replace(words, silent ? "It left no last words." : words)
    : `${silent ? "" : words} ${rest}`.trim();
  const next = "Send a prompt to start it again.";
  return { title, advice: told.includes("Send a prompt") ? told : `${told} ${next}`.trim() };
}
