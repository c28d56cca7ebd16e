/* SPDX-License-Identifier: MIT */
/* Short functions to create elements. */

/*
 * Creates an element. A property "class" or "data-..." sets an attribute, and a property "on..."
 * adds a listener.
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children);
  return node;
}

export function find(id) {
  return document.getElementById(id);
}
