// What a person sets about costs: discounts that were negotiated with providers, and the currency in which amounts are shown.
import type { ChangeCostSettings, CostSettingsInfo } from "@patchbay/protocol";
import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { call } from "../../api/http/call.ts";
import { usePageTitle } from "../../navigation/page-title.ts";
import { Card, Filled } from "../cards/card.tsx";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { applyCurrency, SettingsBody, settingsPath } from "./currency.ts";
import { CurrencyForm } from "./currency-form.tsx";
import { DiscountsList } from "./discounts-list.tsx";
import { costSettingsTexts } from "./texts.ts";

export default function CostSettingsPage() {
  const asked = useFetchedPath(settingsPath, SettingsBody, null);
  // What a change was answered with is newer than what was fetched.
  const [changed, setChanged] = useState<CostSettingsInfo | null>(null);
  useEffect(() => {
    usePageTitle.setState({ title: costSettingsTexts.pageTitle });
    return () => usePageTitle.setState({ title: "Patchbay" });
  }, []);
  const change = async (body: ChangeCostSettings): Promise<void> => {
    const { settings } = await call(settingsPath, SettingsBody, { method: "PATCH", body });
    applyCurrency(settings.currency);
    setChanged(settings);
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line pr-3 pl-4 phone:pr-2 phone:pl-1">
        <Link
          href="/costs"
          aria-label={costSettingsTexts.backToCosts}
          className="flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink phone:size-11"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h1 className="flex-1 truncate font-semibold tracking-[-0.01em]">{costSettingsTexts.title}</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid w-full max-w-[820px] gap-4 px-6 pt-5 pb-10 phone:px-3 phone:pt-3">
          <Card title={costSettingsTexts.currency}>
            <Filled asked={asked} rows={3}>
              {({ settings }) => {
                const { currency } = changed ?? settings;
                return <CurrencyForm key={JSON.stringify(currency)} currency={currency} onChange={change} />;
              }}
            </Filled>
          </Card>
          <Card title={costSettingsTexts.discounts}>
            <Filled asked={asked} rows={4}>
              {({ settings }) => (
                <DiscountsList discounts={(changed ?? settings).discounts} onChange={change} />
              )}
            </Filled>
          </Card>
        </div>
      </div>
    </div>
  );
}
