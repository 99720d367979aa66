// HTML's names of characters (&lt; &copy; &#8212;), which markdown allows in text. The browser knows them all.
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
const known = new Map<string, string>();

export function decodeEntities(text: string): string {
  return text.includes("&") ? text.replace(entity, decode) : text;
}

function decode(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const area = document.createElement("textarea"); // holds text only: nothing in it is ever an element
  area.innerHTML = name;
  known.set(name, area.value);
  return area.value;
}
