import { mergeConfig } from "vite";
import page from "../vite.config.ts";

/** The page of samples is built by the tests alone: vite build --config samples/vite.config.ts --outDir FOLDER */
export default mergeConfig(page, { build: { rolldownOptions: { input: ["samples/index.html", "samples/faces.html"] } } });
