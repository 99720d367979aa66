// What an agent may do without asking: the same choices below the composer and in the palette.
import type { Choice } from "../ui/menu/menu.tsx";

export const approvalModes: readonly Choice[] = [
  { value: "ask", label: "Ask first", detail: "Every edit and every command waits for your approval" },
  {
    value: "auto-edit",
    label: "Ask before commands",
    detail: "Edits files of this directory by itself; commands wait for your approval",
  },
  { value: "full", label: "Don't ask", detail: "Edits files and runs commands without asking" },
];
