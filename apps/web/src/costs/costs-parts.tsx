// The pages beside the costs page, each loaded when it is opened. An address of none of them shows the costs.
import { Redirect } from "wouter";
import { lazyPart } from "../ui/lazy-part.ts";

const BudgetsPage = lazyPart(() => import("./budgets/budgets-page.tsx"));
const ComparePage = lazyPart(() => import("./compare/compare-page.tsx"));
const CostSettingsPage = lazyPart(() => import("./settings/cost-settings-page.tsx"));

export default function CostsParts({ part }: { part: string }) {
  switch (part) {
    case "budgets":
      return <BudgetsPage />;
    case "compare":
      return <ComparePage />;
    case "settings":
      return <CostSettingsPage />;
    default:
      return <Redirect to="/costs" replace />;
  }
}
