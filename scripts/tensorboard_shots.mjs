// Makes the pictures of the guide's page "Watching a training": starts TensorBoard on a folder that the example mnist has written, opens it in a
// headless Chromium, and takes a picture of its scalars and of its graph with the boxes that OPEN names opened.
//
//     cargo run --example mnist -- --logdir LOGS
//     npm install playwright-core
//     OPEN=while_loop TENSORBOARD=venv/bin/tensorboard node scripts/tensorboard_shots.mjs LOGS FOLDER
//     venv/bin/python scripts/tensorboard_pictures.py FOLDER      # makes them small and part of the guide

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

// From where the script is called, not from where it stands.
const { chromium } = createRequire(path.join(process.cwd(), "x"))("playwright-core");

const [logs, folder = "."] = process.argv.slice(2);
const port = 6123;
const url = `http://localhost:${port}/`;
const board = spawn(process.env.TENSORBOARD ?? "tensorboard", ["--logdir", logs, "--port", String(port)], { stdio: "ignore" });

async function served() {
  for (let i = 0; i < 60; i++) {
    try {
      const runs = await (await fetch(url + "data/runs")).json();
      if (runs.length > 0) return;
    } catch {}
    await new Promise((done) => setTimeout(done, 1000));
  }
  throw new Error("TensorBoard shows no run");
}

/** Opens a box of the graph by its name. The tab is made of elements with shadow roots. */
async function open(page, name) {
  await page.evaluate((name) => {
    const find = (root) => {
      const found = root.querySelector(`g.node[data-name="${name}"]`);
      if (found) return found;
      const inner = [...root.querySelectorAll("*")].filter((element) => element.shadowRoot);
      return inner.map((element) => find(element.shadowRoot)).find(Boolean);
    };
    const node = find(document);
    if (!node) throw new Error(`there is no box ${name}`);
    const event = new MouseEvent("dblclick", { bubbles: true, cancelable: true, view: window });
    node.querySelector(".nodeshape").firstElementChild.dispatchEvent(event);
  }, name);
  await page.waitForTimeout(2500);
}

try {
  await served();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url + "#scalars");
  await page.waitForTimeout(6000);
  await page.screenshot({ path: path.join(folder, "scalars.png") });
  await page.goto(url + "#graphs");
  await page.reload();
  await page.waitForTimeout(6000);
  for (const name of (process.env.OPEN ?? "").split(",").filter(Boolean)) await open(page, name);
  // The panel beside the graph covers a part of it.
  await page.mouse.click(1253, 88);
  await page.getByText("Fit to screen").click();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(folder, "graph.png") });
  await browser.close();
} finally {
  board.kill();
}
