// The built-in tools, by name.
import type { ToolName } from "../config/flags.ts";
import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { find } from "./find.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import type { Tool } from "./tool.ts";
import { write } from "./write.ts";

export type { Tool } from "./tool.ts";

const all: Record<ToolName, Tool> = { read, write, edit, bash, grep, find, ls };

export const createTools = (names: readonly ToolName[]): Tool[] => names.map((name) => all[name]);
