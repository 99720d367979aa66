// Panels that stay open: drawn again at any time; keys go to their handlers.
import { type FromHost, type PanelSpec, send } from "./wire.ts";

export interface PanelHandlers {
  /** `text` is what was typed, when `key` is `rune`. Esc is no key: it closes. */
  onKey?(key: string, text: string): void;
  /** By the person. */
  onClose?(): void;
}

export interface Panel {
  render(content: { title?: string; lines: readonly string[]; footer?: string }): void;
  close(): void;
}

export class Panels {
  readonly #handlers = new Map<string, PanelHandlers>();

  open(spec: PanelSpec, handlers: PanelHandlers): Panel {
    send({ type: "open_panel", panel: spec });
    return this.watch(spec.id, handlers);
  }

  /** For a panel that a command's answer opens. */
  watch(id: string, handlers: PanelHandlers): Panel {
    this.#handlers.set(id, handlers);
    return {
      render: ({ lines, ...more }) =>
        send({ type: "panel_render", panel_id: id, lines: [...lines], ...more }),
      close: () => {
        this.#handlers.delete(id);
        send({ type: "panel_close", panel_id: id });
      },
    };
  }

  key({ panel_id, key, text = "" }: FromHost<"panel_key">): void {
    this.#handlers.get(panel_id)?.onKey?.(key, text);
  }

  closed({ panel_id }: FromHost<"panel_close">): void {
    this.#handlers.get(panel_id)?.onClose?.();
    this.#handlers.delete(panel_id);
  }
}
