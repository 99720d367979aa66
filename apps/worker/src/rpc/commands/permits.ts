// The server's decisions about model calls.
import type { CallPermits } from "../../agent/turn/call-permits.ts";
import type { Handlers } from "../exchange.ts";

export const permitHandlers = (permits: CallPermits): Handlers<"require_permits" | "call_permit"> => ({
  require_permits({ required }, { succeed }) {
    permits.require(required);
    succeed();
  },
  /** Has no response: the call that waits continues. */
  call_permit: (command) => permits.answer(command),
});
