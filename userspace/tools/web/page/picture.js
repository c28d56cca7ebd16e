/* SPDX-License-Identifier: MIT */
/* The picture of a surface, enlarged, with a frame around the pixels that have changed. */
import { element, find } from "./dom.js";

const SCALE_MAX = 8;
const HEIGHT_MAX = 256;

export class Picture {
  constructor() {
    this.canvas = find("picture");
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
    this.box = find("picture-box");
    this.caption = find("picture-caption");
    this.slot = 0;
    this.canvas.addEventListener("mousemove", (event) => this.point(event));
    this.canvas.addEventListener("mouseleave", () => this.describe());
    window.addEventListener("resize", () => this.scale());
  }

  /* Shows a surface of @machine. @areas: the changed parts of surfaces */
  draw(machine, areas) {
    const surfaces = machine.surfaces();
    this.surface = surfaces.find((s) => s.slot === this.slot) || surfaces[0] || null;
    this.box.classList.toggle("empty", !this.surface);
    find("surfaces").replaceChildren(...(surfaces.length > 1 ? surfaces : []).map((s) =>
      element("button", {
        type: "button", "aria-pressed": String(s === this.surface),
        onclick: () => {
          this.slot = s.slot;
          this.draw(machine, areas);
        },
      }, `surface ${s.slot}`)));
    this.box.querySelectorAll(".changed").forEach((node) => node.remove());
    if (!this.surface) {
      this.caption.textContent = "The channel has no surface yet.";
      return;
    }
    this.paint(machine.pixels(this.surface));
    areas.filter((area) => area.slot === this.surface.slot).forEach((area) => this.frame(area));
    this.scale();
    this.describe();
  }

  paint(rgb) {
    const { width, height } = this.surface;
    const image = new ImageData(width, height);
    for (let i = 0; i < width * height; i++) {
      image.data.set(rgb.subarray(i * 3, i * 3 + 3), i * 4);
      image.data[i * 4 + 3] = 255;
    }
    this.canvas.width = width;
    this.canvas.height = height;
    this.context.putImageData(image, 0, 0);
    this.rgb = rgb;
  }

  frame({ x, y, width, height }) {
    const node = element("div", { class: "changed" });
    node.style.left = `${100 * x / this.surface.width}%`;
    node.style.top = `${100 * y / this.surface.height}%`;
    node.style.width = `${100 * width / this.surface.width}%`;
    node.style.height = `${100 * height / this.surface.height}%`;
    this.box.append(node);
  }

  /* Sets the size of the picture. The scale is a whole number if there is enough room. */
  scale() {
    if (!this.surface) {
      return;
    }
    const room = this.box.parentElement.clientWidth;
    const { width, height } = this.surface;
    const scale = Math.min(room / width, HEIGHT_MAX / height, SCALE_MAX);
    const used = scale > 1 ? Math.floor(scale) : scale;
    this.box.style.width = `${width * used}px`;
    this.box.style.height = `${height * used}px`;
  }

  describe() {
    const { slot, width, height } = this.surface;
    this.caption.textContent = `surface ${slot}, ${width} × ${height} pixels`;
  }

  point(event) {
    const { width, height } = this.surface;
    const x = Math.floor(event.offsetX * width / this.canvas.clientWidth);
    const y = Math.floor(event.offsetY * height / this.canvas.clientHeight);
    if (x < 0 || y < 0 || x >= width || y >= height) {
      return;
    }
    const at = (y * width + x) * 3;
    const colour = [...this.rgb.subarray(at, at + 3)].join(", ");
    this.caption.textContent = `x=${x} y=${y}: red, green, blue = ${colour}`;
  }
}
