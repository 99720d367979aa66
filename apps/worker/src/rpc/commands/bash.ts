// A person's own commands. `bash` is answered when the command is over, as in omp.
import type { Agent } from "../../agent/agent.ts";
import type { Handlers } from "../exchange.ts";

export function bashCommands(agent: Agent): Handlers<"bash" | "abort_bash"> {
  return {
    async bash({ command }, { succeed, fail }) {
      if (command.trim() === "") return fail("the command is empty");
      succeed(await agent.bash.run(command));
    },
    abort_bash(_command, { succeed }) {
      agent.bash.abort();
      succeed();
    },
  };
}
