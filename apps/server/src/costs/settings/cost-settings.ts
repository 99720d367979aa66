// Discounts and the display currency: those of the config file, and those that a person set on the page, which are kept as a setting of
// the home. A change holds for the calls that are priced after it.
import {
  ChangeCostSettings,
  type CostSettingsInfo,
  type Discount,
  type DisplayCurrency,
  PatchbayError,
} from "@patchbay/protocol";
import type { SettingsStore } from "../../store/settings-store.ts";
import { DiscountList } from "../prices/discounts.ts";
import type { Prices } from "../prices/prices.ts";

const setting = "cost_settings";

interface ConfiguredCosts {
  discounts: readonly Discount[];
  currency: DisplayCurrency | undefined;
}

export class CostSettings {
  readonly #settings: SettingsStore;
  readonly #configured: ConfiguredCosts;
  readonly #prices: Prices;
  #own: { discounts: readonly Discount[]; currency: DisplayCurrency | null } = {
    discounts: [],
    currency: null,
  };
  #changing: Promise<void> = Promise.resolve();

  constructor(settings: SettingsStore, configured: ConfiguredCosts, prices: Prices) {
    this.#settings = settings;
    this.#configured = configured;
    this.#prices = prices;
  }

  async load(): Promise<void> {
    const text = await this.#settings.read(setting);
    if (text !== null) {
      const { discounts = [], currency = null } = ChangeCostSettings.parse(JSON.parse(text));
      this.#own = { discounts, currency };
    }
    this.#apply();
  }

  info(): CostSettingsInfo {
    const { discounts, currency } = this.#configured;
    const own = this.#own.currency;
    return {
      discounts: [
        ...discounts.map((discount) => ({ ...discount, source: "config" as const })),
        ...this.#own.discounts.map((discount) => ({ ...discount, source: "page" as const })),
      ],
      currency:
        currency !== undefined
          ? { ...currency, source: "config" }
          : own === null
            ? null
            : { ...own, source: "page" },
    };
  }

  /** One change after the other: each is kept before it holds. */
  change(given: ChangeCostSettings): Promise<void> {
    const changed = this.#changing.then(async () => {
      if (given.currency !== undefined && this.#configured.currency !== undefined)
        throw new PatchbayError("read_only");
      const wanted = {
        discounts: given.discounts ?? this.#own.discounts,
        currency: given.currency === undefined ? this.#own.currency : given.currency,
      };
      await this.#settings.write(setting, JSON.stringify(wanted));
      this.#own = wanted;
      this.#apply();
    });
    this.#changing = changed.catch(() => {}); // the caller gets the error
    return changed;
  }

  #apply(): void {
    this.#prices.discounts = new DiscountList([...this.#configured.discounts, ...this.#own.discounts]);
  }
}
