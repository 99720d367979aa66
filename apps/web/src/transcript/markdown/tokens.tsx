// Markdown's tokens as elements. What a model writes is not trusted: markup in it is shown as text, links lead
// only where links may lead, and pictures from elsewhere are named and not fetched. Each block runs in the direction
// of its own script.
import type { MarkedToken, Token, Tokens } from "marked";
import { Fragment, type ReactNode, useContext } from "react";
import { CodeBlock } from "../../code/code-block.tsx";
import { FileLink, FileLinkContext, FileLinks } from "../../code/file-links.tsx";
import { isPath } from "../../code/find-paths.ts";
import { transcriptTexts } from "../texts.ts";
import { decodeEntities } from "./entities.ts";
import { Formula } from "./formula.tsx";
import { isMath } from "./grammar.ts";

// Tokens have no identity but their place
export const renderTokens = (tokens: readonly Token[], within = false): ReactNode[] =>
  tokens.map((token, at) => <Fragment key={at}>{render(token, within)}</Fragment>);

const inside = (token: { tokens?: Token[]; text?: string }, within = false): ReactNode =>
  token.tokens === undefined ? decodeEntities(token.text ?? "") : renderTokens(token.tokens, within);

/** All tokens but ours are marked's own. */
const isMarked = (token: Token): token is MarkedToken => !isMath(token);

/** `within` a list or a quote, which has the direction of all its text: text with a direction of its own would not count. */
function render(token: Token, within: boolean): ReactNode {
  if (isMath(token)) return <Formula text={token.text} display={token.display} />;
  if (!isMarked(token)) return null;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "paragraph":
      return <p dir={within ? undefined : "auto"}>{inside(token)}</p>;
    case "text":
      return "tokens" in token && token.tokens !== undefined ? (
        renderTokens(token.tokens, within)
      ) : (
        <FileLinks text={decodeEntities(token.text)} />
      );
    case "strong":
      return <strong>{inside(token)}</strong>;
    case "em":
      return <em>{inside(token)}</em>;
    case "del":
      return <del>{inside(token)}</del>;
    case "codespan":
      return (
        <code>
          <FileLinks text={token.text} whole />
        </code>
      );
    case "escape":
      return token.text;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "heading":
      return (
        <Heading depth={token.depth} within={within}>
          {inside(token)}
        </Heading>
      );
    case "blockquote":
      return <blockquote dir={within ? undefined : "auto"}>{inside(token, true)}</blockquote>;
    case "code":
      return <CodeBlock code={token.text} language={languageName(token.lang)} settled />;
    case "list":
      return renderList(token, within);
    case "table":
      return renderTable(token);
    case "link":
      return <Away href={token.href}>{inside(token)}</Away>;
    case "image":
      // Fetching a picture from another host would reveal to it that this is read.
      return <Away href={token.href}>{token.text === "" ? transcriptTexts.image : token.text}</Away>;
    default:
      return token.raw; // markup, and whatever else: as it was written
  }
}

const languageName = (lang = ""): string => lang.split(/\s/)[0] ?? "";

const levels = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

interface HeadingProps {
  depth: number;
  within: boolean;
  children: ReactNode;
}

function Heading({ depth, within, children }: HeadingProps) {
  const Level = levels[depth - 1] ?? "h6";
  return <Level dir={within ? undefined : "auto"}>{children}</Level>;
}

function renderList({ ordered, start, items }: Tokens.List, within: boolean): ReactNode {
  const Kind = ordered ? "ol" : "ul";
  const from = ordered && typeof start === "number" && start !== 1 ? { start } : {};
  return (
    <Kind dir={within ? undefined : "auto"} {...from}>
      {items.map((item, at) => (
        // Items have no identity but their place
        <li key={at} className={item.task ? "task" : undefined}>
          {item.task && (
            <input
              type="checkbox"
              checked={item.checked === true}
              disabled
              aria-label={transcriptTexts.task}
            />
          )}
          {renderTokens(
            item.tokens.filter(({ type }) => type !== "checkbox"),
            true,
          )}
        </li>
      ))}
    </Kind>
  );
}

function renderTable({ header, rows }: Tokens.Table): ReactNode {
  return (
    // A wide table scrolls, with the keyboard too
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={transcriptTexts.table}>
      <table>
        <thead>
          <tr>{header.map((cell, at) => renderCell(cell, at))}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have no identity but their place
            <tr key={at}>{row.map((cell, column) => renderCell(cell, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function renderCell(cell: Tokens.TableCell, at: number): ReactNode {
  const Kind = cell.header ? "th" : "td";
  return (
    <Kind key={at} dir="auto" style={cell.align === null ? undefined : { textAlign: cell.align }}>
      {renderTokens(cell.tokens)}
    </Kind>
  );
}

/** Where a link leads is for the reader to decide; it never replaces the session, and never runs anything. */
function Away({ href, children }: { href: string; children: ReactNode }) {
  const linker = useContext(FileLinkContext);
  const address = decodeEntities(href).trim();
  // A link in a link is none: the text of this one has no paths.
  const text = <FileLinkContext value={null}>{children}</FileLinkContext>;
  if (/^(?:https?:|mailto:)/i.test(address)) {
    return (
      <a href={address} target="_blank" rel="noreferrer noopener">
        {text}
      </a>
    );
  }
  const [, path = "", line] = /^([^#?:]+?)(?:(?:#L|:)(\d+))?$/.exec(address) ?? [];
  const target =
    path === "" || !isPath(path) ? null : (linker?.(path, line === undefined ? null : Number(line)) ?? null);
  return target === null ? children : <FileLink target={target}>{text}</FileLink>;
}
