/* SPDX-License-Identifier: MIT */
/* Parses the text that nv3-step prints after a statement, or for a part of the state. */

/* Start and end columns of the label in a line */
const LABEL = [2, 12];

const REGISTER = /^(\S+)\s+(?:([0-9a-f]{8}) -> )?([0-9a-f]{8})(?: {2}(.*))?$/;
const METHOD = /^(.*?subchannel \d+ )(?:([A-Z0-9_]+)\.)?([A-Z][A-Z0-9_]*)(\([\d,]+\))?(.*)$/;
const AREA = /^(\d): (\d+) pixels changed, from (\d+),(\d+) to (\d+),(\d+)$/;

function parseRow(line) {
  const row = { label: line.slice(...LABEL).trim(), text: line.slice(LABEL[1]).trim() };
  if (row.label === "register") {
    const match = REGISTER.exec(row.text);
    if (match) {
      const [, name, before, now, fields] = match;
      row.register = { name, before, now, fields };
    }
  } else if (row.label === "CACHE1" || row.label === "RAMRO") {
    const match = METHOD.exec(row.text);
    if (match) {
      const [, before, owner, name, index, after] = match;
      row.method = { before, owner, name, index: index || "", after };
    }
  } else if (row.label === "surface") {
    const match = AREA.exec(row.text);
    if (match) {
      const [slot, , x0, y0, x1, y1] = match.slice(1).map(Number);
      row.area = { slot, x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 };
    }
  }
  return row;
}

/*
 * Parses a text into rows. A row has a label, its text and, if present, a register, a method or an
 * area of a surface.
 */
export function parseReport(text) {
  return text.split("\n").filter((line) => line.startsWith("  ")).map(parseRow);
}

/* Returns the label of a row's group. Registers are grouped by their block. */
export function groupOf(row) {
  return row.register ? `registers of ${row.register.name.split("_")[0]}` : row.label;
}
