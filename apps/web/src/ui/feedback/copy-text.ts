// Puts a text on the clipboard. Pages over plain http (a LAN) have no clipboard of their own; there the old way works:
// a field with the text, selected and copied.

/** `beside`: within the dialog that has the focus, if there is one, which would take it back from anywhere else. */
export async function copyText(text: string, beside: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // throws where there is none
    return true;
  } catch {
    return copyByField(text, beside);
  }
}

function copyByField(text: string, beside: Element): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "sr-only";
  (beside.closest('[role="dialog"]') ?? document.body).append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- nothing has taken its place where the clipboard is missing
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
