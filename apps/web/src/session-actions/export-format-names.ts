// What the formats of an export are called.
export const formatNames = {
  html: "A page (HTML)",
  md: "Text (Markdown)",
  jsonl: "Everything (JSONL)",
} as const;
