// What people call an agent.
import { newSessionTexts } from "./texts.ts";

export const agentLabel = (worker: string): string =>
  worker === "builtin" ? newSessionTexts.builtInAgent : worker;
