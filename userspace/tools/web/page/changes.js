/* SPDX-License-Identifier: MIT */
/* The panels on the right: the changes by the last statement, and the state of the machine. */
import { element, find } from "./dom.js";
import { groupOf, parseReport } from "./report.js";

/* Explanations of groups */
const ABOUT = {
  PGRAPH: "the drawing engine",
  CACHE1: "methods that wait for the puller",
  RAMHT: "the hash table from handles to objects",
  RAMFC: "contexts of channels that do not own PFIFO",
  RAMRO: "methods that did not fit into CACHE1",
  "registers of PMC": "pending interrupts",
  "registers of PFIFO": "the queue of methods and its objects",
  "registers of PGRAPH": "the state of the drawing engine",
  "registers of PDMA": "the DMA engine",
  surface: "the picture",
  VRAM: "other video memory",
  memory: "system memory",
  batch: "methods that are collected for the DMA pusher",
  answer: "the resource manager handles an interrupt",
  chip: "a message of the chip model",
  picture: "nv3-step writes this file",
};

const TABS = [
  ["CACHE1", "CACHE1"], ["RAMHT", "RAMHT"], ["RAMFC", "RAMFC"], ["RAMRO", "RAMRO"],
  ["PFIFO", "PFIFO"], ["PGRAPH", "PGRAPH"], ["text", "Text"],
];

export class Changes {
  /* @names: the list (names.js) that opens at a method when the user clicks on the method's link */
  constructor(names) {
    this.names = names;
    this.tab = "RAMHT";
    this.changed = new Set();
  }

  method({ before, owner, name, index, after }) {
    const link = element("button", {
      type: "button", class: "link", title: "Shows the method among those of its class",
      onclick: () => this.names.open(owner, name),
    }, `${owner ? `${owner}.` : ""}${name}${index}`);
    return element("td", { colspan: 4 }, before, link, after);
  }

  row(row, withBefore) {
    if (row.method) {
      return element("tr", {}, this.method(row.method));
    }
    if (!row.register) {
      return element("tr", {}, element("td", { colspan: 4 }, row.text));
    }
    const { name, before, now, fields } = row.register;
    const cells = [element("th", { scope: "row" }, name)];
    if (withBefore) {
      cells.push(element("td", { class: "before" }, before || ""));
    }
    cells.push(element("td", { class: "now" }, now),
      element("td", { class: "fields" }, fields || ""));
    return element("tr", { class: this.changed.has(name) && !withBefore ? "fresh" : null },
      ...cells);
  }

  table(rows, withBefore) {
    return element("table", {}, element("tbody", {}, ...rows.map((r) => this.row(r, withBefore))));
  }

  /* Shows the text that a statement has printed. */
  draw(text) {
    const groups = new Map();
    const rows = parseReport(text);
    for (const row of rows) {
      const label = groupOf(row);
      groups.set(label, [...(groups.get(label) || []), row]);
    }
    this.changed = new Set(rows.filter((r) => r.register).map((r) => r.register.name));
    find("changes").replaceChildren(...[...groups].map(([label, members]) =>
      element("section", { class: "group" },
        element("h3", {}, label, element("small", {}, ABOUT[label] || "")),
        this.table(members, true))));
    if (!rows.length) {
      find("changes").append(element("p", { class: "none" }, "Nothing has changed."));
    }
    return rows;
  }

  /* Shows the tabs, and the state of @machine that the selected tab presents. */
  drawState(machine) {
    find("tabs").replaceChildren(...TABS.map(([tab, title]) =>
      element("button", {
        type: "button", role: "tab", id: `tab-${tab}`, "aria-selected": String(tab === this.tab),
        onclick: () => this.select(tab, machine),
      }, title)));
    if (this.tab === "text") {
      find("state").replaceChildren(element("pre", { id: "output" }, machine.outputs.join("")));
      return;
    }
    const isBlock = this.tab === "PFIFO" || this.tab === "PGRAPH";
    const rows = parseReport(machine.show(isBlock ? "registers" : this.tab)).filter((row) =>
      !isBlock || row.register.name.startsWith(this.tab));
    find("state").replaceChildren(
      element("p", { class: "none" }, isBlock ? "Registers that are not 0." :
        `${this.tab}: ${ABOUT[this.tab]}.`),
      this.table(rows, false));
  }

  select(tab, machine) {
    this.tab = tab;
    this.drawState(machine);
    find(`tab-${tab}`).focus();
  }
}
