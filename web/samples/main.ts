import "../src/tokens.css";
import "../src/base.css";

import { mount } from "svelte";
import { loadPageWords } from "../src/words.svelte";
import Samples from "./Samples.svelte";

void loadPageWords("en").then(() => mount(Samples, { target: document.querySelector("#app")! }));
