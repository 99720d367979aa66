// Extensions' panels: which are open, who owns them, and where a person's keys go. Renders are throttled: a panel
// that is redrawn faster shows its newest state.
import type { PanelSpec } from "@patchbay/protocol/extension";
import type { WorkerOutput } from "../output/worker-output.ts";
import type { Extension } from "./process/extension.ts";

/** More would hide the session behind them. */
const maxOpen = 6;
const maxLines = 300;
const maxLineChars = 1_000;
const redrawMs = 60;

interface Shown {
  readonly extension: string;
  readonly panel_id: string;
  readonly title: string;
  readonly lines: string[];
  readonly footer: string;
}

interface Panel {
  readonly extension: Extension;
  readonly id: string;
  shown: Shown;
  drawnAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** Where a person's key goes. */
export interface PanelAddress {
  readonly panel: string;
  readonly extension?: string | undefined;
}

export class PanelRegistry {
  readonly #output: WorkerOutput;
  readonly #open: Panel[] = [];

  constructor(output: WorkerOutput) {
    this.#output = output;
  }

  open(extension: Extension, spec: PanelSpec): void {
    const known = this.#find(extension, spec.id);
    if (
      known === undefined &&
      this.#open.filter((panel) => panel.extension === extension).length >= maxOpen
    ) {
      extension.log.note(`panel ${spec.id} was not opened: ${maxOpen} are`);
      extension.send({ type: "panel_close", panel_id: spec.id });
      return;
    }
    const panel = known ?? {
      extension,
      id: spec.id,
      shown: blank(extension, spec.id),
      drawnAt: 0,
      timer: undefined,
    };
    if (known === undefined) this.#open.push(panel);
    this.#change(panel, spec);
  }

  /** An absent title stays; lines and footer replace the earlier ones. */
  render(extension: Extension, frame: Omit<PanelSpec, "id"> & { panel_id: string }): void {
    const panel = this.#find(extension, frame.panel_id);
    if (panel === undefined) return extension.log.note(`panel ${frame.panel_id} is not open`);
    this.#change(panel, frame);
  }

  close(extension: Extension, id: string): void {
    const panel = this.#find(extension, id);
    if (panel === undefined) return;
    clearTimeout(panel.timer);
    this.#open.splice(this.#open.indexOf(panel), 1);
    this.#output.write({ type: "ext_panel_close", extension: extension.name, panel_id: id });
  }

  closeAll(extension: Extension): void {
    for (const panel of this.#open.filter((one) => one.extension === extension))
      this.close(extension, panel.id);
  }

  /** False: it is not open. */
  key(address: PanelAddress, key: string, text: string | undefined): boolean {
    const panel = this.#at(address);
    panel?.extension.send({
      type: "panel_key",
      panel_id: panel.id,
      key,
      ...(text === undefined ? {} : { text }),
    });
    return panel !== undefined;
  }

  /** The person closed it: the extension gets `panel_close`. */
  dismiss(address: PanelAddress): boolean {
    const panel = this.#at(address);
    if (panel === undefined) return false;
    panel.extension.send({ type: "panel_close", panel_id: panel.id });
    this.close(panel.extension, panel.id);
    return true;
  }

  /** Without an extension's name, the newest panel with this id. */
  #at({ panel: id, extension }: PanelAddress): Panel | undefined {
    return this.#open.findLast(
      (panel) => panel.id === id && (extension === undefined || panel.extension.name === extension),
    );
  }

  #find(extension: Extension, id: string): Panel | undefined {
    return this.#open.find((panel) => panel.extension === extension && panel.id === id);
  }

  #change(panel: Panel, { title, lines, footer }: Omit<PanelSpec, "id">): void {
    panel.shown = {
      ...panel.shown,
      ...(title === undefined ? {} : { title: cut(title) }),
      lines: (lines ?? []).slice(0, maxLines).map(cut),
      footer: cut(footer ?? ""),
    };
    if (panel.timer !== undefined) return;
    const wait = panel.drawnAt + redrawMs - performance.now();
    if (wait <= 0) return this.#draw(panel);
    panel.timer = setTimeout(() => this.#draw(panel), wait);
  }

  #draw(panel: Panel): void {
    panel.timer = undefined;
    panel.drawnAt = performance.now();
    this.#output.write({ type: "ext_panel", ...panel.shown });
  }
}

const blank = (extension: Extension, id: string): Shown => ({
  extension: extension.name,
  panel_id: id,
  title: extension.name,
  lines: [],
  footer: "",
});

const cut = (line: string): string =>
  line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars)}…`;
