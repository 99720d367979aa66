// Written by `npm run conformance`: which version of each real agent has played the suite last, and what it said that it can do.

interface TestedAgent {
  readonly version: string;
  readonly capabilities: readonly string[];
}

export const testedAgents: Readonly<Record<string, TestedAgent>> = {};
