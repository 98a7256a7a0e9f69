// The chosen theme, before the first paint: nothing flashes. The page itself takes over in src/theme.ts.
try {
  const { theme } = JSON.parse(localStorage.getItem("kibitz.settings")) ?? {};
  if (theme && theme !== "auto") document.documentElement.dataset.theme = theme;
} catch {
  // No settings yet.
}
