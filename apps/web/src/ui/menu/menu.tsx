// A menu under a button. Until it is first opened there is only the button.
import { Check, ChevronRight } from "lucide-react";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import { type LazyPopup, lazyPopup, type TriggerProps, useLazyPopup } from "../lazy-popup.ts";
import { useMenuKit } from "./menu-kit.ts";
import type { MenuRootProps } from "./menu-root.tsx";

export const menuPopup: LazyPopup<MenuRootProps> = lazyPopup(() => import("./menu-root.tsx"));

interface MenuProps {
  /** A button that takes what is given to it. */
  trigger: ReactElement<Partial<TriggerProps>>;
  align?: "start" | "end";
  children: ReactNode;
}

export function Menu({ trigger, align = "end", children }: MenuProps) {
  const { Shown, byKeyboard, props } = useLazyPopup(menuPopup, "menu");
  if (Shown === null) return cloneElement(trigger, props);
  return (
    <Shown trigger={trigger} align={align} byKeyboard={byKeyboard}>
      {children}
    </Shown>
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
  const { Item } = useMenuKit();
  return (
    <Item
      disabled={disabled}
      onSelect={onSelect}
      className={`flex h-8 items-center gap-2.5 rounded-sm px-2 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover phone:h-11 ${danger ? "text-failed" : "text-ink"}`}
    >
      <span aria-hidden className={danger ? "" : "text-faint"}>
        {icon}
      </span>
      {children}
    </Item>
  );
}

interface SwitchProps {
  on: boolean;
  onChange(on: boolean): void;
  children: ReactNode;
}

/** An item that is on or off; the menu stays open, because the next one is often wanted too. */
export function MenuSwitch({ on, onChange, children }: SwitchProps) {
  const { CheckboxItem } = useMenuKit();
  return (
    <CheckboxItem
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
    </CheckboxItem>
  );
}

export function MenuLine() {
  const { Separator } = useMenuKit();
  return <Separator className="my-1 h-px bg-line" />;
}

/** A text between what can be chosen. */
export function MenuText({ title, children }: { title: string; children: ReactNode }) {
  const { Label } = useMenuKit();
  return (
    <Label className="max-w-80 px-2 py-1.5 text-xs text-muted [overflow-wrap:anywhere]">
      <span className="block text-sm text-ink">{title}</span>
      {children}
    </Label>
  );
}

export interface Choice {
  value: string;
  label: string;
  detail?: string;
}

interface ChoiceProps {
  title: string;
  value: string;
  choices: readonly Choice[];
  onChoose(value: string): void;
  /** There is more to choose in the same menu. */
  staysOpen?: boolean;
}

/** One of a few, under a heading. */
export function MenuChoice({ title, value, choices, onChoose, staysOpen = false }: ChoiceProps) {
  const { Label, RadioGroup, RadioItem, ItemIndicator } = useMenuKit();
  return (
    <>
      <Label className="px-2 pt-1 pb-1.5 text-xs text-faint">{title}</Label>
      <RadioGroup value={value} onValueChange={onChoose}>
        {choices.map((choice) => (
          <RadioItem
            key={choice.value}
            value={choice.value}
            {...(staysOpen ? { onSelect: (event: Event) => event.preventDefault() } : {})}
            className="flex min-h-8 items-start gap-2 rounded-sm px-2 py-1.5 text-sm outline-none data-[highlighted]:bg-hover phone:min-h-11 phone:py-2.5"
          >
            <span aria-hidden className="mt-[3px] size-3.5 shrink-0 text-accent">
              <ItemIndicator>
                <Check size={14} />
              </ItemIndicator>
            </span>
            <span className="min-w-0">
              {choice.label}
              {choice.detail !== undefined && (
                <span className="block text-xs text-faint">{choice.detail}</span>
              )}
            </span>
          </RadioItem>
        ))}
      </RadioGroup>
    </>
  );
}

interface SubmenuProps {
  icon: ReactNode;
  label: string;
  children: ReactNode;
}

export function Submenu({ icon, label, children }: SubmenuProps) {
  const { Sub, SubTrigger, Portal, SubContent } = useMenuKit();
  return (
    <Sub>
      <SubTrigger className="flex h-8 items-center gap-2.5 rounded-sm px-2 text-sm outline-none data-[highlighted]:bg-hover data-[state=open]:bg-hover phone:h-11">
        <span aria-hidden className="text-faint">
          {icon}
        </span>
        {label}
        <ChevronRight size={14} aria-hidden className="ml-auto text-faint" />
      </SubTrigger>
      <Portal>
        <SubContent
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 animate-appear rounded-md bg-panel p-1 shadow-float"
        >
          {children}
        </SubContent>
      </Portal>
    </Sub>
  );
}
