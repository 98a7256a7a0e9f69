/** The browser's own notices that it is my turn, while the tab is in the background: asked once, off by default. */

import { choose, settings } from "../settings.svelte";

export const canNotify = (): boolean => "Notification" in globalThis;

/** Whether the reader was never asked, and could be. */
export const isUnasked = (): boolean => settings.notices === null && canNotify() && Notification.permission !== "denied";

/** Have them from now on, if the browser is allowed to; or not. */
export async function chooseNotices(wanted: boolean): Promise<void> {
  const allowed = wanted && canNotify() && (await Notification.requestPermission()) === "granted";
  choose({ notices: allowed });
}

/** Tell it, if nobody looks. */
export function noticeTurn(title: string, text: string, table: string): void {
  if (!settings.notices || !document.hidden || !canNotify() || Notification.permission !== "granted") return;
  try {
    const notice = new Notification(title, { body: text, tag: `turn ${table}`, icon: "/icon-192.png" });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  } catch {
    // Some phones have them only for installed pages: the title and the sound remain.
  }
}
