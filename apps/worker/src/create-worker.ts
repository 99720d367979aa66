// Builds the worker from its parts, in the order in which they need each other; loaded right after the first response.
// Here stands which features there are, and in which order their tools, gates and commands count.
import { resolve } from "node:path";
import { Conversation } from "./agent/conversation/conversation.ts";
import { RecordingOutput } from "./agent/conversation/recording-output.ts";
import { TurnModes } from "./agent/conversation/turn-modes.ts";
import { Lifecycle } from "./agent/lifecycle.ts";
import { PersonBash } from "./agent/person-bash.ts";
import { SlashCommands } from "./agent/prompts/slash-commands.ts";
import { SteeringQueue } from "./agent/prompts/steering-queue.ts";
import { TurnQueue } from "./agent/prompts/turn-queue.ts";
import { CallPermits } from "./agent/turn/call-permits.ts";
import { RetryPause } from "./agent/turn/retry-pause.ts";
import { TurnRunner } from "./agent/turn-runner.ts";
import { ApprovalGate } from "./approvals/approval-gate.ts";
import { Trust } from "./approvals/trust.ts";
import type { Flags } from "./config/flags.ts";
import type { WorkerConfig } from "./config/worker-config.ts";
import { Context } from "./context/context.ts";
import { Extensions } from "./extensions/extensions.ts";
import { Jail } from "./jail/jail.ts";
import { Mcp } from "./mcp/mcp.ts";
import type { Model } from "./models/catalog.ts";
import { SettingsRegistry } from "./output/settings-registry.ts";
import { UiChannel } from "./output/ui-channel.ts";
import type { WorkerOutput } from "./output/worker-output.ts";
import { bashHandlers } from "./rpc/commands/bash.ts";
import { branchHandlers } from "./rpc/commands/branches.ts";
import { extensionHandlers } from "./rpc/commands/extensions.ts";
import { modelHandlers } from "./rpc/commands/models.ts";
import { permitHandlers } from "./rpc/commands/permits.ts";
import { safetyHandlers } from "./rpc/commands/safety.ts";
import { sessionHandlers } from "./rpc/commands/session.ts";
import { sessionInfoHandlers } from "./rpc/commands/session-info.ts";
import { settingHandlers } from "./rpc/commands/settings.ts";
import { slashHandlers } from "./rpc/commands/slash.ts";
import { stateHandlers } from "./rpc/commands/state.ts";
import { turnHandlers } from "./rpc/commands/turns.ts";
import { uiHandlers } from "./rpc/commands/ui.ts";
import type { Gate } from "./rpc/hello.ts";
import { RpcServer } from "./rpc/server.ts";
import { outputsIn } from "./tools/shell/kept-outputs.ts";
import { toolContexts } from "./tools/tool-context.ts";

interface WorkerParts {
  readonly flags: Flags;
  readonly config: WorkerConfig;
  readonly model: Model;
  readonly gate: Gate;
  /** Where frames are written. */
  readonly frames: WorkerOutput;
  /** Ends the process. */
  end(code: number): void;
}

export interface Worker {
  readonly server: RpcServer;
  readonly lifecycle: Lifecycle;
  readonly permits: CallPermits;
}

export function createWorker({ flags, config, model, gate, frames, end }: WorkerParts): Worker {
  const { shellEnv, access } = config;
  const home = resolve(flags.home ?? config.home);
  const outputs = outputsIn(home);

  // The conversation, and what the person sees and sets.
  const conversation = new Conversation(flags.cwd, model);
  const output = new RecordingOutput(frames, conversation);
  const ui = new UiChannel(output);
  const settings = new SettingsRegistry(output);
  const modes = new TurnModes(settings, conversation, flags);

  // What tools can reach, and what the person must allow.
  const session = conversation;
  const jail = new Jail({
    mode: flags.jail,
    network: flags.jailNetwork,
    sandbox: flags.sandbox,
    session,
    home,
    outputs,
    shellEnv,
    settings,
    ui,
  });
  const toolContext = toolContexts({ session, shellEnv, outputs, jail });
  const approvals = new ApprovalGate({ mode: flags.approvals, settings, ui, jail, toolContext });
  const trust = new Trust({ home, always: flags.trustProject, forbidden: flags.jail === "enforced", ui });

  // The features.
  const context = new Context({ session, home, skills: flags.skills, output });
  const mcp = new Mcp({ home, variables: config.mcpVariables, shellEnv, output, ui, trust });
  const extensions = new Extensions({
    home,
    shellEnv,
    zotHome: config.zotHome,
    ext: flags.ext,
    noExt: flags.noExt,
    conversation,
    output,
    ui,
    trust,
    otherCommands: [context, mcp],
  });

  // Turns, and the person's own commands.
  const steering = new SteeringQueue();
  const turns = new TurnQueue({ modes, steering, output });
  const retryPause = new RetryPause();
  const permits = new CallPermits(output);
  const bash = new PersonBash(output, toolContext);
  const slash = new SlashCommands([extensions, context, mcp], output);
  const listeners = [extensions];
  const lifecycle = new Lifecycle({
    session,
    services: [bash, mcp, extensions],
    listeners,
    turns,
    bash,
    trust,
    ui,
    jail,
  });
  const runner = new TurnRunner(
    {
      conversation,
      output,
      modes,
      steering,
      queue: turns,
      retryPause,
      permits,
      toolContext,
      toolNames: flags.tools,
      toolSources: [context, mcp, extensions],
      // Approvals come last: the person is asked about the arguments as extensions have changed them.
      gates: [extensions, approvals],
      listeners,
      promptSources: [jail, context, mcp],
      systemPrompt: flags.systemPrompt,
      appendSystemPrompt: flags.appendSystemPrompt,
      maxSteps: flags.maxSteps,
      reportUsage: flags.reportUsage,
      retryDelayMs: config.retryDelayMs,
      demoDelayMs: config.demoDelayMs,
    },
    slash,
    lifecycle,
  );

  // The commands of the server.
  const control = { turns, steering, runner };
  const openUnlessAhead = (): void => {
    if (!flags.awaitBegin) void lifecycle.open();
  };
  const server = new RpcServer({
    gate,
    output,
    conversation,
    handlers: {
      ...turnHandlers(control),
      ...stateHandlers({ conversation, turns, modes, steering, retryPause }),
      ...modelHandlers({ conversation, turns, modes, settings, access }),
      ...settingHandlers({ conversation, modes, settings, retryPause }),
      ...sessionHandlers({ conversation, turns, bash, settings, lifecycle, access }),
      ...branchHandlers({ conversation, output, turns, bash, jail }),
      ...bashHandlers(bash),
      ...sessionInfoHandlers({ conversation, output, jail }),
      ...slashHandlers({ slash, lifecycle, control }),
      ...extensionHandlers({ extensions, turns, lifecycle }),
      ...safetyHandlers({ approvals, jail }),
      ...uiHandlers(ui),
      ...permitHandlers(permits),
    },
    greeted: openUnlessAhead,
    end,
  });
  // Without a token the gate is open from the start; with one, nothing is started before its hello.
  if (gate.open) openUnlessAhead();
  return { server, lifecycle, permits };
}
