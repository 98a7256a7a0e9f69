import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** Where `npm run dev` finds a Kibitz server. */
const SERVER = "http://127.0.0.1:8000";

/** What is loaded together: few large files are smaller than many small ones, since each is compressed by itself. */
const GROUPS = [
  { name: "start", test: /src\/main\.ts$/ }, // with all that it imports
  { name: "table", test: /src\/(table|cards)\// },
  { name: "study", test: /src\/(review|learn|puzzles)\// },
  { name: "screens", test: /src\/(me|daily|regular|new|lobby|rules|score)\// },
  { name: "deals", test: /src\/(shuffle|games\/\w+\/deal\.ts)/ },
].map((group, place, { length }) => ({ ...group, priority: length - place })); // the first that fits

/** A component's mark on its elements and styles: as short as keeps them apart. */
const cssHash = ({ hash, filename }: { hash: (text: string) => string; filename: string }): string =>
  `s${hash(filename).slice(0, 5)}`;

export default defineConfig({
  plugins: [svelte({ compilerOptions: { cssHash } })],
  json: { namedExports: false }, // catalogues are read by key
  build: {
    outDir: "../kibitz/server/page",
    emptyOutDir: true,
    assetsDir: "files",
    assetsInlineLimit: 0, // the Content-Security-Policy takes no data: addresses
    target: ["chrome123", "firefox120", "safari17.5"], // light-dark()
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: {
    proxy: { "/api": SERVER, "/ws": { target: SERVER.replace("http", "ws"), ws: true } },
  },
});
