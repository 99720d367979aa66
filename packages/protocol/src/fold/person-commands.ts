// A person's own commands in the transcript. One that ends while a turn runs waits for the end of the turn:
// between a tool's call and its result no model takes anything else.
import type { Message, PersonCommand } from "../events/message.ts";
import type { BashEndEvent } from "../events/session-events.ts";
import { append } from "../transcript/growing.ts";
import { type BashRun, outputLimit, type Transcript } from "../transcript/transcript.ts";

/** Commands at the same time: a person runs fewer, and each frame of one copies the list of them. */
const runLimit = 100;

export function startBash(before: Transcript, id: string, command: string, time: string): Transcript {
  if (before.bash.some((run) => run.id === id) || before.bash.length >= runLimit) return before;
  return { ...before, bash: [...before.bash, { id, command, time, output: "", ended: null }] };
}

export function streamBash(before: Transcript, id: string, text: string): Transcript {
  const run = before.bash.find((known) => known.id === id);
  if (run === undefined || run.ended !== null) return before;
  const output = run.output + text;
  return replace(before, {
    ...run,
    output: output.length > 2 * outputLimit ? output.slice(-outputLimit) : output,
  });
}

export function endBash(before: Transcript, frame: BashEndEvent): Transcript {
  const { type: _type, output, time, ...ended } = frame;
  const known = before.bash.find((run) => run.id === frame.id);
  if (known !== undefined && known.ended !== null) return before;
  const run: BashRun = { id: frame.id, command: frame.command, time: known?.time ?? time, output, ended };
  if (known === undefined && before.bash.length >= runLimit) return before;
  const noted = known === undefined ? { ...before, bash: [...before.bash, run] } : replace(before, run);
  return before.partial === null ? joinBash(noted) : noted;
}

/** The worker that ran them has exited, and they with it. */
export function dropBash(before: Transcript): Transcript {
  if (before.bash.length === 0) return before;
  const cancelled = { exit_code: null, cancelled: true, truncated: false };
  const bash = before.bash.map((run) =>
    run.ended === null ? { ...run, ended: { id: run.id, command: run.command, ...cancelled } } : run,
  );
  return joinBash({ ...before, bash });
}

/** Those that have ended become messages. */
export function joinBash(before: Transcript): Transcript {
  const messages = before.bash.flatMap((run) => (run.ended === null ? [] : [bashMessage(run, run.ended)]));
  if (messages.length === 0) return before;
  return {
    ...before,
    messages: append(before.messages, messages),
    bash: before.bash.filter((run) => run.ended === null),
  };
}

const replace = (before: Transcript, changed: BashRun): Transcript => ({
  ...before,
  bash: before.bash.map((run) => (run.id === changed.id ? changed : run)),
});

/** What the model gets: the command, its output, and how it ended, each in a block of its own. */
function bashMessage(run: BashRun, bash: PersonCommand): Message {
  const output = run.output.replace(/\n+$/, "");
  const cut = bash.truncated
    ? ` The output was cut${bash.full_output_path === undefined ? "" : `; all of it is in ${bash.full_output_path}`}.`
    : "";
  const blocks = [
    `I ran this command myself:\n\n$ ${run.command}`,
    output === "" ? noOutput : output,
    bash.cancelled
      ? `It was stopped.${cut}`
      : `It ended with exit code ${bash.exit_code ?? "unknown"}.${cut}`,
  ];
  const content = blocks.map((text) => ({ type: "text" as const, text }));
  return { role: "user", content, time: run.time, bash };
}

const noOutput = "(no output)";

/** The output of a person's command, as its message keeps it; empty when there was none. */
export function bashOutput({ content }: Pick<Message, "content">): string {
  const block = content[1];
  return block?.type !== "text" || block.text === noOutput ? "" : block.text;
}
