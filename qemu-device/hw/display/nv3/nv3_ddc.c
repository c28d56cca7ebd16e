/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): connects a monitor with an EDID to the DDC lines.
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/units.h"
#include "hw/qdev-core.h"

#include "nv3_glue.h"
#include "trace.h"

#define EDID_ADDRESS        0x50

/*
 * The size of the chip's largest mode, and of the smallest preferred mode that
 * nv3_ddc_prefer() sets.
 */
#define NV3_WIDTH_MAX      1600
#define NV3_HEIGHT_MAX     1200
#define NV3_WIDTH_MIN     640
#define NV3_HEIGHT_MIN    480

static void nv3_ddc_make_edid(NV3DeviceState *s)
{
    qemu_edid_info *info = &s->edid_info;

    trace_nv3_edid(info->prefx, info->prefy);
    qemu_edid_generate(s->ddc.monitor->edid_blob,
                       sizeof(s->ddc.monitor->edid_blob), info);
}

/*
 * Sets the EDID properties that the user has not set to the values of a monitor from
 * 1997.
 */
static void nv3_ddc_set_defaults(NV3DeviceState *s)
{
    qemu_edid_info *info = &s->edid_info;
    bool small = s->vram_size <= 2 * MiB;

    s->ddc.fixed = info->prefx && info->prefy;
    if (!s->ddc.fixed) {
        info->prefx = small ? 800 : 1024;
        info->prefy = small ? 600 : 768;
    }
    if (!info->maxx || !info->maxy) {
        info->maxx = NV3_WIDTH_MAX;
        info->maxy = NV3_HEIGHT_MAX;
    }
    if (!info->refresh_rate) {
        info->refresh_rate = 60000;
    }
}

bool nv3_ddc_prefer(NV3DeviceState *s, uint32_t width, uint32_t height)
{
    qemu_edid_info *info = &s->edid_info;

    if (!s->ddc.monitor || s->ddc.fixed || !width || !height) {
        return false;
    }
    /*
     * The width must be a multiple of 8, because the CRTC counts characters of eight
     * pixels.
     */
    width = QEMU_ALIGN_DOWN(MIN(width, NV3_WIDTH_MAX), 8);
    width = MAX(width, NV3_WIDTH_MIN);
    height = MAX(MIN(height, NV3_HEIGHT_MAX), NV3_HEIGHT_MIN);
    if (width == info->prefx && height == info->prefy) {
        return false;
    }
    info->prefx = width;
    info->prefy = height;
    nv3_ddc_make_edid(s);
    return true;
}

void nv3_ddc_set(NV3DeviceState *s, bool scl, bool sda)
{
    NV3Ddc *ddc = &s->ddc;

    bitbang_i2c_set(&ddc->lines, BITBANG_I2C_SCL, scl);
    ddc->scl = scl;
    ddc->sda = bitbang_i2c_set(&ddc->lines, BITBANG_I2C_SDA, sda);
    trace_nv3_ddc(scl, sda, ddc->sda);
}

uint8_t nv3_ddc_get(NV3DeviceState *s)
{
    return s->ddc.scl | s->ddc.sda << 1;
}

/*
 * Aborts a transfer in progress, and releases SCL and SDA, so that both lines are high.
 */
void nv3_ddc_reset(NV3DeviceState *s)
{
    i2c_end_transfer(s->ddc.bus);
    s->ddc.lines = (bitbang_i2c_interface) { .current_addr = -1 };
    bitbang_i2c_init(&s->ddc.lines, s->ddc.bus);
    s->ddc.scl = true;
    s->ddc.sda = true;
}

static bool nv3_is_level(int val)
{
    return val == 0 || val == 1;
}

bool nv3_ddc_valid(NV3DeviceState *s)
{
    const bitbang_i2c_interface *lines = &s->ddc.lines;

    return lines->state <= SENT_NACK && nv3_is_level(lines->last_data) &&
           nv3_is_level(lines->last_clock) &&
           nv3_is_level(lines->device_out) && lines->current_addr >= -1 &&
           lines->current_addr <= 0xff;
}

/*
 * If a transfer was in progress when the state was saved, addresses the monitor again,
 * because I2CDDC's saved state does not tell whether the monitor is addressed.
 */
void nv3_ddc_loaded(NV3DeviceState *s)
{
    I2CBus *bus = s->ddc.bus;

    if (s->ddc.lines.current_addr >= 0 && QLIST_EMPTY(&bus->current_devs)) {
        i2c_scan_bus(bus, s->ddc.lines.current_addr >> 1, false,
                     &bus->current_devs);
    }
}

void nv3_ddc_init(NV3DeviceState *s)
{
    NV3Ddc *ddc = &s->ddc;
    I2CSlave *slave;

    nv3_ddc_set_defaults(s);
    ddc->bus = i2c_init_bus(DEVICE(s), "nv3.ddc");
    nv3_ddc_reset(s);
    if (!s->enable_edid) {
        return;
    }
    slave = I2C_SLAVE(qdev_new(TYPE_I2CDDC));
    i2c_slave_set_address(slave, EDID_ADDRESS);
    qdev_realize_and_unref(DEVICE(slave), BUS(ddc->bus), &error_abort);
    ddc->monitor = I2CDDC(slave);
    nv3_ddc_make_edid(s);
}
