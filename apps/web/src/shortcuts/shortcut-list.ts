// The keys there are, as the sheet shows them. `keys` are pressed together; several ways are separated by "or".
import { commandKey } from "../device/command-key.ts";

interface Shortcut {
  keys: string;
  does: string;
}

export const shortcuts: readonly { title: string; keys: readonly Shortcut[] }[] = [
  {
    title: "Everywhere",
    keys: [
      { keys: `${commandKey} K`, does: "Search and do anything" },
      { keys: "N", does: "New session" },
      { keys: "F", does: "Search all transcripts" },
      { keys: "[ or ]", does: "Session above or below in the list" },
      { keys: "/", does: "Write to the agent" },
      { keys: "?", does: "This sheet" },
    ],
  },
  {
    title: "Writing",
    keys: [
      { keys: "⏎", does: "Send; while the agent works: queue" },
      { keys: `${commandKey} ⏎`, does: "Steer: into the running turn" },
      { keys: "⇧ ⏎", does: "New line" },
      { keys: "↑ or ↓", does: "What you wrote before, when the field is empty" },
      { keys: "/", does: "Commands, at the beginning" },
      { keys: "@", does: "Files of the directory" },
      { keys: "!", does: "Run in the shell, at the beginning" },
      { keys: "Esc", does: "Stop the agent" },
    ],
  },
  {
    title: "Lists and questions",
    keys: [
      { keys: "↑ or ↓", does: "Move" },
      { keys: "⏎", does: "Choose" },
      { keys: "Tab", does: "Complete" },
      { keys: "Esc", does: "Close" },
    ],
  },
];
