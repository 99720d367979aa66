// The ways from the palette to the costs and the budgets.
import { ChartNoAxesColumn, Wallet } from "lucide-react";
import { go } from "../navigation/session-address.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";

export function CostsItems() {
  const { run } = usePalette();
  return (
    <>
      <PaletteItem
        id="costs"
        label="Costs"
        keywords={["money", "spending", "usage", "dollars"]}
        icon={<ChartNoAxesColumn size={15} />}
        onSelect={() => run(() => go("/costs"))}
      />
      <PaletteItem
        id="budgets"
        label="Budgets"
        keywords={["limit", "money", "spending", "cap"]}
        icon={<Wallet size={15} />}
        onSelect={() => run(() => go("/costs/budgets"))}
      />
    </>
  );
}
