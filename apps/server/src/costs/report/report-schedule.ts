// Sends the report of the last month to webhooks, once: that it was sent is kept with its deliveries. A server that was off on the
// first of the month sends it when it starts.
import type { ReportSettings } from "../../config/alert-settings.ts";
import { monthStart } from "../../store/calendar.ts";
import type { Announcements } from "../announcements.ts";
import { type MonthReport, monthOf } from "./month-report.ts";
import { reportPage } from "./report-page.ts";

interface ReportScheduleOptions {
  settings: ReportSettings;
  zone: string;
  announcements: Announcements;
  reportOf(month: string, zone: string, now: number): Promise<MonthReport>;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

/** A timer cannot wait for a month, and clocks change. */
const checkMs = 5 * 60_000;
const hourMs = 3_600_000;

export class ReportSchedule {
  readonly #options: ReportScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ReportScheduleOptions) {
    this.#options = options;
  }

  start(): void {
    const check = (): void => {
      this.#running = this.#running
        .then(() => this.check(Date.now()))
        .catch((error: unknown) =>
          this.#options.log.warn({ err: error }, "the monthly report of costs could not be sent"),
        );
    };
    this.#timer = setInterval(check, checkMs).unref();
    check();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async check(now: number): Promise<void> {
    const { settings, zone, announcements, reportOf, log } = this.#options;
    if (now < monthStart(now, zone) + settings.hour * hourMs) return;
    const period = new Date(monthStart(now, zone, -1)).toISOString();
    const key = { kind: "report", subject: "month", target: "", period };
    if (await announcements.has(key)) return;
    const month = monthOf(now, zone, -1);
    const report = await reportOf(month, zone, now);
    if (report.total.calls === 0) return; // nothing to pay for
    const data = { report, html: reportPage(report, settings.language) };
    const sent = await announcements.announce({
      ...{ key, time: now, event: "cost.report", data: { month }, sent: () => data },
    });
    if (sent !== null) log.info({ month }, "the monthly report of costs was sent");
  }
}
