// A shell's result: zot repeats the command before the output and puts the exit code after it. The
// card shows both in its own line, so they are taken out of the text.
export interface BashOutput {
  text: string;
  exit: number | null;
  /** What the worker says about output it did not keep. */
  note: string;
}

const trailer = /\n*\[exit (-?\d+)\]([^\n]*)\s*$/;

export function readBashOutput(raw: string, command: string): BashOutput {
  const heading = `$ ${command}\n`;
  const body = raw.startsWith(heading) ? raw.slice(heading.length).replace(/^\n/, "") : raw;
  const end = trailer.exec(body);
  if (end === null) return { text: body, exit: null, note: "" };
  const note = (end[2] ?? "").replace(/\s*Took [\d.]+\s?m?s/, "").trim();
  return { text: body.slice(0, end.index), exit: Number(end[1]), note };
}
