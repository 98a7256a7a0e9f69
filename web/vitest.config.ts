import { defineConfig, mergeConfig } from "vitest/config";
import page from "./vite.config.ts";

/** The page's own tests run in Node, with a document that nobody sees. */
export default mergeConfig(
  page,
  defineConfig({
    resolve: {
      conditions: ["browser"], // Svelte as browsers get it,
      alias: { ws: new URL("node_modules/ws/wrapper.mjs", import.meta.url).pathname }, // and a server as Node does
    },
    test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], testTimeout: 60_000 },
  }),
);
