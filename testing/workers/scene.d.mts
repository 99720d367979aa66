/** One thing that a peer does; a scene is a list of them. */
export interface Step {
  think?: string;
  /** In exactly these deltas. */
  say?: string[];
  /** The file's text, in deltas of `piece` characters. */
  read?: string;
  piece?: number;
  /** Shell commands, side by side: `echo …` ends, anything else does not. */
  run?: string[];
  /** Asks a person before `run`; a number is the milliseconds that an answer may take. */
  ask?: true | number;
  /** Nothing more comes until somebody stops it. */
  wait?: true;
  /** The model refuses the key. */
  fail?: true;
  /** The first attempt is turned away, the second is not. */
  retry?: true;
  /** The model turns it away and asks for a pause that is longer than anybody waits. */
  pause?: true;
  /** Begins to call a tool with this command, and does not come to the end of it. */
  calls?: string;
  /** A compaction of what was said takes until somebody stops it. */
  slow?: true;
  /** A frame of a kind that nobody knows yet. */
  newer?: true;
}
export function promptFor(steps: readonly Step[]): string;
export function sceneIn(message: string): Step[];
export function piecesOf(step: Step): string[];
export function outputOf(command: string): string | undefined;
