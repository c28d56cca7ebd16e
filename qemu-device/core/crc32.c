/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRC-32 as IEEE 802.3 has it, of pictures: eight bytes a step, each by a table
 * of its own, as a frame has megabytes and there are many a second.
 */
#include "nv3_int.h"

#define POLYNOMIAL  0xedb88320u
#define STEP        8

/* table[n][b]: what byte b becomes after n more zero bytes. */
static uint32_t table[STEP][256];

static void __attribute__((constructor)) init_table(void)
{
    unsigned i, n;

    for (i = 0; i < 256; i++) {
        uint32_t crc = i;

        for (n = 0; n < 8; n++) {
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        }
        table[0][i] = crc;
    }
    for (n = 1; n < STEP; n++) {
        for (i = 0; i < 256; i++) {
            uint32_t crc = table[n - 1][i];

            table[n][i] = crc >> 8 ^ table[0][crc & 0xff];
        }
    }
}

uint32_t nv3_crc32(uint32_t crc, const void *data, size_t len)
{
    const uint8_t *p = data;

    crc = ~crc;
    for (; len >= STEP; len -= STEP, p += STEP) {
        crc = table[7][p[0] ^ (crc & 0xff)] ^
              table[6][p[1] ^ (crc >> 8 & 0xff)] ^
              table[5][p[2] ^ (crc >> 16 & 0xff)] ^
              table[4][p[3] ^ crc >> 24] ^
              table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
    }
    while (len--) {
        crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
    }
    return ~crc;
}
