// The part of a menu that is loaded when one is first opened: Radix, handed to the items through a context, so
// that they can be written where the menu is without bringing it along.
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { MenuKit } from "./menu-kit.ts";

export interface MenuRootProps {
  trigger: ReactNode;
  align: "start" | "end";
  /** It begins at its first item. */
  byKeyboard: boolean;
  children: ReactNode;
}

export default function MenuRoot({ trigger, align, byKeyboard, children }: MenuRootProps) {
  const [first] = useState(byKeyboard);
  // Radix begins at the first item after a key that it has seen; the one that had it loaded was not among them.
  useEffect(() => {
    if (first) document.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
  }, [first]);
  return (
    <MenuKit value={DropdownMenu}>
      {/* It is rendered because the button was just pressed */}
      <DropdownMenu.Root defaultOpen>
        <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align={align}
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-h-[min(560px,var(--radix-dropdown-menu-content-available-height))] max-w-[min(320px,calc(100vw-16px))] min-w-48 animate-appear overflow-y-auto rounded-md bg-panel p-1 shadow-float"
          >
            {children}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </MenuKit>
  );
}
