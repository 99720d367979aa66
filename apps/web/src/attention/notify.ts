// Notifications of this device: whether they are turned on, and showing one. The browser is asked for its permission
// only when a person turns them on.
import { create } from "zustand";
import { base } from "../api/http/base.ts";
import { go, sessionAddress } from "../navigation/session-address.ts";
import { noticeText, type SessionNotice } from "./notices.ts";

const key = "patchbay.notify";

type NotifyChoice = "unasked" | "on" | "off";

interface NotifyStore {
  choice: NotifyChoice;
  /** Counts how often the browser was asked: its permission may be another one now. */
  asked: number;
  choose(choice: "on" | "off"): Promise<void>;
}

/**
 * The permission of the browser; none: it has no notifications (or not on this address). Read only where it is needed:
 * the page's thread waits for the browser.
 */
export const permissionNow = (): NotificationPermission | "none" =>
  "Notification" in window && window.isSecureContext ? Notification.permission : "none";

function stored(): NotifyChoice {
  try {
    const value = localStorage.getItem(key);
    return value === "on" || value === "off" ? value : "unasked";
  } catch {
    return "unasked";
  }
}

export const useNotify = create<NotifyStore>((set) => ({
  choice: stored(),
  asked: 0,
  async choose(choice) {
    try {
      localStorage.setItem(key, choice);
    } catch {
      // Storage is forbidden here: the choice lasts as long as the page.
    }
    set({ choice });
    if (choice === "on" && permissionNow() === "default") await Notification.requestPermission();
    set(({ asked }) => ({ asked: asked + 1 }));
  },
}));

export const isAway = (): boolean => document.visibilityState === "hidden" || !document.hasFocus();

export function notify(notice: SessionNotice): void {
  if (useNotify.getState().choice !== "on" || permissionNow() !== "granted") return;
  const { title, body } = noticeText(notice);
  const address = sessionAddress(notice.session.id);
  // One per session: a newer one replaces an older one.
  const tag = `patchbay-${notice.session.id}`;
  showNotification(title, { body, tag, icon: `${base}/icon.svg`, data: { url: `${base}${address}` } }, () =>
    go(address),
  );
}

export function showNotification(title: string, options: NotificationOptions, onClick?: () => void): void {
  try {
    const shown = new Notification(title, options);
    shown.addEventListener("click", () => {
      window.focus();
      onClick?.();
      shown.close();
    });
  } catch {
    // Phones let only a service worker show them.
    void navigator.serviceWorker
      ?.getRegistration()
      .then((worker) => worker?.showNotification(title, options));
  }
}
