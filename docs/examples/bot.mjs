// A bot for any game of Kibitz, in JavaScript: node bot.mjs
import { createInterface } from "node:readline";

let legal = [];
for await (const line of createInterface({ input: process.stdin })) {
  const space = line.indexOf(" ");
  const [word, rest] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
  if (word === "kibitz") {
    console.log("id name JavaScript example\nready");
  } else if (word === "legal") {
    legal.push(rest);
  } else if (word === "go") {
    console.log(`bestmove ${legal[Math.floor(Math.random() * legal.length)]}`);
    legal = [];
  } else if (word === "quit") {
    break;
  }
}
process.exit(0);
