/* SPDX-License-Identifier: MIT */
/*
 * Implements the part of WASI (https://wasi.dev, preview 1) that the module's C library needs.
 * Collects text that is written to standard output and standard error. All other calls fail.
 */

const OK = 0;
const EBADF = 8;
const ENOSYS = 52;

export class Wasi {
  constructor() {
    this.memory = null;
    this.text = { 1: "", 2: "" };
    this.decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
  }

  /* Returns the imports of a module. */
  imports(module) {
    const calls = {
      fd_write: (...args) => this.write(...args),
      proc_exit: (status) => {
        throw new Error(`the chip model has ended with status ${status}`);
      },
    };
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] = imports[from] || {};
      imports[from][name] = calls[name] || (() => ENOSYS);
    }
    return imports;
  }

  write(fd, vectors, count, written) {
    if (!(fd in this.text)) {
      return EBADF;
    }
    const view = new DataView(this.memory.buffer);
    let total = 0;
    for (let at = vectors; at < vectors + count * 8; at += 8) {
      const size = view.getUint32(at + 4, true);
      const bytes = new Uint8Array(this.memory.buffer, view.getUint32(at, true), size);
      this.text[fd] += this.decoders[fd].decode(bytes, { stream: true });
      total += size;
    }
    view.setUint32(written, total, true);
    return OK;
  }

  /* Returns the text that has been written to @fd since the last call. */
  take(fd) {
    const text = this.text[fd];
    this.text[fd] = "";
    return text;
  }
}
