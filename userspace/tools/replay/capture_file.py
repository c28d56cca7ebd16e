# SPDX-License-Identifier: MIT
"""Helpers that write, read and damage captures (../capture/format.h) for the tests."""

import struct
import zlib

MAGIC = b'NV3CAPT\n'
HEADER = MAGIC + struct.pack('<2I', 1, 0)
TYPES = ['PROGRAM', 'FILE_CLOSE', 'CHANNEL', 'CHANNEL_DESTROY', 'OBJECT', 'OBJECT_DESTROY',
         'BUFFER', 'BUFFER_CLOSE', 'VM', 'VM_DESTROY', 'VM_BIND', 'MEMORY', 'BATCH', 'RESULT',
         'END']
FORMAT_X1R5G5B5, COPY = 2, 0x17
READ, WRITE = 1, 2
SURFACE, RECT, BLIT, D3D, PROGRAMS, DMA = 0x1c, 0x07, 0x10, 0x17, 0x1f, 0x3d


def record(kind, payload):
    """Returns the bytes of a record."""
    head = struct.pack('<3I', TYPES.index(kind) + 1, len(payload), len(payload))
    return head + struct.pack('<I', zlib.crc32(payload, zlib.crc32(head))) + payload


def words(*values):
    """Returns the bytes of words of 32 bits."""
    return struct.pack(f'<{len(values)}I', *values)


def header(subch, mthd, count):
    """Returns the header of a run of methods."""
    return count << 18 | subch << 13 | mthd


def split(data):
    """Yields the offset, the type, and the payload of each record."""
    at = len(HEADER)
    while at < len(data):
        kind, stored, size, _ = struct.unpack_from('<4I', data, at)
        payload = data[at + 16:at + 16 + stored]
        yield at, TYPES[kind - 1], payload if stored == size else zlib.decompress(payload)
        at += 16 + stored


class Capture:
    """Builds a capture: one file, one channel, and a surface of 64 x 48 pixels in buffer 1."""

    WIDTH, HEIGHT, PITCH, BUFFER = 64, 48, 128, 8192

    def __init__(self):
        self.data, self.count, self.batches = bytearray(HEADER), 0, 0
        self.add('PROGRAM', words(8 << 20) + b'test')
        self.add('CHANNEL', words(1, 1, 0, 0))
        self.add('BUFFER', words(1, 1, 1, self.BUFFER, 0))
        self.object(SURFACE, 0x100, 1, 0, FORMAT_X1R5G5B5, 0, self.PITCH, self.WIDTH,
                    self.HEIGHT, 0)

    def add(self, kind, payload):
        """Appends a record."""
        self.data += record(kind, payload)
        self.count += 1
        self.batches += kind == 'BATCH'

    def object(self, class_id, handle, *args):
        """Appends an object."""
        self.add('OBJECT', words(1, 1, class_id, handle, *args))

    def graph(self, class_id, handle):
        """Appends an object that draws to the surface in slot 0 with the operation COPY."""
        self.object(class_id, handle, 0, COPY, 1, 0, 0, 0, 0, 0)

    def batch(self, *stream, buffers=((1, READ | WRITE),), check=None):
        """Appends a batch of words, and the result of the batch if @check is set."""
        self.add('BATCH', words(1, 1, len(buffers), len(stream)) +
                 words(*(v for pair in buffers for v in pair)) + words(*stream))
        if check is not None:
            self.add('RESULT', words(1, 1, 0, 1, 1, check))

    def end(self):
        """Returns the bytes of the capture."""
        return bytes(self.data) + record('END', words(self.count, self.batches))


def methods(subch, *pairs):
    """Returns the words of methods, each with its own header."""
    return [word for mthd, data in pairs for word in (header(subch, mthd, 1), data)]


def pixels(rectangles):
    """Returns the bytes of the surface after the given rectangles have been filled."""
    data = bytearray(Capture.BUFFER)
    for x, y, width, height, color in rectangles:
        for line in range(y, y + height):
            at = line * Capture.PITCH + x * 2
            data[at:at + width * 2] = struct.pack('<H', color) * width
    return data
