/* SPDX-License-Identifier: MIT */
/* The list of classes, methods and fields, from the tables of the chip model (../names.c). */
import { element, find } from "./dom.js";

const SHARED = "all classes";

function parseField(text) {
  const [name, shift, bits, kind, ...values] = text.split("|");
  return { name, shift: Number(shift), bits: Number(bits), kind, values };
}

function parseNames(text) {
  const classes = [];
  for (const line of text.split("\n")) {
    const [kind, ...words] = line.split("\t");
    if (kind === "class") {
      classes.push({ name: words[0], id: words[1], methods: [] });
    } else if (kind === "method") {
      const [offset, count, name, ...fields] = words;
      classes[classes.length - 1].methods.push({
        offset, count: Number(count), name, fields: fields.map(parseField),
      });
    }
  }
  return classes;
}

function drawField({ name, shift, bits, kind, values }) {
  const range = bits === 1 ? `bit ${shift}` : `bits ${shift} to ${shift + bits - 1}`;
  const place = bits === 32 ? "" : ` in ${range}`;
  const choice = values.length ? ` ${values.join(", ")}` : "";
  return element("li", {}, element("code", {}, name || "value"), `: ${kind}${choice}${place}`);
}

export class Names {
  constructor(text) {
    this.classes = parseNames(text);
    this.dialog = find("names");
    this.filter = find("names-filter");
    this.filter.addEventListener("input", () => this.draw());
    find("names-close").addEventListener("click", () => this.dialog.close());
  }

  drawMethod(owner, method) {
    const index = method.count > 1 ? `(0…${method.count - 1})` : "";
    return element("li", { "data-method": `${owner.name}.${method.name}` },
      element("code", { class: "name" }, method.name + index), " ",
      element("small", {}, `0x${method.offset}`),
      element("ul", {}, ...method.fields.map(drawField)));
  }

  draw() {
    const wanted = this.filter.value.trim().toUpperCase();
    const shown = this.classes.map((c) => {
      const all = `${c.name} ${c.id}`.toUpperCase().includes(wanted);
      return { ...c, methods: c.methods.filter((m) => all || m.name.includes(wanted)) };
    }).filter((c) => c.methods.length);
    find("names-list").replaceChildren(...shown.map((c) =>
      element("section", { "data-class": c.name },
        element("h3", {}, c.name, element("small", {}, c.id ? `class 0x${c.id}` : "")),
        element("ul", {}, ...c.methods.map((m) => this.drawMethod(c, m))))));
    if (!shown.length) {
      find("names-list").append(element("p", { class: "none" }, "No class or method matches."));
    }
  }

  /* Opens the list at a method of the class @owner, or at a method that all classes share. */
  open(owner, method) {
    this.filter.value = "";
    this.draw();
    if (!this.dialog.open) {
      this.dialog.showModal();
    }
    const list = find("names-list");
    const target = method && [owner, SHARED].map((name) =>
      list.querySelector(`[data-method="${name}.${method}"]`)).find((node) => node);
    if (target) {
      target.classList.add("found");
      target.scrollIntoView({ block: "center" });
    }
  }
}
