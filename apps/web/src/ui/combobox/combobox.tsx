// A list that narrows while one types, under a button. Until it is first opened there is only the button.

import { type LazyPopup, lazyPopup, useLazyPopup } from "../lazy-popup.ts";
import { ComboboxButton, comboboxLook } from "./combobox-button.tsx";
import type { ComboboxProps } from "./combobox-list.tsx";

export type { ComboboxOption } from "./combobox-list.tsx";

export const comboboxPopup: LazyPopup<ComboboxProps> = lazyPopup(() => import("./combobox-list.tsx"));

export function Combobox(props: ComboboxProps) {
  const { Shown, props: trigger } = useLazyPopup(comboboxPopup, "dialog");
  if (Shown !== null) return <Shown {...props} />;
  const { id, label, shown, look } = props;
  return (
    <button
      type="button"
      id={id}
      aria-label={`${label}: ${shown}`}
      className={comboboxLook[look]}
      {...trigger}
    >
      <ComboboxButton shown={shown} />
    </button>
  );
}
