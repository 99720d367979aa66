// Converts the program's state to our hello, settings and state, and reads from it whether the program is idle.
import type { HelloData, Settings, StateData, Usage } from "@patchbay/protocol";
import type { Program } from "../wire/programs.ts";
import type { PiState } from "../wire/schemas.ts";

const modelOf = ({ model }: PiState) => ({ provider: model?.provider ?? "", model: model?.id ?? "" });

export const toHello = (state: PiState, program: Program): HelloData => ({
  protocol_version: 1,
  version: program.name,
  ...modelOf(state),
  capabilities: [...program.capabilities],
});

/** omp reports it (`isSettled`); pi is idle when it neither streams nor compacts. */
export const isIdle = ({ isStreaming, isCompacting, isSettled }: PiState): boolean =>
  !isStreaming && !isCompacting && isSettled !== false;

export function toSettings(state: PiState, autoRetry: boolean | undefined): Settings {
  // Without the follow-up mode: follow-ups wait in the server's queue, not in the program's.
  const { thinkingLevel, steeringMode, interruptMode, autoCompactionEnabled, sessionFile } = state;
  return {
    ...(sessionFile === undefined ? {} : { agent_session: sessionFile }),
    ...(thinkingLevel === undefined ? {} : { thinking_level: thinkingLevel }),
    ...(steeringMode === undefined ? {} : { steering_mode: steeringMode }),
    ...(interruptMode === undefined ? {} : { interrupt_mode: interruptMode }),
    ...(autoCompactionEnabled === undefined ? {} : { auto_compaction: autoCompactionEnabled }),
    // Neither program reports it; both start with it on.
    auto_retry: autoRetry ?? true,
  };
}

export function toState(
  state: PiState,
  { cwd, busy, usage }: { cwd: string; busy: boolean; usage: Usage },
): StateData {
  const window = state.model?.contextWindow ?? 0;
  return {
    ...modelOf(state),
    cwd,
    message_count: state.messageCount,
    busy,
    usage,
    ...(window > 0 ? { context_window: window } : {}),
    ...(state.thinkingLevel === undefined ? {} : { thinking_level: state.thinkingLevel }),
    ...(state.sessionFile === undefined ? {} : { session_file: state.sessionFile }),
    ...(state.sessionName === undefined ? {} : { session_name: state.sessionName }),
  };
}
