// The currency in which amounts are shown, as the server has it. It is asked for when costs or a session are shown, and kept for the
// next load, so that nothing waits for it; a page that did not know it shows dollars until then.
import { CostSettingsInfo } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { call } from "../../api/http/call.ts";
import { currencyKey, dollarsAsTheyAre, showAmountsIn, shownCurrency } from "../../format/money.ts";

export const SettingsBody = z.object({ settings: CostSettingsInfo });
export const settingsPath = "/api/costs/settings";

const signs: Readonly<Record<string, string>> = { EUR: "€", GBP: "£", JPY: "¥", INR: "₹", USD: "$" };

/** Shows amounts in this currency from now on. Whether that is another one than before. */
export function applyCurrency(currency: CostSettingsInfo["currency"]): boolean {
  const next =
    currency === null || (currency.code === "USD" && currency.per_usd === 1)
      ? dollarsAsTheyAre
      : { prefix: `≈\u00a0${signs[currency.code] ?? `${currency.code}\u00a0`}`, rate: currency.per_usd };
  if (next.prefix === shownCurrency.prefix && next.rate === shownCurrency.rate) return false;
  showAmountsIn(next);
  try {
    if (next === dollarsAsTheyAre) localStorage.removeItem(currencyKey);
    else localStorage.setItem(currencyKey, `${next.rate}|${next.prefix}`);
  } catch {
    // The next load asks again.
  }
  return true;
}

/** Asks for it once, and renders again when it is another one. */
export function useCurrency(): void {
  const [, setVersion] = useState(0);
  useEffect(() => {
    let over = false;
    call(settingsPath, SettingsBody).then(
      ({ settings }) => applyCurrency(settings.currency) && !over && setVersion((version) => version + 1),
      () => {}, // amounts stay as they are; the page has other calls that say what is wrong
    );
    return () => {
      over = true;
    };
  }, []);
}
