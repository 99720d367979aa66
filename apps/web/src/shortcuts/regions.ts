// The panes of the page, between which F6 moves the focus: the list, each session, the files beside them, or the page
// that is shown instead. Each gets the focus where it had it last.

const lastFocused = new WeakMap<Element, HTMLElement>();

/** Where a pane begins when it had no focus yet. */
const firstChoices = [
  "textarea[data-composer]",
  '[role="tab"][aria-selected="true"]',
  '[aria-current="page"]',
];
const focusable = 'a[href],button:not(:disabled),input,textarea,select,[tabindex]:not([tabindex="-1"])';

const isVisible = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });

/** The innermost ones: the main part of the page is one only where it has no panes. */
function regions(): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(isVisible);
  return all.filter((region) => !all.some((other) => other !== region && region.contains(other)));
}

/** The region keeps in mind what had the focus. */
export function followFocus(): () => void {
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    const region = target.closest("[data-region]");
    if (region !== null) lastFocused.set(region, target);
  };
  document.addEventListener("focusin", onFocus);
  return () => document.removeEventListener("focusin", onFocus);
}

export function stepRegion(by: 1 | -1): void {
  const all = regions();
  const at = all.findIndex((region) => region.contains(document.activeElement));
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : (at + by + all.length) % all.length];
  if (next !== undefined) focusRegion(next);
}

function focusRegion(region: HTMLElement): void {
  const last = lastFocused.get(region);
  const found =
    last !== undefined && region.contains(last) && isVisible(last)
      ? last
      : [...firstChoices, focusable]
          .map((choice) => [...region.querySelectorAll<HTMLElement>(choice)].find(isVisible))
          .find((element) => element !== undefined);
  (found ?? region).focus();
}

/** What the link at the beginning of the page leads to: the prompt where there is one. */
export function focusMain(): void {
  const main = document.querySelector<HTMLElement>("main");
  const field = main?.querySelector<HTMLElement>("textarea[data-composer]") ?? null;
  if (field !== null && isVisible(field)) field.focus();
  else main?.focus();
}

/** The prompt of that session; of any, when it is not shown. */
export function focusField(session: string | null): void {
  const fields = [...document.querySelectorAll<HTMLTextAreaElement>("textarea[data-composer]")];
  const wanted = fields.find((field) => field.dataset["composer"] === session);
  (wanted ?? fields[0])?.focus();
}
