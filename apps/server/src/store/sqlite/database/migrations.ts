// The migrations of the database. A released migration is never changed.
import type { Migration } from "kysely";
import { first } from "../migrations/001-first.ts";
import { costs } from "../migrations/002-costs.ts";
import { imports } from "../migrations/003-imports.ts";
import { prices } from "../migrations/004-prices.ts";
import { budgets } from "../migrations/005-budgets.ts";
import { deliveries } from "../migrations/006-deliveries.ts";
import { turnIndex } from "../migrations/006-turn-index.ts";
import { library } from "../migrations/007-library.ts";
import { searchAgain } from "../migrations/008-search-again.ts";
import { sessionProject } from "../migrations/009-session-project.ts";
import { worktrees } from "../migrations/010-worktrees.ts";
import { safety } from "../migrations/011-safety.ts";
import { logins } from "../migrations/012-logins.ts";
import { ledgerRange } from "../migrations/013-ledger-range.ts";
import { queueColumns } from "../migrations/014-queue-columns.ts";
import { sessionSummary } from "../migrations/015-session-summary.ts";
import { permissions } from "../migrations/017-permissions.ts";
import { demoIsFree } from "../migrations/019-demo-is-free.ts";
import { hourWrites } from "../migrations/020-hour-writes.ts";
import { certainty } from "../migrations/021-certainty.ts";
import { importAgain } from "../migrations/023-import-again.ts";
import { nanoDollars } from "../migrations/024-nano-dollars.ts";
import { unpricedAndSurcharges } from "../migrations/025-unpriced-and-surcharges.ts";
import { announcements } from "../migrations/027-announcements.ts";
import { people } from "../migrations/030-people.ts";
import { audit } from "../migrations/032-audit.ts";
import { sessionKeys } from "../migrations/033-session-keys.ts";
import { listPrice } from "../migrations/034-list-price.ts";
import { shares } from "../migrations/034-shares.ts";
import { credentials } from "../migrations/035-credentials.ts";
import { causedBy } from "../migrations/036-caused-by.ts";

/** `isNew`: the database was created by this start. */
export const migrations = ({ isNew }: { isNew: boolean }): Record<string, Migration> => ({
  "001_first": first,
  "002_costs": costs,
  "003_imports": imports,
  "004_prices": prices,
  "005_budgets": budgets,
  "006_deliveries": deliveries,
  "006_turn_index": turnIndex,
  "007_library": library,
  "008_search_again": searchAgain,
  "009_session_project": sessionProject,
  "010_worktrees": worktrees,
  "011_safety": safety({ isNew }),
  "012_logins": logins,
  "013_ledger_range": ledgerRange,
  "014_queue_columns": queueColumns,
  "015_session_summary": sessionSummary,
  "017_permissions": permissions,
  "019_demo_is_free": demoIsFree,
  "020_hour_writes": hourWrites,
  "021_certainty": certainty,
  "023_import_again": importAgain,
  "024_nano_dollars": nanoDollars,
  "025_unpriced_and_surcharges": unpricedAndSurcharges,
  "027_announcements": announcements,
  "030_people": people,
  "032_audit": audit,
  "033_session_keys": sessionKeys,
  "034_list_price": listPrice,
  "034_shares": shares,
  "035_credentials": credentials,
  "036_caused_by": causedBy,
});
