// Markdown as HTML, for answers in an exported page: what agents write, and nothing that could do harm.
// Everything is escaped before anything is marked up, and a link leads to the web or stays text.

/** Longer than any answer one reads; then it is shown as it is, because nobody waits for a page. */
const longestText = 512 * 1024;

export function markdownHtml(text: string): string {
  if (text.length > longestText) return `<pre>${escapeHtml(text)}</pre>`;
  return blocks(text.replaceAll("\r\n", "\n").split("\n"));
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const quote = /^ {0,3}> ?(.*)$/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** Deeper nesting is no text; a stack must not grow with what somebody wrote. */
const deepest = 12;

function blocks(lines: readonly string[], depth = 0): string {
  const made: string[] = [];
  let words: string[] = [];
  const endParagraph = (): void => {
    if (words.length > 0) made.push(`<p>${words.map(inline).join("<br>")}</p>`);
    words = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const opened = fence.exec(line);
    const titled = heading.exec(line);
    let taken = 1;
    if (opened !== null) {
      endParagraph();
      const [code, count] = fenced(lines, at, opened[1] ?? "```");
      made.push(`<pre class="code">${escapeHtml(code)}</pre>`);
      taken = count;
    } else if (line.trim() === "") endParagraph();
    else if (titled !== null) {
      endParagraph();
      const level = Math.min(6, (titled[1]?.length ?? 1) + 2);
      made.push(`<h${level}>${inline(titled[2] ?? "")}</h${level}>`);
    } else if (rule.test(line)) {
      endParagraph();
      made.push("<hr>");
    } else if (depth < deepest && quote.test(line)) {
      endParagraph();
      const inner = takeWhile(lines, at, (next) => quote.test(next));
      made.push(
        `<blockquote>${blocks(
          inner.map((next) => quote.exec(next)?.[1] ?? ""),
          depth + 1,
        )}</blockquote>`,
      );
      taken = inner.length;
    } else if (depth < deepest && item.test(line)) {
      endParagraph();
      const [list, count] = listed(lines, at, depth);
      made.push(list);
      taken = count;
    } else if (line.includes("|") && tableRule.test(lines[at + 1] ?? "")) {
      endParagraph();
      const rows = takeWhile(lines, at + 2, (next) => next.includes("|") && next.trim() !== "");
      made.push(table(line, rows));
      taken = rows.length + 2;
    } else words.push(line.trim());
    at += taken;
  }
  endParagraph();
  return made.join("\n");
}

function takeWhile(lines: readonly string[], from: number, goesOn: (line: string) => boolean): string[] {
  let end = from;
  while (end < lines.length && goesOn(lines[end] ?? "")) end++;
  return lines.slice(from, end);
}

function fenced(lines: readonly string[], at: number, mark: string): [code: string, count: number] {
  const inner = takeWhile(lines, at + 1, (line) => !line.trim().startsWith(mark));
  return [inner.join("\n"), inner.length + 2];
}

/** A list ends at the first line that is neither an item nor indented below one. */
function listed(lines: readonly string[], at: number, depth: number): [html: string, count: number] {
  const first = item.exec(lines[at] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const ordered = first?.[2] !== undefined;
  const items: string[][] = [];
  let count = 0;
  for (const line of lines.slice(at)) {
    const found = item.exec(line);
    const own = found !== null && (found[1]?.length ?? 0) <= indent;
    if (own && (found[1]?.length ?? 0) === indent && (found[2] !== undefined) === ordered)
      items.push([found[3] ?? ""]);
    else if (!own && (/^\s/.test(line) || line.trim() === ""))
      items.at(-1)?.push(line.replace(/^ {1,4}|^\t/, ""));
    else break;
    count++;
  }
  const tag = ordered ? "ol" : "ul";
  const start = ordered && first?.[2] !== "1" ? ` start="${Number(first?.[2])}"` : "";
  const bodies = items.map((body) => `<li>${tight(blocks(body, depth + 1))}</li>`);
  return [`<${tag}${start}>${bodies.join("")}</${tag}>`, count];
}

/** An item of one paragraph needs no room around it. */
const tight = (html: string): string => html.replace(/^<p>(.*?)<\/p>/s, "$1");

function table(head: string, rows: readonly string[]): string {
  const cells = (line: string, tag: string): string =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
      .join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  return `<table><thead><tr>${cells(head, "th")}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Code first: what stands in it is no markup. */
function inline(text: string): string {
  return text
    .split(/(`+[^`]+`+)/)
    .map((part) =>
      part.startsWith("`") && part.endsWith("`") && part.length > 2
        ? `<code>${escapeHtml(part.replace(/^`+ ?| ?`+$/g, ""))}</code>`
        : emphasised(escapeHtml(part)),
    )
    .join("");
}

const emphasised = (html: string): string =>
  html
    .replaceAll(
      /\[([^\][]{1,500})\]\((https?:\/\/[^\s()<>"']{1,2000})\)/g,
      '<a href="$2" rel="noreferrer noopener">$1</a>',
    )
    .replaceAll(/\*\*(?=\S)([^*]{1,2000}?)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]{1,2000}?)\*(?![\w*])/g, "<em>$1</em>")
    .replaceAll(/~~(?=\S)([^~]{1,2000}?)~~/g, "<del>$1</del>");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
