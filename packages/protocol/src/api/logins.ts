// Logins of browsers: what the page sends to log in, and how the server describes the devices that are logged in.
import * as z from "zod/mini";

/** Longer than any code or token of ours; what a person may paste by mistake is not worth hashing. */
const Secret = z.string().check(z.minLength(1), z.maxLength(1_000));

/** The single-use code of a login link, the server's token, a name and its password, or an invitation and the password that is chosen with it. */
export const LoginRequest = z.union([
  z.strictObject({ code: Secret }),
  z.strictObject({ token: Secret }),
  z.strictObject({ handle: Secret, password: Secret, code: z.optional(Secret) }),
  z.strictObject({ invitation: Secret, password: Secret }),
]);
export type LoginRequest = z.infer<typeof LoginRequest>;

/** One browser that is logged in. */
export const Login = z.object({
  id: z.string(),
  /** The browser and its system: "Firefox on Linux". */
  label: z.string(),
  /** Where it was last used from. */
  address: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
  /** When it ends, if it is not used until then. */
  expires_at: z.string(),
  /** It is the one that asks. */
  current: z.boolean(),
});
export type Login = z.infer<typeof Login>;

/** The answer to a login. The cookie comes with it; the page keeps the secret and sends it with every call. */
export const LoginAnswer = z.object({ login: Login, secret: z.string() });
export type LoginAnswer = z.infer<typeof LoginAnswer>;

/** The header that carries the page's secret. */
export const pageSecretHeader = "x-patchbay-page";
/** The WebSocket subprotocol that the server selects. The page offers a second one, `patchbay.<secret>`, beside it. */
export const socketProtocol = "patchbay";
