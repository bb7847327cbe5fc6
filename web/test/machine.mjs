// Lua in WebAssembly, outside a page.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { newMachine } from "../page/machine.js";

export const project = join(dirname(fileURLToPath(import.meta.url)), "../..");

export const layer = readFileSync(join(project, "web/love.lua"), "utf8");

/**
 * `folder` holds one variant. The file from Emscripten is a module, although its name ends with
 * .js.
 */
export async function load(folder) {
  globalThis.self ??= globalThis;
  globalThis.location ??= { href: "http://localhost/" };
  const text = readFileSync(join(folder, "program.js")).toString("base64");
  const factory = (await import(`data:text/javascript;base64,${text}`)).default;
  return newMachine(factory, readFileSync(join(folder, "program.wasm")));
}

/** Returns [path, text] for the Lua files in and below these folders of the project. */
export const files = (folders) => folders.flatMap((folder) =>
  readdirSync(join(project, folder), { recursive: true }).filter((name) => name.endsWith(".lua"))
    .map((name) => [`${folder}/${name}`, readFileSync(join(project, folder, name), "utf8")]));
