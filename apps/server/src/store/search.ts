// What a store is told for the search over all transcripts, what it is asked, and what it answers.

/** What something that was said is. */
export const searchTextKinds = ["prompt", "answer", "tool", "output", "command", "summary"] as const;
export type SearchTextKind = (typeof searchTextKinds)[number];

/** Something that was said in a session and can be found again. */
export interface SearchText {
  /** The frame that says it; one frame may say several things. */
  seq: number;
  part: number;
  kind: SearchTextKind;
  branch: string;
  time: string;
  text: string;
}

/** News of one session for the search. */
export interface SearchUpdate {
  session: string;
  /** In the order of their frames. What is already known is passed over. */
  said: readonly SearchText[];
  /** Everything up to this frame is in it. */
  upTo: number;
  /** The transcript was cleared: nothing before this frame is found any more. */
  forgetBefore?: number | undefined;
}

export interface SearchQuery {
  /** Each must be there: the beginning of a word, or a phrase. */
  terms: readonly { text: string; phrase: boolean }[];
  sessions?: readonly string[] | undefined;
  kinds?: readonly SearchTextKind[] | undefined;
  limit: number;
}

export interface SearchHit extends Omit<SearchText, "text"> {
  session: string;
  /** The words around what was found, which is marked. */
  snippet: readonly { text: string; match: boolean }[];
}
