// The search over all transcripts: what the store indexes, queries and hits.

export const searchTextKinds = ["prompt", "answer", "tool", "output", "command", "summary"] as const;
export type SearchTextKind = (typeof searchTextKinds)[number];

/** A text of a session that the search can find. */
export interface SearchText {
  /** The frame that has it. One frame may have several texts, numbered by `part`. */
  seq: number;
  part: number;
  kind: SearchTextKind;
  branch: string;
  time: string;
  text: string;
}

/** New texts of one session. */
export interface SearchUpdate {
  session: string;
  /** In the order of their frames. Texts that are indexed already are skipped. */
  texts: readonly SearchText[];
  /** The session is indexed up to this frame. */
  upTo: number;
  /** The transcript was cleared: texts before this frame are removed. */
  forgetBefore?: number | undefined;
}

export interface SearchQuery {
  /** All must match: each is the beginning of a word, or a phrase. */
  terms: readonly { text: string; phrase: boolean }[];
  sessions?: readonly string[] | undefined;
  kinds?: readonly SearchTextKind[] | undefined;
  limit: number;
}

export interface SearchHit extends Omit<SearchText, "text"> {
  session: string;
  /** The text around the matches. */
  snippet: readonly { text: string; match: boolean }[];
}
