/** Put compressed forms beside each text of a built page, `.br` and `.gz`, as small as they get: the server sends
 * the one that a browser takes.
 *
 *     node compress.mjs FOLDER
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXTS = /\.(html|js|css|svg|json|webmanifest)$/;
const LEAST = 500; // bytes
const WORTHWHILE = 0.9; // of a file's size

const FORMS = {
  ".br": (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  ".gz": (content) => gzipSync(content, { level: constants.Z_BEST_COMPRESSION }),
};

const folder = process.argv[2];
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXTS.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const content = readFileSync(file);
  if (content.length < LEAST) continue;
  for (const [ending, compress] of Object.entries(FORMS)) {
    const compressed = compress(content);
    if (compressed.length < WORTHWHILE * content.length) writeFileSync(file + ending, compressed);
  }
}
