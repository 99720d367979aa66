// The protocol: everything that server, worker and page must agree on. Runs in a browser.
export * from "./commands.ts";
export * from "./errors.ts";
export * from "./events.ts";
export * from "./frame.ts";
export * from "./message.ts";
export * from "./observe.ts";
export * from "./responses.ts";
export * from "./server-frames.ts";
export * from "./session.ts";
export * from "./sniff-type.ts";
export * from "./split-lines.ts";
export * from "./surface/surface.ts";
export * from "./surface/surface-events.ts";
export * from "./transcript/context.ts";
export * from "./transcript/fold.ts";
export * from "./transcript/transcript.ts";
export * from "./usage.ts";
