// The keys and addresses of model providers that a person gave to this server in the page. A key goes in and never comes out.
import * as z from "zod/mini";

/** Where a value comes from: a person entered it in the page, or the server's environment has it. */
const KeySource = z.enum(["page", "environment"]);

export const KeyProvider = z.object({
  name: z.string(),
  /** It works without a key, as servers of one's own do. */
  keyless: z.boolean(),
  /** Null: there is none. `ending`: the last characters of a key of the page, if it is long enough to show them. */
  key: z.nullable(z.object({ from: KeySource, ending: z.optional(z.string()) })),
  /** Null: the provider's own, or none where that is unknown. Without what could be secret in it. */
  base_url: z.nullable(z.object({ from: KeySource, url: z.string() })),
  /** The provider's own address; absent: it has none. */
  default_url: z.optional(z.string()),
  /** Variables that its key and its address can come from. */
  variables: z.object({ keys: z.array(z.string()), base_url: z.string() }),
  /** Those of them that are set in the environment and not used, because the page has another value. */
  unused: z.array(z.string()),
  /** What the page has is also given to agents that ask for it. */
  shared: z.boolean(),
  /** The agents whose profile asks for the key, besides the built-in one. */
  asked_by: z.array(z.string()),
});
export type KeyProvider = z.infer<typeof KeyProvider>;

export const KeysInfo = z.object({
  providers: z.array(KeyProvider),
  /** Why the kept keys cannot be read, for a person. */
  problem: z.optional(z.string()),
});
export type KeysInfo = z.infer<typeof KeysInfo>;

/** What can be sent in a header, and hardly more. */
const Key = z.string().check(z.trim(), z.minLength(1), z.maxLength(1_024), z.regex(/^[\x21-\x7e]+$/));
const BaseUrl = z.string().check(z.trim(), z.maxLength(2_048));

/** What is left out stays. An empty `base_url` is the provider's own. A new address needs its key again. */
export const UpdateKey = z.strictObject({
  key: z.optional(Key),
  base_url: z.optional(BaseUrl),
  shared: z.optional(z.boolean()),
});
export type UpdateKey = z.infer<typeof UpdateKey>;

/** Without a key and an address those in use are tested. */
export const TestKey = z.strictObject({ key: z.optional(Key), base_url: z.optional(BaseUrl) });
export type TestKey = z.infer<typeof TestKey>;

/**
 * What a test found. `works`: the provider listed its models. `unchecked`: the address answers, but has no list of models.
 * `refused`: the key was not accepted. `failed`: another status. `unreachable`: nothing answered. `slow`: not in time.
 * `strange`: what answered is not a model provider.
 */
export const KeyTest = z.object({
  outcome: z.enum(["works", "unchecked", "refused", "failed", "unreachable", "slow", "strange"]),
  /** The host that was asked. */
  host: z.string(),
  status: z.optional(z.number()),
  models: z.optional(z.number()),
});
export type KeyTest = z.infer<typeof KeyTest>;
