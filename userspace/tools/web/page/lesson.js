/* SPDX-License-Identifier: MIT */
/* The guide above the script: the lesson of an example, or the comments in the script. */
import { element, find } from "./dom.js";
import { LESSONS } from "./lessons.js";

function paragraph(kind, title, text) {
  return text ? [element("p", { class: kind }, element("b", {}, title), text)] : [];
}

/* Returns the comment that precedes a line of a script. */
function commentBefore(text, line) {
  const lines = text.split("\n");
  const comment = [];
  for (let i = line - 2; i >= 0 && /^\s*#/.test(lines[i]); i--) {
    comment.unshift(lines[i].replace(/^\s*#\s?/, ""));
  }
  return comment.filter((words) => !words.startsWith("SPDX-")).join(" ");
}

/* Returns the text of a line, without its comment. */
function statementAt(text, line) {
  return (text.split("\n")[line - 1] || "").replace(/#.*/, "").trim();
}

/*
 * Shows the text for the next statement of @machine. @name: the example. @text: the script, which
 * the user may have changed. Shows a step of a lesson only if the statement to which the step
 * belongs is unchanged.
 */
export function drawLesson(name, text, machine) {
  const lesson = LESSONS[name];
  const step = (i) => {
    const found = lesson && lesson.steps[i];
    return found && machine.lines[i] && statementAt(text, machine.lines[i]) === found.statement ?
      found : null;
  };
  const { next } = machine;
  const last = step(next - 1), coming = step(next);
  const line = machine.lines[next];
  const parts = [
    ...paragraph("done", "What happened: ", last && last.after),
    ...paragraph("coming", "Next: ", machine.atEnd ? "" :
      (coming ? coming.before : commentBefore(text, line))),
  ];
  if (machine.lines.length && machine.atEnd) {
    parts.push(...paragraph("end", "The end. ", lesson ? lesson.end :
      "Go back to any line, change the script, or choose another example."));
  }
  find("lesson-title").textContent = lesson ? lesson.title : `Example: ${name}`;
  find("lesson-place").textContent = machine.lines.length ?
    `${Math.min(next, machine.lines.length)} of ${machine.lines.length}` : "";
  find("lesson-text").replaceChildren(...(parts.length ? parts :
    [element("p", { class: "coming" }, element("b", {}, "Next: "),
      statementAt(text, line) || "correct the errors in the script.")]));
}
