// `extension.json`: how an extension is started. zot's fields; `timeouts` is ours.
import * as z from "zod/mini";

/** It names a log file and stands in front of what the extension writes. */
const Name = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      "only letters, digits, dot, dash and underscore, at most 64",
    ),
  );
const milliseconds = (most: number) =>
  z.optional(z.number().check(z.int(), z.positive(), z.maximum(most, `at most ${most}`)));

export const ExtensionManifest = z.looseObject({
  name: Name,
  /** Absolute, relative to the manifest when it has a slash, else found in PATH. */
  exec: z.string().check(z.minLength(1, "must not be empty")),
  args: z.optional(z.array(z.string())),
  version: z.optional(z.string()),
  language: z.optional(z.string()),
  description: z.optional(z.string()),
  enabled: z.optional(z.boolean()),
  /** How long the host waits for it, where the usual time does not do. */
  timeouts: z.optional(
    z.strictObject({
      hello_ms: milliseconds(60_000),
      command_ms: milliseconds(600_000),
      tool_ms: milliseconds(3_600_000),
      intercept_ms: milliseconds(60_000),
    }),
  ),
});
export type ExtensionManifest = z.infer<typeof ExtensionManifest>;

export const extensionTimeouts = {
  /** zot waits for ever, and hangs on an extension that writes nothing. */
  hello_ms: 10_000,
  command_ms: 30_000,
  tool_ms: 60_000,
  intercept_ms: 5_000,
} as const;
