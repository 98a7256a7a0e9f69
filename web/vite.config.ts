import { readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** Where `npm run dev` finds a Kibitz server. */
const SERVER = "http://127.0.0.1:8000";

/** What is loaded together: few large files are smaller than many small ones, since each is compressed by itself. */
const GROUPS = [
  { name: "start", test: /src\/(main\.ts$|table\/|cards\/|play\/)|Showcase/ }, // with all that they import
  { name: "screens", test: /src\/(new|lobby|me|daily|regular|host|rules|score|review|learn|puzzles|shuffle)\/|calculator|deal\.ts/ },
].map((group, place, { length }) => ({ ...group, priority: length - place })); // the first that fits

/** A component's mark on its elements and styles: as short as keeps them apart, a letter and a number. */
const SOURCES = resolve(import.meta.dirname, "src");
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const COMPONENTS = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".svelte")).sort();
const cssHash = ({ hash, filename }: { hash: (text: string) => string; filename: string }): string => {
  const place = COMPONENTS.indexOf(relative(SOURCES, resolve(filename)));
  return place < 0 ? `s${hash(filename)}` : `${LETTERS[place % LETTERS.length]}${Math.floor(place / LETTERS.length)}`;
};

export default defineConfig({
  plugins: [svelte({ compilerOptions: { cssHash, runes: true, discloseVersion: false } })],
  json: { namedExports: false }, // catalogues are read by key
  build: {
    outDir: "../kibitz/server/page",
    emptyOutDir: true,
    assetsDir: "files",
    assetsInlineLimit: 0, // the Content-Security-Policy takes no data: addresses
    target: ["chrome123", "firefox120", "safari17.5"], // light-dark()
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: GROUPS },
        entryFileNames: "files/[name]-[hash:6].js",
        chunkFileNames: "files/[name]-[hash:6].js",
        assetFileNames: "files/[name]-[hash:6][extname]",
      },
    },
  },
  server: {
    proxy: { "/api": SERVER, "/ws": { target: SERVER.replace("http", "ws"), ws: true } },
  },
});
