/* SPDX-License-Identifier: MIT */
/*
 * Draws the path of a method through the machine. Highlights blocks that the last statement
 * changed.
 */
import { element, find } from "./dom.js";
import { parseReport } from "./report.js";

const BLOCKS = [
  { id: "CACHE1", units: ["waits", "wait"], place: "feeds" },
  { id: "PFIFO", text: "puller", place: "feeds" },
  { id: "PGRAPH", units: ["method", "methods"], place: "" },
  { id: "RAMRO", units: ["entry", "entries"], place: "below" },
  { id: "RAMHT", units: ["handle", "handles"], place: "below" },
  { id: "RAMFC", units: ["word", "words"], place: "" },
];

function count(machine, part) {
  return parseReport(machine.show(part)).filter((row) => row.text !== "empty").length;
}

function methods(machine) {
  const found = machine.outputs.join("").matchAll(/^ {2}PGRAPH {4}(\d+) methods? executed/gm);
  return [...found].reduce((sum, match) => sum + Number(match[1]), 0);
}

function isLit(block, rows) {
  return rows.some((row) => row.label === block.id ||
    (row.register && row.register.name.startsWith(`${block.id}_`)));
}

/*
 * @rows: the changes by the last statement. A click on a block calls @choose with the tab of the
 * block.
 */
export function drawFlow(machine, rows, choose) {
  const pending = parseReport(machine.show("registers")).find((row) =>
    row.register.name === "PMC_INTR");
  const values = { PGRAPH: methods(machine) };
  for (const part of ["CACHE1", "RAMRO", "RAMHT", "RAMFC"]) {
    values[part] = count(machine, part);
  }
  find("flow").replaceChildren(...BLOCKS.map((block) => {
    const value = values[block.id];
    const text = block.text || `${value} ${block.units[value === 1 ? 0 : 1]}`;
    return element("button", {
      type: "button", class: `block ${block.place} ${isLit(block, rows) ? "lit" : ""}`,
      onclick: () => choose(block.id),
    }, element("b", {}, block.id), element("span", {}, text));
  }));
  find("interrupt").textContent = pending ?
    `Interrupt of ${pending.register.fields}: the statement "answer" handles it.` : "";
}
