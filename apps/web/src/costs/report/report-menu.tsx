// The monthly report, opened in a tab of its own: to read, to print, to save.
import { FileText } from "lucide-react";
import { downloadResponse } from "../../api/http/call.ts";
import { saveFile } from "../../api/http/download.ts";
import { formatTexts } from "../../format/texts.ts";
import { language } from "../../language/language.ts";
import { attempt } from "../../ui/feedback/attempt.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../ui/menu/menu.tsx";
import { viewerZone } from "../data/span.ts";
import { reportTexts } from "./texts.ts";

/** Half a year: what is older is in the address of the call. */
const shownMonths = 6;

export function ReportMenu({ today }: { today: string }) {
  return (
    <Menu
      trigger={
        <IconButton label={reportTexts.report}>
          <FileText size={16} aria-hidden />
        </IconButton>
      }
    >
      {Array.from({ length: shownMonths }, (_, back) => monthsBefore(today, back)).map((month, back) => (
        <MenuItem key={month} icon={<FileText size={14} />} onSelect={() => attempt(openReport(month))}>
          {back === 0 ? reportTexts.soFar(nameOf(month)) : nameOf(month)}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** `2026-10`. */
function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 7);
}

function nameOf(month: string): string {
  const [year = "", number = "1"] = month.split("-");
  return `${formatTexts.months.split(" ")[Number(number) - 1]} ${year}`;
}

/** A link cannot carry the page's secret, so the report is fetched. The tab is opened at once: later, the browser would block it. */
async function openReport(month: string): Promise<void> {
  const tab = window.open("", "_blank");
  try {
    const query = new URLSearchParams({ month, tz: viewerZone(), lang: language });
    const blob = await (await downloadResponse(`/api/costs/report?${query}`)).blob();
    if (tab === null) return saveFile(blob, `patchbay-costs-${month}.html`);
    tab.opener = null;
    tab.location.href = URL.createObjectURL(blob); // it lives as long as this page: the tab may be reloaded
  } catch (error) {
    tab?.close();
    throw error;
  }
}
