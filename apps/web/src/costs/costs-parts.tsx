// The pages beside the costs page, each loaded when it is opened. An address of none of them shows the costs.
import { Redirect } from "wouter";
import { lazyPart } from "../ui/lazy-part.ts";

const pages = new Map([
  ["budgets", lazyPart(() => import("./budgets/budgets-page.tsx"))],
  ["compare", lazyPart(() => import("./compare/compare-page.tsx"))],
]);

export default function CostsParts({ part }: { part: string }) {
  const Page = pages.get(part);
  return Page === undefined ? <Redirect to="/costs" replace /> : <Page />;
}
