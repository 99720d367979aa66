// The ways from the palette to the costs and the budgets.
import { ChartNoAxesColumn, Wallet } from "lucide-react";
import { go } from "../navigation/session-address.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { costsTexts } from "./texts.ts";

export function CostsItems() {
  const { run } = usePalette();
  return (
    <>
      <PaletteItem
        id="costs"
        label={costsTexts.costs}
        keywords={costsTexts.costsKeywords.split(" ")}
        icon={<ChartNoAxesColumn size={15} />}
        onSelect={() => run(() => go("/costs"))}
      />
      <PaletteItem
        id="budgets"
        label={costsTexts.budgets}
        keywords={costsTexts.budgetsKeywords.split(" ")}
        icon={<Wallet size={15} />}
        onSelect={() => run(() => go("/costs/budgets"))}
      />
    </>
  );
}
