// The protocol: everything that server, worker and page must agree on. Runs in a browser.
export * from "./api/errors.ts";
export * from "./api/imports.ts";
export * from "./api/logins.ts";
export * from "./api/safety.ts";
// The former name, until the server's machine/profiles/safety.ts uses the new one.
export { SafetyInfo as Safety } from "./api/safety.ts";
export * from "./api/session.ts";
// The former name, until the server's session folder uses the new one.
export { SessionInfo as Session } from "./api/session.ts";
export * from "./commands/commands.ts";
export * from "./commands/extension-commands.ts";
export * from "./commands/flow-commands.ts";
export * from "./commands/responses.ts";
export * from "./commands/safety-commands.ts";
export * from "./commands/session-commands.ts";
export * from "./costs/budget.ts";
export * from "./costs/usage.ts";
// The former name, until the server's projections folder uses the new one.
export { reportedUsage as toldUsage } from "./costs/usage.ts";
export * from "./events/events.ts";
export * from "./events/foreign-message.ts";
export * from "./events/message.ts";
export * from "./events/observe.ts";
export * from "./events/session-events.ts";
export * from "./events/ui-state-events.ts";
export * from "./fold/fold-transcript.ts";
export * from "./fold/person-commands.ts";
export * from "./fold/turn-outcome.ts";
export * from "./frames/frame.ts";
export * from "./frames/server-frames.ts";
export * from "./lines/bounds.ts";
export * from "./lines/read-json.ts";
export * from "./lines/sniff-type.ts";
export * from "./lines/split-lines.ts";
export * from "./transcript/branches.ts";
export * from "./transcript/context.ts";
export { letGrow, settleTranscript } from "./transcript/growing.ts";
export * from "./transcript/stats.ts";
export * from "./transcript/transcript.ts";
export * from "./transcript/ui-state.ts";
