// What an extension and its host exchange, one JSON object per line (docs/extensions.md).
// Apart from the rest of the protocol, because the page never sees these frames.
export * from "./from-extension.ts";
export * from "./from-host.ts";
export * from "./manifest.ts";
