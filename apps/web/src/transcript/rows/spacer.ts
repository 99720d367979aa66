// The height of an element that stands for rows that are not on the page.

/**
 * Layout counts in 64ths of a pixel, but browsers read lengths with 24 bits: of a hundred thousand pixels the fraction
 * would be lost, so it is written by itself. Writing what is there already would invalidate the layout.
 */
export function setHeight(element: HTMLElement, pixels: number): void {
  const rounded = Math.max(0, Math.round(pixels * 64) / 64);
  const height = `${Math.floor(rounded)}px`;
  const rest = `${rounded - Math.floor(rounded)}px`;
  if (element.style.height !== height) element.style.height = height;
  if (element.style.marginBottom !== rest) element.style.marginBottom = rest;
}
