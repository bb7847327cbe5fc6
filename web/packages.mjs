// Finds the packages that web.mk installs. They are below build/, where no tool takes them for a
// part of the project.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const installed = join(dirname(fileURLToPath(import.meta.url)), "../build/web-objects/packages");

export const packages = join(installed, "node_modules");
export const require = createRequire(join(installed, "package.json"));
