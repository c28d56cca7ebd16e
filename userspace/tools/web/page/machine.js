/* SPDX-License-Identifier: MIT */
/*
 * Runs a script on the chip model in the WebAssembly module (../page.h). Keeps the text that each
 * statement has printed.
 */
import { Wasi } from "./wasi.js";

const SURFACES = 4;

/* Parts of the state, in the order of enum page_part */
export const PARTS = ["CACHE1", "RAMHT", "RAMFC", "RAMRO", "registers"];

/* Splits messages "script:LINE: TEXT" into line and text. Other messages have no line. */
function parseMessages(text) {
  return text.split("\n").filter((line) => line).map((line) => {
    const match = /^script:(\d+): (.*)$/.exec(line);
    return match ? { line: Number(match[1]), text: match[2] } : { line: 0, text: line };
  });
}

export class Machine {
  /* @bytes: the module */
  static async create(bytes) {
    const machine = new Machine();
    const module = await WebAssembly.compile(bytes);
    machine.wasi = new Wasi();
    const instance = await WebAssembly.instantiate(module, machine.wasi.imports(module));
    machine.module = instance.exports;
    machine.wasi.memory = instance.exports.memory;
    machine.module._initialize();
    machine.reset();
    return machine;
  }

  reset() {
    this.lines = []; /* line number of each statement */
    this.outputs = []; /* printed text of each executed statement */
    this.errors = []; /* { line, text } */
    this.failed = false; /* a statement has failed, and the script can't continue */
  }

  /* Begins a script. Returns false if the script has errors. */
  load(text) {
    this.reset();
    this.wasi.take(2);
    const bytes = new TextEncoder().encode(text);
    const at = this.module.page_text(bytes.length);
    if (!at) {
      this.errors = [{ line: 0, text: "the browser has no memory for the script" }];
      return false;
    }
    new Uint8Array(this.module.memory.buffer, at, bytes.length).set(bytes);
    const count = this.module.page_load(at, bytes.length);
    this.errors = parseMessages(this.wasi.take(2));
    for (let i = 0; i < count; i++) {
      this.lines.push(this.module.page_line(i));
    }
    return count > 0;
  }

  /* Returns the number of the next statement to execute. */
  get next() {
    return this.module.page_next();
  }

  get atEnd() {
    return this.next >= this.lines.length;
  }

  /* Executes the next statement. Returns false at the end or after an error. */
  forward() {
    if (this.failed || this.atEnd) {
      return false;
    }
    const ok = this.module.page_forward();
    this.outputs.push(this.wasi.take(1));
    if (!ok) {
      this.errors = parseMessages(this.wasi.take(2));
      this.failed = true;
    }
    return Boolean(ok);
  }

  /* Returns to the state before the last statement. Returns false at the start. */
  back() {
    if (this.failed || !this.next) {
      return false;
    }
    const ok = this.module.page_back();
    this.wasi.take(1);
    if (ok) {
      this.outputs.pop();
    } else {
      this.errors = parseMessages(this.wasi.take(2));
      this.failed = true;
    }
    return Boolean(ok);
  }

  /* Returns the text that describes a part of the state. */
  show(part) {
    this.module.page_show(PARTS.indexOf(part));
    return this.wasi.take(1);
  }

  /* Returns the surfaces of the current channel, as { slot, width, height }. */
  surfaces() {
    const all = [];
    for (let slot = 0; slot < SURFACES; slot++) {
      const size = this.module.page_surface(slot);
      if (size) {
        all.push({ slot, width: size & 0xffff, height: size >>> 16 });
      }
    }
    return all;
  }

  /* Returns the pixels of a surface, three bytes each. */
  pixels({ slot, width, height }) {
    const at = this.module.page_pixels(slot);
    return new Uint8Array(this.module.memory.buffer, at, width * height * 3).slice();
  }

  /* Returns the tables of classes and methods. */
  names() {
    this.module.page_names();
    return this.wasi.take(1);
  }
}
