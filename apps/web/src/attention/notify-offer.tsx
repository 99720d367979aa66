// Offers notifications once, when they are useful for the first time: while an agent works.
import { Bell } from "lucide-react";
import { useSessions } from "../session-list/session-list.ts";
import { permissionNow, useNotify } from "./notify.ts";
import { attentionTexts } from "./texts.ts";

export function NotifyOffer() {
  const { choice, choose } = useNotify();
  const working = useSessions().some(({ state }) => state === "busy" || state === "waiting");
  if (choice !== "unasked" || !working || permissionNow() !== "default") return null;
  return (
    <section
      aria-label={attentionTexts.title}
      className="shrink-0 animate-appear border-t border-line px-4 py-3 text-sm"
    >
      <p className="flex gap-2 text-muted">
        <Bell size={14} aria-hidden className="mt-[3px] shrink-0 text-faint" />
        {attentionTexts.offer}
      </p>
      <div className="mt-2 flex gap-1 pl-[22px]">
        <Choice onClick={() => void choose("on")} strong>
          {attentionTexts.turnOn}
        </Choice>
        <Choice onClick={() => void choose("off")}>{attentionTexts.notNow}</Choice>
      </div>
    </section>
  );
}

const Choice = ({
  onClick,
  strong = false,
  children,
}: {
  onClick(): void;
  strong?: boolean;
  children: string;
}) => (
  <button
    type="button"
    onClick={onClick}
    className={`h-7 rounded-md px-2 hover:bg-hover phone:h-11 phone:px-3 ${strong ? "-ml-2 font-medium text-accent" : "text-muted"}`}
  >
    {children}
  </button>
);
