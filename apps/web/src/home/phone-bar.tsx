// The bar above the home page on a phone: logo, search, costs, settings.
import { ChartNoAxesColumn, Search, Settings } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { bigDollars } from "../costs/data/labels.ts";
import { askToday, Today } from "../costs/data/today.ts";
import { useFetchedPath } from "../costs/data/use-fetched-path.ts";
import { whenIdle } from "../device/when-idle.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Logo } from "../ui/logo.tsx";
import { homeTexts } from "./texts.ts";

const everyMs = 15_000;

export function PhoneBar() {
  const [settled, setSettled] = useState(false);
  useEffect(() => whenIdle(() => setSettled(true)), []);
  const { data } = useFetchedPath(settled ? askToday() : null, Today, everyMs);
  const today = data === null || data === undefined ? null : bigDollars(data.today);
  return (
    <header className="sticky top-0 z-10 flex h-14 shrink-0 items-center gap-1 border-b border-line bg-canvas pr-1 pl-4">
      <Link href="/" className="mr-auto flex h-11 items-center gap-2 font-semibold tracking-[-0.01em]">
        <Logo /> Patchbay
      </Link>
      <IconButton label={homeTexts.search} onClick={() => showOverlay("palette")}>
        <Search size={18} aria-hidden />
      </IconButton>
      <Link
        href="/costs"
        aria-label={today === null ? homeTexts.costs : homeTexts.costsToday(today)}
        className="flex h-11 min-w-11 items-center justify-center gap-1.5 rounded-md px-2 text-sm text-muted tabular-nums"
      >
        <ChartNoAxesColumn size={18} aria-hidden /> {today}
      </Link>
      <IconButton label={homeTexts.settings} onClick={() => showOverlay("settings")}>
        <Settings size={18} aria-hidden />
      </IconButton>
    </header>
  );
}
