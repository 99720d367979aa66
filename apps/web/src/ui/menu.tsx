// A menu under a button.
import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-48 animate-appear rounded-md bg-panel p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  icon: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
  children: ReactNode;
}

export function MenuItem({ icon, danger = false, disabled = false, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      className={`flex h-8 items-center gap-2.5 rounded-sm px-2 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover phone:h-11 ${danger ? "text-failed" : "text-ink"}`}
    >
      <span aria-hidden className={danger ? "" : "text-faint"}>
        {icon}
      </span>
      {children}
    </DropdownMenu.Item>
  );
}

interface SwitchProps {
  on: boolean;
  onChange(on: boolean): void;
  children: ReactNode;
}

/** An item that is on or off; the menu stays open, because the next one is often wanted too. */
export const MenuSwitch = ({ on, onChange, children }: SwitchProps) => (
  <DropdownMenu.CheckboxItem
    checked={on}
    onCheckedChange={onChange}
    onSelect={(event) => event.preventDefault()}
    className="flex h-8 items-center gap-2.5 rounded-sm px-2 text-sm outline-none data-[highlighted]:bg-hover phone:h-11"
  >
    <span
      aria-hidden
      className={`flex size-3.5 items-center justify-center rounded-[3px] border ${on ? "border-fill bg-fill text-on-fill" : "border-edge"}`}
    >
      {on && <Check size={11} strokeWidth={3} />}
    </span>
    {children}
  </DropdownMenu.CheckboxItem>
);

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;
