import "../src/tokens.css";
import "../src/base.css";

import { mount } from "svelte";
import Samples from "./Samples.svelte";

mount(Samples, { target: document.querySelector("#app")! });
