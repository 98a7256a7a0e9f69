import "./tokens.css";
import "./base.css";

import { mount } from "svelte";
import App from "./App.svelte";
import { startKeyboard } from "./keyboard.svelte";
import { startRouter } from "./router.svelte";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";
import { startSound } from "./sound";
import { showTheme } from "./theme";
import { startLayers } from "./ui/layers";
import { loadPageWords } from "./words.svelte";

showTheme(settings.theme);
startRouter();
startLayers();
startKeyboard();
startSound();
session.start();

void loadPageWords(settings.language).then(() => mount(App, { target: document.querySelector("#app")! }));
