import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** Where `npm run dev` finds a Kibitz server. */
const SERVER = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  json: { namedExports: false }, // catalogues are read by key
  build: {
    outDir: "../kibitz/server/page",
    emptyOutDir: true,
    assetsDir: "files",
    assetsInlineLimit: 0, // the Content-Security-Policy takes no data: addresses
    target: ["chrome123", "firefox120", "safari17.5"], // light-dark()
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": SERVER, "/ws": { target: SERVER.replace("http", "ws"), ws: true } },
  },
});
