/* SPDX-License-Identifier: MIT */
/* Connects the parts of the page: buttons, keys, the script and the machine. */
import { Changes } from "./changes.js";
import { find } from "./dom.js";
import { Editor } from "./editor.js";
import { drawFlow } from "./flow.js";
import { drawLesson } from "./lesson.js";
import { Machine } from "./machine.js";
import { Names } from "./names.js";
import { Picture } from "./picture.js";
import { parseReport } from "./report.js";

/* Delay in ms from the last input until a changed script is read */
const EDIT_DELAY = 250;
/* Time in ms after which a run of statements pauses, so that the page is redrawn */
const RUN_SLICE = 50;

class Page {
  constructor(machine, examples) {
    this.machine = machine;
    this.examples = new Map(Object.entries(examples));
    this.edited = new Map();
    this.names = new Names(machine.names());
    this.changes = new Changes(this.names);
    this.picture = new Picture();
    this.editor = new Editor({
      changed: () => this.textChanged(),
      chosen: (line) => this.runTo(line),
    });
    this.running = 0;
    this.fillChoice();
    this.connect();
    this.choose(this.fromAddress());
  }

  fillChoice() {
    find("example").replaceChildren(...[...this.examples.keys()].map((name) =>
      new Option(name, name)));
  }

  /*
   * Returns the example that the page's address names, as in index.html#channels, or the first
   * lesson.
   */
  fromAddress() {
    const name = window.location.hash.slice(1);
    return this.examples.has(name) ? name : "rectangle";
  }

  connect() {
    const buttons = {
      next: () => this.step(),
      back: () => this.back(),
      here: () => this.runTo(this.editor.line),
      end: () => this.runTo(Infinity),
      reset: () => this.restart(0),
      original: () => this.original(),
      "show-names": () => this.names.open(),
      "show-keys": () => find("keys").showModal(),
      "keys-close": () => find("keys").close(),
    };
    for (const [id, action] of Object.entries(buttons)) {
      find(id).addEventListener("click", action);
    }
    find("example").addEventListener("change", (event) => this.choose(event.target.value));
    window.addEventListener("hashchange", () => this.choose(this.fromAddress()));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /* ---- the script ---- */

  choose(name) {
    if (this.name === name) {
      return;
    }
    this.name = name;
    this.good = { text: "", executed: [] };
    find("example").value = name;
    window.location.replace(`#${name}`);
    this.editor.text = this.edited.get(name) ?? this.examples.get(name);
    this.restart(0);
    find("editor").scrollTop = 0;
  }

  textChanged() {
    this.edited.set(this.name, this.editor.text);
    this.drawPlace();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.reload(), EDIT_DELAY);
  }

  original() {
    this.edited.delete(this.name);
    this.editor.text = this.examples.get(this.name);
    this.restart(0);
  }

  /*
   * Reads a changed script, and executes the statements before the first change again. Finds the
   * first change since the last version without errors, because a version with an error was not
   * executed.
   */
  reload() {
    const { lines, next } = this.machine;
    clearTimeout(this.timer);
    if (lines.length) {
      this.good = { text: this.loaded, executed: lines.slice(0, next) };
    }
    const before = this.good.text.split("\n"), now = this.editor.text.split("\n");
    const same = now.findIndex((text, i) => text !== before[i]);
    const until = same < 0 ? Math.min(before.length, now.length) : same;
    this.restart(this.good.executed.filter((line) => line <= until).length, false);
  }

  /*
   * Begins the script and executes its first @statements statements. Scrolls to the next statement
   * only if @reveal is set.
   */
  restart(statements, reveal = true) {
    this.running++;
    clearTimeout(this.timer);
    this.loaded = this.editor.text;
    this.machine.load(this.loaded);
    while (this.machine.next < statements && this.machine.forward()) {
      continue;
    }
    this.draw(reveal);
  }

  /*
   * Reads the script again if it has changed. Returns false if the script has errors or no
   * statements.
   */
  ready() {
    this.running++;
    if (this.loaded !== this.editor.text) {
      this.reload();
    }
    return this.machine.lines.length > 0;
  }

  /* ---- movement ---- */

  step() {
    if (this.ready()) {
      this.machine.forward();
      this.draw();
    }
  }

  back() {
    if (!this.ready()) {
      return;
    }
    if (this.machine.failed) {
      this.restart(this.machine.next);
      return;
    }
    this.machine.back();
    this.draw();
  }

  /* Runs forward or back until the next statement is the first one at or after a line. */
  async runTo(line) {
    if (!this.ready()) {
      return;
    }
    const { machine } = this;
    const index = machine.lines.findIndex((l) => l >= line);
    const target = index < 0 ? machine.lines.length : index;
    const run = this.running;
    const move = () => (machine.next < target ? machine.forward() :
      machine.next > target && machine.back());
    for (let more = true; more && run === this.running;) {
      const start = performance.now();
      while ((more = move()) && performance.now() - start < RUN_SLICE) {
        continue;
      }
      this.draw();
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /* ---- drawing ---- */

  draw(reveal = true) {
    const { machine } = this;
    const { next } = machine;
    const text = machine.outputs[machine.outputs.length - 1] || "";
    const line = machine.lines[next - 1 + (machine.failed ? 1 : 0)];
    const rows = machine.outputs.length ? this.changes.draw(text) : this.drawStart();
    find("changes-title").textContent = line && machine.outputs.length ?
      text.split("\n", 1)[0] : "";
    this.picture.draw(machine, rows.filter((row) => row.area).map((row) => row.area));
    drawFlow(machine, rows, (tab) => {
      this.changes.select(tab, machine);
      find("state").scrollIntoView({ block: "nearest" });
    });
    this.changes.drawState(machine);
    drawLesson(this.name, this.loaded, machine);
    this.drawPlace();
    if (reveal) {
      const { errors } = machine;
      this.editor.reveal(errors.length && errors[0].line ? errors[0].line : machine.lines[next]);
    }
  }

  drawStart() {
    this.changes.draw("");
    find("changes").firstChild.textContent = this.machine.lines.length ?
      "Press Next to execute the first statement." : "The script has an error.";
    return parseReport("");
  }

  drawPlace() {
    const { machine } = this;
    const { next, lines, errors } = machine;
    this.editor.mark({ executed: new Set(lines.slice(0, next)), next: lines[next], errors });
    find("errors").replaceChildren(...errors.map((error) => {
      const item = document.createElement("li");
      item.textContent = error.line ? `line ${error.line}: ${error.text}` : error.text;
      return item;
    }));
    find("next").disabled = machine.failed || machine.atEnd;
    find("end").disabled = machine.failed || machine.atEnd;
    find("back").disabled = !next && !machine.failed;
    find("reset").disabled = !next && !machine.failed;
    find("here").disabled = !lines.length || machine.failed;
    find("original").hidden = this.editor.text === this.examples.get(this.name);
  }

  /* Disables the machine after a failure, and shows the reason. */
  stop(text) {
    this.machine.failed = true;
    this.machine.errors = [{ line: 0, text }];
    this.drawPlace();
  }

  /* ---- keys ---- */

  key(event) {
    const typing = event.target === this.editor.area || event.target.matches("input, select");
    const open = document.querySelector("dialog[open]");
    const keys = {
      F10: () => this.step(), F9: () => this.back(),
      F8: () => this.runTo(this.editor.line),
    };
    const letters = {
      n: keys.F10, ArrowRight: keys.F10, b: keys.F9, ArrowLeft: keys.F9, h: keys.F8,
      e: () => this.runTo(Infinity), r: () => this.restart(0), c: () => this.names.open(),
      "?": () => find("keys").showModal(),
    };
    if (event.key === "Escape" && event.target === this.editor.area) {
      this.editor.area.blur();
    }
    if (open || event.altKey || event.metaKey) {
      return;
    }
    let action = keys[event.key];
    if (event.ctrlKey) {
      action = event.key === "Enter" ? (event.shiftKey ? keys.F9 : keys.F10) : null;
    } else if (!typing) {
      action = action || letters[event.key];
    }
    if (action) {
      event.preventDefault();
      action();
    }
  }
}

/* Shows an error. Stops the machine if there is one, because its chip is in an unknown state. */
function showFailure(error) {
  const text = String((error && error.message) || error);
  if (document.nv3) {
    document.nv3.stop(`The chip model has stopped (${text}). Reload the page.`);
  } else {
    find("failure").hidden = false;
    find("failure-reason").textContent = text;
  }
}

async function start() {
  const decode = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const examples = JSON.parse(find("examples").textContent);
  try {
    const machine = await Machine.create(decode(find("module").textContent.trim()));
    find("app").hidden = false;
    document.nv3 = new Page(machine, examples);
    find("failure").hidden = true;
  } catch (error) {
    showFailure(error);
    throw error;
  }
}

window.addEventListener("error", (event) => showFailure(event.error || event.message));
window.addEventListener("unhandledrejection", (event) => showFailure(event.reason));
start();
