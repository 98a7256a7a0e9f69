import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

/** Which layer a component's styles lie in (src/tokens.css names them in their order): by the folder it is in. */
const LAYERS = { table: "primitives", cards: "primitives", ui: "primitives", games: "games" };

const layered = {
  name: "layers",
  style({ content, filename }) {
    const folder = /[\\/]src[\\/](\w+)[\\/]/.exec(filename ?? "")?.[1] ?? "";
    return { code: `@layer ${LAYERS[folder] ?? "screens"} {${content}}` };
  },
};

export default { preprocess: [vitePreprocess(), layered] };
