/** What lies over a screen: Back closes the topmost instead of leaving the screen. One entry of the history stands for all. */

type Close = () => void;

let open: Close[] = [];
/** We ourselves are going back, because nothing lies over the screen any more. */
let leaving = false;

/** For as long as something lies over the screen: `$effect(() => closedByBack(onclose))`. */
export function closedByBack(close: Close): () => void {
  open = [...open, close];
  guard();
  return () => {
    open = open.filter((other) => other !== close);
    queueMicrotask(leave); // unless something else has taken its place
  };
}

/** Whether the present entry of the history only stands for what lies over the screen. */
export function isGuarded(): boolean {
  return (history.state as { layer?: boolean } | null)?.layer === true;
}

export function startLayers(): void {
  addEventListener("popstate", () => {
    const close = leaving || isGuarded() ? undefined : open.at(-1);
    leaving = false;
    if (open.length > (close ? 1 : 0)) guard();
    close?.();
  });
}

function guard(): void {
  if (!isGuarded()) history.pushState({ layer: true }, "");
}

function leave(): void {
  if (open.length > 0 || leaving || !isGuarded()) return;
  leaving = true;
  history.back();
}
