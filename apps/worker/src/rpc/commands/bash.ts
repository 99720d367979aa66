// A person's own commands. `bash` is answered when the command is over, as in omp.
import type { PersonBash } from "../../agent/person-bash.ts";
import type { Handlers } from "../exchange.ts";

export function bashHandlers(bash: PersonBash): Handlers<"bash" | "abort_bash"> {
  return {
    async bash({ command }, { succeed, fail }) {
      if (command.trim() === "") return fail("the command is empty");
      succeed(await bash.run(command));
    },
    abort_bash(_command, { succeed }) {
      bash.abort();
      succeed();
    },
  };
}
