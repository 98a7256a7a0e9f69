/** Pictures of the games: `art/<game>.svg` and `art/<game>-emblem.svg`; `any` for a game without its own. */

const pictures = import.meta.glob<string>("./art/*.svg", { eager: true, query: "?url", import: "default" });

export const artwork = (game: string): string => picture(game) ?? picture("any")!;
export const emblem = (game: string): string => picture(`${game}-emblem`) ?? picture("any-emblem")!;

function picture(name: string): string | undefined {
  return pictures[`./art/${name}.svg`];
}
