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

showTheme(settings.theme);
startRouter();
startKeyboard();
startSound();
session.start();

mount(App, { target: document.querySelector("#app")! });
