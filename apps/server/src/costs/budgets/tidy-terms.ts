// Whom a budget is for, said as the ledger says it: sessions are known by the real path of their directory, so a
// directory that is named by a link, or with a slash at its end, would hold nobody.
import { isAbsolute, normalize } from "node:path";
import { type BudgetTerms, PatchbayError } from "@patchbay/protocol";
import { expandHome } from "../../config/config.ts";

export function tidy(terms: BudgetTerms, realPath: (path: string) => string): BudgetTerms {
  const { scope, target } = terms;
  if (scope === "everything") return { ...terms, target: null };
  if (scope !== "project" || target === null) return terms;
  const path = expandHome(target.trim());
  if (!isAbsolute(path)) return terms;
  return { ...terms, target: realPath(normalize(path).replace(/(?<=.)\/+$/, "")) };
}

/** Half a path means another directory wherever it is read. */
export function demandWholePath({ scope, target }: BudgetTerms): void {
  if (scope === "project" && target !== null && !isAbsolute(expandHome(target.trim())))
    throw new PatchbayError(
      "bad_request",
      `target: expected the whole path of a directory, not "${target}".`,
    );
}
