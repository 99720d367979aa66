// Names of what costs are counted for, and of the four numbers, which the placeholder of the page shows too.
import { plural } from "../../format/plural.ts";
import { defineTexts } from "../../language/catalogue.ts";

export const costDataTexts = defineTexts("costs/data", {
  today: "Today",
  thisMonth: "This month",
  burnRate: "Burn rate now",
  monthForecast: "Month forecast",
  unpricedCalls: (count: number) => `${plural(count, "call")} unpriced`,
  others: "Others",
  you: "You",
  noBranch: "No branch",
  unknown: "Unknown",
  builtInAgent: "Built-in agent",
  deletedSession: "Deleted session",
  deletedSessionTitle: "This session was deleted. Its costs are kept.",
  importedFrom: (program: string) => `Imported from ${program}`,
  importedTitle: (program: string) => `Spent in ${program}, outside of Patchbay`,
  model: "Model",
  models: "Models",
  project: "Project",
  projects: "Projects",
  person: "Person",
  people: "People",
  agent: "Agent",
  agents: "Agents",
  branch: "Branch",
  branches: "Branches",
  provider: "Provider",
  providers: "Providers",
  session: "Session",
  sessions: "Sessions",
});
