// Highlighted code, line by line. highlight.js writes spans that may go over several lines; each line closes what is
// open at its end and opens it again at its beginning.
export function htmlLines(html: string): string[] {
  const open: string[] = [];
  return html.split("\n").map((line) => {
    const before = open.join("");
    for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag === "</span>") open.pop();
      else open.push(tag);
    }
    return `${before}${line}${"</span>".repeat(open.length)}`;
  });
}
