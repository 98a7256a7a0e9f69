/** The faces of all cards as plain SVG, for places without the page's styles: `scripts/write_faces.py` keeps them. */

import "../src/tokens.css";
import "../src/base.css";

import { flushSync, mount, unmount } from "svelte";
import english from "../../kibitz/core/words.en.json";
import CardBack from "../src/cards/CardBack.svelte";
import { packOf } from "../src/games";
import Sprite from "../src/games/assets/Sprite.svelte";
import { Wording } from "../src/games/assets/wording";
import { HIDDEN } from "../src/cards/print";
import { sayer } from "../src/words.svelte";

const WIDTH = 100;
const SVG = "http://www.w3.org/2000/svg";
/** What styles say about drawings, and what holds if they say nothing. */
const PAINT: Record<string, string> = {
  fill: "rgb(0, 0, 0)",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  opacity: "1",
  "font-size": "",
  "font-weight": "",
  "text-anchor": "start",
};
const DRAWN = new Set(["path", "rect", "circle", "text", "ellipse", "polygon", "line"]);

const hex = (paint: string): string =>
  paint.replace(/^rgb\((\d+), (\d+), (\d+)\)$/, (_, ...parts: string[]) =>
    `#${parts.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`,
  );

/** An element with all that its styles say written on it. */
function plain(element: Element): Element {
  const copy = document.createElementNS(SVG, element.tagName);
  for (const { name, value } of element.attributes) {
    if (!["class", "style", "aria-hidden", "viewBox", "id", "clip-path"].includes(name)) copy.setAttribute(name, value);
  }
  const style = getComputedStyle(element);
  if (style.transform !== "none" && !element.hasAttribute("transform")) copy.setAttribute("transform", style.transform);
  if (DRAWN.has(element.tagName)) {
    for (const [name, usual] of Object.entries(PAINT)) {
      const value = style.getPropertyValue(name);
      const lettering = name.startsWith("font") || name === "text-anchor";
      if (value !== usual && (!lettering || element.tagName === "text")) copy.setAttribute(name, hex(value).replace(/px$/, ""));
    }
  }
  if (element.tagName === "text") copy.textContent = element.textContent;
  else for (const child of element.children) copy.append(...plainOrUsed(child));
  return copy;
}

/** What an element refers to stands in its place; what only clips is left out. */
function plainOrUsed(element: Element): Element[] {
  if (element.tagName === "clipPath" || element.tagName === "defs") return [];
  if (element.hasAttribute("clip-path")) return [clipped(element)];
  if (element.tagName !== "use") return [plain(element)];
  return [...document.querySelector(element.getAttribute("href")!)!.children].map(plain);
}

/** Cut off by the rectangle that it names, without a name. */
function clipped(element: Element): Element {
  const window = document.createElementNS(SVG, "svg");
  const [x, y, width, height] = ["x", "y", "width", "height"].map((side) =>
    document.querySelector(`[id="${element.getAttribute("clip-path")!.slice(5, -1)}"] rect`)!.getAttribute(side)!,
  );
  Object.entries({ x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` }).forEach(([key, value]) => window.setAttribute(key, value!));
  window.append(plain(element));
  return window;
}

/** A name beneath the picture, which the page lets the browser set, as lines of text. */
function lettered(name: HTMLElement, card: DOMRect): Element[] {
  const box = name.getBoundingClientRect();
  const style = getComputedStyle(name);
  const paper = document.createElementNS(SVG, "rect");
  const sides = { x: box.x - card.x, y: box.y - card.y, width: box.width, height: box.height, rx: 4 };
  for (const [key, value] of Object.entries(sides)) paper.setAttribute(key, String(Math.round(value * 100) / 100));
  paper.setAttribute("fill", hex(style.backgroundColor));
  const size = parseFloat(style.fontSize);
  const lines = linesOf(name);
  const middle = box.y - card.y + box.height / 2;
  return [
    paper,
    ...lines.map((line, number) => {
      const text = document.createElementNS(SVG, "text");
      const y = middle + (number - (lines.length - 1) / 2) * size * 1.05 + 0.36 * size;
      const said = { x: WIDTH / 2, y: Math.round(y * 100) / 100, "font-size": size, "font-weight": 700, "text-anchor": "middle", fill: hex(style.color) };
      for (const [key, value] of Object.entries(said)) text.setAttribute(key, String(value));
      text.textContent = line;
      return text;
    }),
  ];
}

/** The words of an element, line by line as the browser breaks them. */
function linesOf(element: HTMLElement): string[] {
  const lines: { top: number; words: string[] }[] = [];
  const node = element.firstChild as Text;
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const { top } = range.getBoundingClientRect();
    const last = lines.at(-1);
    if (last && Math.abs(last.top - top) < 2) last.words.push(word);
    else lines.push({ top, words: [word] });
  }
  return lines.map(({ words }) => words.join(" "));
}

function drawn(host: HTMLElement): string {
  const svg = host.querySelector("svg")!;
  const name = host.querySelector<HTMLElement>(".name");
  const parts = [...svg.children].flatMap(plainOrUsed);
  if (name) parts.splice(parts.length - 1, 0, ...lettered(name, host.getBoundingClientRect()));
  const serializer = new XMLSerializer();
  return parts.map((part) => serializer.serializeToString(part).replaceAll(` xmlns="${SVG}"`, "")).join("");
}

/** Each card of a game as what stands inside an SVG of 100 by 140. */
async function faces(game: string, cards: string[], words: Record<string, string>, values: Record<string, number>): Promise<Record<string, string>> {
  const pack = await packOf(game);
  const say = sayer(() => [words, english]);
  const app = document.querySelector<HTMLElement>("#app")!;
  document.documentElement.dataset.game = game;
  const found: Record<string, string> = {};
  const sprite = game === "assets" && mount(Sprite, { target: app, props: { wording: new Wording(say, [], { values } as never) } });
  for (const card of [...cards, HIDDEN]) {
    const host = document.createElement("div");
    host.style.cssText = `width:${WIDTH}px;--card:${WIDTH}px;position:relative`;
    app.append(host);
    const face = card === HIDDEN ? mount(CardBack, { target: host }) : mount(pack.Face, { target: host, props: { card, say } });
    flushSync();
    await document.fonts.ready;
    found[card] = drawn(host);
    await unmount(face);
    host.remove();
  }
  if (sprite) await unmount(sprite);
  return found;
}

Object.assign(window, { faces });
