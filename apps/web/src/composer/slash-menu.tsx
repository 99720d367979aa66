// The list that opens above the composer when a slash is written. The focus stays in the composer, which has
// the keys; a finger taps.
import type { SlashCommand } from "./use-commands.ts";

interface Props {
  id: string;
  commands: readonly SlashCommand[];
  active: number;
  onPoint(index: number): void;
  onChoose(command: SlashCommand): void;
}

export const optionId = (menu: string, index: number): string => `${menu}-${index}`;

export function SlashMenu({ id, commands, active, onPoint, onChoose }: Props) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Commands"
      className="absolute right-0 bottom-full left-0 z-30 mb-1.5 max-h-[min(20rem,45vh)] animate-appear overflow-y-auto rounded-md bg-panel p-1 shadow-float"
    >
      {commands.map((command, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the composer has the keys
        <div
          key={command.name}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: "nearest" });
          }}
          onPointerMove={() => onPoint(index)}
          // A press would take the focus, and with it a phone's keyboard
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(command)}
          className={`flex min-h-8 items-center gap-3 rounded-sm px-2 text-sm phone:min-h-11 ${index === active ? "bg-hover" : ""}`}
        >
          <span className="max-w-[60%] shrink-0 truncate font-mono">
            <span className="text-accent">/</span>
            {command.name}
            {command.hint !== undefined && <span className="text-faint"> {command.hint}</span>}
          </span>
          <span className="min-w-0 flex-1 truncate text-muted">{command.description}</span>
          <span className="shrink-0 text-xs text-faint phone:hidden">{command.source}</span>
        </div>
      ))}
      {commands.length === 0 && (
        <p className="px-2 py-2 text-sm text-faint">No such command. What you write is sent as it is.</p>
      )}
    </div>
  );
}
