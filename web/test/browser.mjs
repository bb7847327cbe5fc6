// A browser without a window, and a server for a folder that `make web` has made.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { require } from "../packages.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css",
  ".json": "application/json", ".wasm": "application/wasm", ".txt": "text/plain" };

export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://here").pathname);
    if (path === "/favicon.ico") { // browsers ask for this by themselves
      response.writeHead(204);
      response.end();
      return;
    }
    try {
      const bytes = await readFile(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] || "text/html" });
      response.end(bytes);
    } catch (error) {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export const launch = (how = ["--use-angle=swiftshader", "--disable-gpu-rasterization"]) =>
  require("puppeteer-core").launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", ...how],
  });

/** Opens a page that collects messages of its console, and errors, in page.said. */
export async function newPage(browser, url, width = 1280, height = 900, phone = false) {
  const page = await browser.newPage();
  await page.setViewport({ width, height, isMobile: phone, hasTouch: phone });
  page.said = [];
  page.on("console", (message) => page.said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.said.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => page.said.push(`failed: ${request.url()}`));
  await page.goto(url);
  return page;
}
