// Markdown as HTML, for answers in an exported page. marked reads it into tokens; every text in them is escaped here, markup
// in an answer is shown as text, and a link leads to the web or stays text.
import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { escapeHtml } from "./escape-html.ts";

/** Longer than any answer one reads; then it is shown as it is. */
const longestText = 512 * 1024;

export function markdownHtml(text: string): string {
  if (text.length > longestText) return plain(text);
  try {
    return blocks(new Lexer({ gfm: true, breaks: true }).lex(text));
  } catch (error) {
    if (error instanceof RangeError) return plain(text); // nested deeper than a stack is
    throw error;
  }
}

const plain = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

const blocks = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => html(token))
    .filter((part) => part !== "")
    .join("\n");

const inline = (tokens: readonly Token[] | undefined): string =>
  (tokens ?? []).map((token) => html(token)).join("");

/** No extension of marked's is in use, so there are no other tokens. */
const isKnown = (token: Token): token is MarkedToken => token.type !== "generic";

function html(token: Token): string {
  if (!isKnown(token)) return escapeHtml(token.raw);
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return "";
    case "paragraph":
      return `<p>${inline(token.tokens)}</p>`;
    case "heading": {
      const level = Math.min(6, token.depth + 2); // below the page's own headings
      return `<h${level}>${inline(token.tokens)}</h${level}>`;
    }
    case "text":
      return token.tokens === undefined ? escapeHtml(decodeEntities(token.text)) : inline(token.tokens);
    case "escape":
      return escapeHtml(token.text);
    case "strong":
      return `<strong>${inline(token.tokens)}</strong>`;
    case "em":
      return `<em>${inline(token.tokens)}</em>`;
    case "del":
      return `<del>${inline(token.tokens)}</del>`;
    case "codespan":
      return `<code>${escapeHtml(token.text)}</code>`;
    case "br":
      return "<br>";
    case "hr":
      return "<hr>";
    case "code":
      return `<pre class="code">${escapeHtml(token.text)}</pre>`;
    case "blockquote":
      return `<blockquote>${blocks(token.tokens ?? [])}</blockquote>`;
    case "list":
      return list(token);
    case "table":
      return table(token);
    case "link":
      return link(token.href, token.raw, inline(token.tokens));
    case "image":
      // A picture from elsewhere would tell its host that this page is read.
      return link(token.href, token.raw, escapeHtml(token.text === "" ? "image" : token.text));
    default:
      return escapeHtml(token.raw); // markup: as it was written
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  const tag = ordered ? "ol" : "ul";
  const from = ordered && typeof start === "number" && start !== 1 ? ` start="${start}"` : "";
  const entries = items.map(({ task, checked, tokens }) => {
    const box = task ? (checked === true ? "☑ " : "☐ ") : "";
    return `<li>${box}${blocks(tokens)}</li>`;
  });
  return `<${tag}${from}>${entries.join("")}</${tag}>`;
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell.tokens)}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("");
  return `<table><thead>${row(header, "th")}</thead><tbody>${body}</tbody></table>`;
}

/** What does not lead to the web stays as it was written. */
function link(href: string, raw: string, text: string): string {
  const address = decodeEntities(href).trim();
  if (!/^https?:\/\/[^\s"'<>]+$/i.test(address)) return escapeHtml(raw);
  return `<a href="${escapeHtml(address)}" rel="noreferrer noopener">${text}</a>`;
}

/** Of HTML's names of characters, those that people write; others stay as they are. */
const named: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&apos;", "'"],
  ["&nbsp;", "\u00a0"],
]);
const decodeEntities = (text: string): string =>
  text.includes("&") ? text.replaceAll(/&(?:#39|[a-z]{2,6});/g, (name) => named.get(name) ?? name) : text;
