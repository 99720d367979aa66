// The report as one HTML page to read, print or mail: no script, nothing from elsewhere, and a policy that allows nothing else.
import { createHash } from "node:crypto";
import { escapeHtml } from "@patchbay/export";
import type { MonthReport } from "./month-report.ts";
import { reportStyle } from "./report-style.ts";
import { englishReport, germanReport, type ReportTexts } from "./texts.ts";

export const reportLanguages = ["en", "de"] as const;
export type ReportLanguage = (typeof reportLanguages)[number];

const hash = createHash("sha256").update(reportStyle).digest("base64");
/** For the header; the page itself has it too, for when it is saved. */
export const reportPolicy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;

type Row = MonthReport["projects"][number];
type Sums = Pick<Row, "cost_usd" | "unpriced" | "calls" | "estimated">;

export function reportPage(report: MonthReport, language: ReportLanguage): string {
  const texts = language === "de" ? germanReport : englishReport;
  const show = formats(report, language);
  const { total, before } = report;
  const rows = (title: string, heading: string, all: readonly Row[]): string =>
    all.length === 0 ? "" : section(title, table(texts, show, heading, all, total.cost_usd));
  const notes = [
    report.complete ? "" : texts.soFar,
    total.estimated > 0
      ? texts.estimates(
          total.estimated,
          show.count(total.estimated),
          show.money(total.low_usd),
          show.money(total.high_usd),
        )
      : "",
    total.unpriced > 0 ? texts.unpriced(total.unpriced, show.count(total.unpriced)) : "",
  ].filter((note) => note !== "");
  const title = escapeHtml(texts.title(show.month));
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(reportPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${reportStyle}</style></head><body><main>
<header><h1>${title}</h1><p>${escapeHtml(texts.meta(report.time_zone, show.time(report.made_at)))}</p></header>
<dl>
${figure(texts.total, amount(texts, show, total), "total")}
${figure(report.complete ? texts.before : texts.beforeSoFar, amount(texts, show, before))}
${figure(texts.change, show.change(total.cost_usd, before.cost_usd))}
${figure(texts.perDay, show.money(report.days.length === 0 ? 0 : total.cost_usd / report.days.length))}
${figure(texts.calls, show.count(total.calls))}
${figure(texts.tokens, `${show.short(total.input + total.cache_read + total.cache_write)} / ${show.short(total.output)}`)}
</dl>
${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join("\n")}
${total.calls === 0 ? `<p class="nothing">${texts.nothing}</p>` : ""}
${total.calls === 0 ? "" : section(texts.byDay, chart(report, texts, show) + dayTable(report, texts, show))}
${rows(texts.byProject, texts.project, report.projects)}
${rows(texts.byModel, texts.model, report.models)}
${rows(texts.byPerson, texts.person, report.people)}
${budgetSection(report, texts, show)}
</main></body></html>
`;
}

function formats({ month, time_zone }: MonthReport, language: ReportLanguage) {
  const locale = language === "de" ? "de-DE" : "en-US";
  const dollars = (digits: number) =>
    new Intl.NumberFormat(locale, {
      ...{ style: "currency", currency: "USD", minimumFractionDigits: digits, maximumFractionDigits: digits },
    });
  const [usual, small] = [dollars(2), dollars(4)];
  const count = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const signed = new Intl.NumberFormat(locale, {
    ...{ style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" },
  });
  const date = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const monthName = date({ month: "long", year: "numeric", timeZone: "UTC" });
  const dayName = date({ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
  const time = date({ dateStyle: "medium", timeStyle: "short", timeZone: time_zone });
  return {
    month: monthName.format(Date.parse(`${month}-01`)),
    /** Enough digits to be non-zero. */
    money: (usd: number): string => (usd > 0 && usd < 0.1 ? small : usual).format(usd),
    count: (number: number): string => count.format(number),
    short: (number: number): string => short.format(number),
    share: (part: number, whole: number): string => (whole === 0 ? "–" : percent.format(part / whole)),
    change: (now: number, before: number): string => (before === 0 ? "–" : signed.format(now / before - 1)),
    day: (day: string): string => dayName.format(Date.parse(day)),
    time: (moment: string): string => time.format(Date.parse(moment)),
  };
}
type Formats = ReturnType<typeof formats>;

/** An unknown cost is not 0, and an estimate is not known. */
function amount(texts: ReportTexts, show: Formats, { cost_usd, unpriced, calls, estimated }: Sums): string {
  if (calls > 0 && unpriced >= calls && cost_usd === 0) return texts.isUnpriced;
  return `${estimated > 0 ? "≈\u00a0" : ""}${show.money(cost_usd)}${unpriced > 0 ? ` + ${texts.isUnpriced}` : ""}`;
}

const figure = (name: string, value: string, className = ""): string =>
  `<div${className === "" ? "" : ` class="${className}"`}><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`;

const section = (title: string, body: string): string =>
  `<section><h2>${escapeHtml(title)}</h2>${body}</section>`;

const cells = (name: "td" | "th", values: readonly string[]): string =>
  values.map((value) => `<${name}>${escapeHtml(value)}</${name}>`).join("");

function table(
  texts: ReportTexts,
  show: Formats,
  heading: string,
  rows: readonly Row[],
  total: number,
): string {
  const head = [heading, texts.calls, texts.cost, texts.share, texts.before, texts.change];
  const lines = rows.map((row) => {
    const name = row.name === null ? texts.others : row.name || texts.unknown;
    const figures = [
      show.count(row.calls),
      amount(texts, show, row),
      show.share(row.cost_usd, total),
      show.money(row.before_usd),
      show.change(row.cost_usd, row.before_usd),
    ];
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells("td", figures)}</tr>`;
  });
  return `<table><thead><tr>${cells("th", head)}</tr></thead><tbody>${lines.join("\n")}</tbody></table>`;
}

/** Bars as SVG: a policy without inline styles allows no widths in CSS. */
function chart({ days }: MonthReport, texts: ReportTexts, show: Formats): string {
  const most = Math.max(...days.map(({ cost_usd }) => cost_usd));
  if (!(most > 0)) return "";
  const [slot, height] = [20, 90];
  const bars = days.map(({ day, cost_usd }, index) => {
    const tall = cost_usd === 0 ? 0 : Math.max(1, (cost_usd / most) * height);
    const label = `<title>${escapeHtml(`${show.day(day)}: ${show.money(cost_usd)}`)}</title>`;
    const y = (height - tall).toFixed(1);
    return `<rect x="${index * slot + 2}" y="${y}" width="${slot - 4}" height="${tall.toFixed(1)}" rx="1.5">${label}</rect>`;
  });
  const label = escapeHtml(texts.perDayChart(show.money(most)));
  const line = `<line x1="0" y1="${height}" x2="${days.length * slot}" y2="${height}"/>`;
  return `<p class="caption">${label}</p><svg viewBox="0 0 ${days.length * slot} ${height + 1}" role="img" aria-label="${label}">${bars.join("")}${line}</svg>`;
}

/** Side by side: a month in one column would be a page of its own. */
function dayTable({ days }: MonthReport, texts: ReportTexts, show: Formats): string {
  const lines = days
    .filter(({ calls }) => calls > 0)
    .map(
      (day) =>
        `<tr><th scope="row">${escapeHtml(show.day(day.day))}</th>${cells("td", [show.count(day.calls), amount(texts, show, day)])}</tr>`,
    );
  const half = Math.ceil(lines.length / 2);
  const head = `<thead><tr>${cells("th", [texts.day, texts.calls, texts.cost])}</tr></thead>`;
  const tables = [lines.slice(0, half), lines.slice(half)]
    .filter((part) => part.length > 0)
    .map((part) => `<table>${head}<tbody>${part.join("\n")}</tbody></table>`);
  return `<div class="days">${tables.join("")}</div>`;
}

function budgetSection({ budgets }: MonthReport, texts: ReportTexts, show: Formats): string {
  const lines = budgets.flatMap(({ name, period, status }) =>
    status.slice(0, 1).map(({ target, spent_usd, limit_usd, forecast_usd, state, unpriced_calls }) => {
      const whose = `${name}${target === "" ? "" : ` · ${target}`} · ${texts.period[period]}`;
      const spent = amount(texts, show, {
        ...{ cost_usd: spent_usd, unpriced: unpriced_calls },
        calls: 0,
        estimated: 0,
      });
      const forecast = forecast_usd === undefined ? "–" : show.money(forecast_usd);
      const figures = [spent, show.money(limit_usd), forecast];
      return `<tr><th scope="row">${escapeHtml(whose)}</th>${cells("td", figures)}<td class="${state}">${escapeHtml(texts.state[state])}</td></tr>`;
    }),
  );
  if (lines.length === 0) return "";
  const head = [texts.budget, texts.spent, texts.limit, texts.forecast, texts.stateTitle];
  return section(
    texts.budgets,
    `<p class="caption">${escapeHtml(texts.budgetsNote)}</p><table><thead><tr>${cells("th", head)}</tr></thead><tbody>${lines.join("\n")}</tbody></table>`,
  );
}
