/* SPDX-License-Identifier: MIT */
/*
 * Lessons: texts for the statements of an example script. "before" explains a statement, and
 * "after" explains its effect. test-web compares "statement" with the script.
 */
export const LESSONS = {
  rectangle: {
    title: "First lesson: a rectangle",
    end: "You have seen the way of a method from a program to a pixel. Change the colour or the " +
      "size in the script, and step through it again. Then choose the example miss: it shows a " +
      "handle that the chip does not find.",
    steps: [
      {
        statement: "channel 1",
        before: "A program draws through a channel, a queue of its own to the chip. The first " +
          "statement creates channel 1. Press Next (or the key N).",
        after: "The resource manager made channel 1 the owner of both halves of the chip: of " +
          "PFIFO, which queues methods (PUSH_CHID), and of PGRAPH, which draws (CTX_USER).",
      },
      {
        statement: "surface 0 X1R5G5B5 64x48",
        before: "PGRAPH has to know the memory that it draws to: 64 by 48 pixels of 15 bits.",
        after: "PGRAPH now has the pitch of a line, 128 (0x80) bytes, the format of a pixel and " +
          "the size of the canvas, beyond which nothing is drawn. The picture is still black.",
      },
      {
        statement: "object 0x1001 RECT",
        before: "A class is a kind of drawing that the chip can do. An object is an instance of a " +
          "class. The program chooses a number for it, its handle: here 0x1001.",
        after: "RAMHT is a hash table in the chip's memory. It now leads from the handle and the " +
          "channel to the object. PGRAPH has not noticed anything yet.",
      },
      {
        statement: "0 OBJECT 0x1001",
        before: "A channel has eight subchannels, and each holds one object. Method OBJECT binds " +
          "an object to a subchannel: here to subchannel 0.",
        after: "The first method has passed through CACHE1: PUT and GET both advanced. The puller " +
          "found the handle in RAMHT and stored the object in CACHE1_CTX(0).",
      },
      {
        statement: "0 COLOR 0x7c00",
        before: "The following methods go to the object in subchannel 0. Five bits each for red, " +
          "green and blue: 0x7c00 is red.",
        after: "Nothing is drawn. PGRAPH keeps the colour in MISC32_0 and notes in VALID that it " +
          "has one. The pointers of CACHE1 do not count 4, 8, 12: they are in Gray code.",
      },
      {
        statement: "0 POINT(0) x=8 y=4",
        before: "The upper left corner of the rectangle.",
        after: "Vertex 0 has the coordinates, and VALID has two more bits. CLIP_STATUS has " +
          "compared the vertex with the canvas.",
      },
      {
        statement: "0 SIZE(0) width=40 height=24",
        before: "The size is the last piece that is missing. So this method draws.",
        after: "960 pixels: 40 times 24. PGRAPH added the size to the corner, stored the far " +
          "corner in vertex 1, and drew. The bits of the vertices in VALID are clear again.",
      },
      {
        statement: "picture rectangle.png",
        before: "nv3-step writes a file here. This page only shows the checksum of its pixels.",
        after: "",
      },
    ],
  },
};
