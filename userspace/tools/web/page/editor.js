/* SPDX-License-Identifier: MIT */
/*
 * The editor of the script: a transparent text area over a coloured copy of the text, with line
 * numbers. Marks show the executed lines, the next line, and errors.
 */
import { element, find } from "./dom.js";

const TOKEN = new RegExp([
  "(?<comment>#.*)",
  "(?<number>\\b0x[0-9a-fA-F]+\\b|(?<![\\w.])-?\\d+(?:\\.\\d+)?(?:x\\d+)?\\b)",
  "(?<keyword>^\\s*(?:channel|surface|dma|object|submit|vram|memory|answer|engine|run|picture)\\b)",
  "(?<field>\\b[a-z_0-9]+(?==))",
  "(?<name>\\b[A-Z][A-Z0-9_]+\\b)",
].join("|"), "g");

function paintLine(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    parts.push(text.slice(end, match.index), element("span", { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

export class Editor {
  /*
   * Calls @changed when the text changes. Calls @chosen with the number of a line when the user
   * clicks on this number.
   */
  constructor({ changed, chosen }) {
    this.area = find("script");
    this.paint = find("paint");
    this.gutter = find("gutter");
    this.chosen = chosen;
    this.area.addEventListener("input", () => {
      this.draw();
      changed();
    });
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.draw();
  }

  /* Returns the number of the line that contains the caret. */
  get line() {
    return this.text.slice(0, this.area.selectionStart).split("\n").length;
  }

  draw() {
    const lines = this.text.split("\n");
    this.paint.replaceChildren(...lines.map((text) =>
      element("span", { class: "line" }, element("span", { class: "text" }, ...paintLine(text)),
        "\n")));
    this.gutter.replaceChildren(...lines.map((text, i) =>
      element("button", {
        type: "button", tabindex: "-1", title: `Run to line ${i + 1}`,
        onclick: () => this.chosen(i + 1),
      }, String(i + 1))));
  }

  /* Marks executed lines, the next line, and lines with errors. */
  mark({ executed, next, errors }) {
    [...this.paint.children].forEach((node, i) => {
      const line = i + 1;
      const messages = errors.filter((error) => error.line === line).map((error) => error.text);
      const number = this.gutter.children[i];
      for (const target of [node, number]) {
        target.classList.toggle("executed", executed.has(line));
        target.classList.toggle("next", line === next);
        target.classList.toggle("error", messages.length > 0);
      }
      node.querySelector(".message")?.remove();
      if (messages.length) {
        node.lastChild.before(element("span", { class: "message" }, messages.join("; ")));
      }
    });
  }

  /* Scrolls so that a line can be seen. */
  reveal(line) {
    const node = this.paint.children[line - 1];
    const box = find("editor");
    if (!node) {
      return;
    }
    const top = node.offsetTop, margin = node.offsetHeight * 3;
    if (top - margin < box.scrollTop) {
      box.scrollTop = top - margin;
    } else if (top + margin > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + margin - box.clientHeight;
    }
  }
}
