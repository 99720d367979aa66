/** The code of an error about one file's content: an import reports it and continues with the other files. */
export type Unreadable = "UNREADABLE";

export function unreadable(problem: string, cause?: unknown): Error {
  const code: Unreadable = "UNREADABLE";
  return Object.assign(new Error(problem, { cause }), { code });
}
