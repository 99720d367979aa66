// Streamed markdown. A chunk of its own, loaded when the first answer is shown. One memoised component
// per top-level block; code blocks skip the markdown parser, so a long one costs nothing per delta.
import { memo, useState } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import remend from "remend";
import { type Block, createGrower } from "./blocks.ts";
import { CodeBlock } from "./code-block.tsx";

const plugins = [remarkGfm];

const components: Components = {
  // Where a link leads is for the reader to decide; it never replaces the session.
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  // A picture from elsewhere would tell its host that somebody reads this.
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : undefined} target="_blank" rel="noreferrer noopener">
      {alt === undefined || alt === "" ? "image" : alt}
    </a>
  ),
  table: ({ children }) => (
    // A wide table scrolls, with the keyboard too
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children, node }) => {
    const code = node?.children[0];
    if (code?.type !== "element") return <pre>{children}</pre>;
    const text = code.children.map((child) => (child.type === "text" ? child.value : "")).join("");
    const name = code.properties["className"];
    const first = Array.isArray(name) ? name[0] : undefined;
    const language = typeof first === "string" ? first.replace(/^language-/, "") : "";
    return <CodeBlock code={text.replace(/\n$/, "")} language={language} settled />;
  },
};

const MarkdownBlock = memo(function MarkdownBlock({ text, growing }: { text: string; growing: boolean }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {growing ? remend(text, { linkMode: "text-only" }) : text}
    </ReactMarkdown>
  );
});

/** Not laid out while it is off the screen: there may be hundreds of these. */
const PlainPiece = memo(function PlainPiece({ text }: { text: string }) {
  return (
    <div className="!mt-0 whitespace-pre-wrap [contain-intrinsic-size:auto_600px] [content-visibility:auto]">
      {text}
    </div>
  );
});

export default function Markdown({ text, live }: { text: string; live: boolean }) {
  const [grow] = useState(createGrower);
  const blocks = grow(text);
  return (
    <div className="prose">
      {blocks.map((block: Block, index) => {
        const growing = live && index === blocks.length - 1;
        if (block.kind === "plain") return <PlainPiece key={block.start} text={block.text} />;
        return block.kind === "code" ? (
          <CodeBlock key={block.start} code={block.text} language={block.language} settled={!growing} />
        ) : (
          <MarkdownBlock key={block.start} text={block.text} growing={growing} />
        );
      })}
    </div>
  );
}
