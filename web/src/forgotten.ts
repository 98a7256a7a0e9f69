/** Those whom nobody knows any more. */

import { say } from "./words.svelte";

/** The server's text with words where it calls them “–”, or “– (2)”; what they have said reads so, too, and stays. */
export const withForgotten = (text: string): string =>
  text.replace(/(?<=[:,[])(?<!"text":)"–( \(\d+\))?"/g, (_, number = "") => `"${say("name.forgotten")}${number}"`);
