// The exit of a worker as a heading and an advice. The server's reason is a few sentences; the first says what
// happened. What it leaves out (other servers, older logs) is added here.
export interface ExitText {
  title: string;
  advice: string;
}

export function exitText(reason: string, stderr: string): ExitText {
  const [, first = reason, rest = ""] = /^(.*?[.!?])\s+(.*)$/s.exec(reason.trim()) ?? [];
  const title = /[.!?]$/.test(first) ? first : `${first}.`;
  const pointer = "Its last output is below.";
  const promise = /Its last (?:output is|words are) below\./; // the second in older logs
  const silent = stderr.trim() === "";
  // Missing output is mentioned only where the reason promises output: a killed server could not read it.
  const advice = promise.test(rest)
    ? rest.replace(promise, silent ? "No error output." : pointer)
    : `${silent ? "" : pointer} ${rest}`.trim();
  const next = "Send a prompt to start it again.";
  return { title, advice: advice.includes("Send a prompt") ? advice : `${advice} ${next}`.trim() };
}
