// The parts of an open menu. There are none outside of one.
import type { DropdownMenu } from "radix-ui";
import { createContext, useContext } from "react";

export const MenuKit = createContext<typeof DropdownMenu | null>(null);

export function useMenuKit(): typeof DropdownMenu {
  const kit = useContext(MenuKit);
  if (kit === null) throw new Error("a menu's item stands outside of a menu");
  return kit;
}
