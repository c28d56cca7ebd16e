/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): migration and snapshots.
 *
 * The core copies its state to an image (NV3Image). This file creates the image's
 * VMStateDescription, "nv3/chip", from the core's tables. Each block of registers except
 * the first is a subsection. VRAM is migrated as RAM. This file also saves and loads the
 * state of the QEMU device outside the core. While the device is saved, the VM and the
 * engine are stopped, possibly in the middle of a method.
 *
 * A value that a stream lacks is set to its reset value. The core checks all values
 * before it changes the chip. Older machine types exclude newer state with "x-migrate-"
 * properties.
 *
 * Timers are not saved, because the chip sets them again after a load. The chip's clock
 * is QEMU_CLOCK_VIRTUAL, which QEMU restores before any device.
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "hw/pci/pci.h"
#include "migration/vmstate.h"

#include "nv3_glue.h"
#include "nv3_vmstate.h"
#include "trace.h"

void nv3_migration_exit(NV3DeviceState *s)
{
    nv3_image_free(s->saved.chip);
    s->saved.chip = NULL;
}

/*
 * Allocates an image that contains reset values. Afterwards, nv3_image_save() or the
 * incoming stream replaces these values.
 */
static int nv3_new_image(NV3DeviceState *s)
{
    nv3_migration_exit(s);
    nv3_lock(s);
    s->saved.chip = nv3_image_new(s->core);
    nv3_unlock(s);
    return s->saved.chip ? 0 : -ENOMEM;
}

static int nv3_pre_save(void *opaque)
{
    NV3DeviceState *s = opaque;
    int ret = nv3_new_image(s);

    if (ret) {
        return ret;
    }
    nv3_lock(s);
    nv3_image_save(s->saved.chip, s->core);
    nv3_unlock(s);
    s->saved.prefx = s->edid_info.prefx;
    s->saved.prefy = s->edid_info.prefy;
    return 0;
}

static int nv3_post_save(void *opaque)
{
    nv3_migration_exit(opaque);
    return 0;
}

static int nv3_pre_load(void *opaque)
{
    return nv3_new_image(opaque);
}

static int nv3_post_load(void *opaque, int version_id)
{
    NV3DeviceState *s = opaque;
    NV3LoadError error;
    bool ok;

    nv3_lock(s);
    ok = nv3_image_load(s->core, s->saved.chip, &error);
    nv3_unlock(s);
    nv3_migration_exit(s);
    trace_nv3_load(ok);
    if (!ok) {
        error_report("nv3: can't load: %s", error.text);
        return -EINVAL;
    }
    nv3_rom_shadow_update(s);
    nv3_ddc_loaded(s);
    /*
     * Do not notify the guest, which already knew this preferred mode before the save.
     */
    nv3_ddc_prefer(s, s->saved.prefx, s->saved.prefy);
    pci_set_irq(&s->pci, s->irq_level);
    nv3_console_reset(s);
    return 0;
}

/*
 * Returns true if each of the @count registers in @reg has only bits that its @mask
 * allows, and if @index, the value of their index register, is valid.
 */
static bool nv3_vga_file_ok(const uint8_t *reg, const uint8_t *mask,
                            unsigned count, unsigned index)
{
    unsigned i;

    for (i = 0; i < count; i++) {
        if (reg[i] & ~mask[i]) {
            return false;
        }
    }
    return index < count;
}

/*
 * Returns true if the loaded values of QEMU's VGA are valid. QEMU's VGA uses these values
 * as indices without checks, because port writes cannot set invalid values. QEMU's VGA
 * does not check the loaded state of VBE either, which must be 0, because the card has no
 * VBE.
 */
static bool nv3_vga_ok(void *opaque, int version_id)
{
    NV3DeviceState *s = opaque;
    const VGACommonState *vga = &s->vga;

    return nv3_vga_file_ok(vga->sr, sr_mask, ARRAY_SIZE(sr_mask),
                           vga->sr_index) &&
           nv3_vga_file_ok(vga->gr, gr_mask, ARRAY_SIZE(gr_mask),
                           vga->gr_index) &&
           vga->dac_sub_index < 3 && !vga->bank_offset &&
           !vga->vbe_regs[VBE_DISPI_INDEX_ENABLE];
}

static bool nv3_ddc_ok(void *opaque, int version_id)
{
    NV3DeviceState *s = opaque;

    return nv3_ddc_valid(s);
}

static const VMStateDescription vmstate_nv3_i2c = {
    .name = "nv3/ddc-lines",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(state, bitbang_i2c_interface),
        VMSTATE_INT32(last_data, bitbang_i2c_interface),
        VMSTATE_INT32(last_clock, bitbang_i2c_interface),
        VMSTATE_INT32(device_out, bitbang_i2c_interface),
        VMSTATE_UINT8(buffer, bitbang_i2c_interface),
        VMSTATE_INT32(current_addr, bitbang_i2c_interface),
        VMSTATE_END_OF_LIST()
    },
};

/* The description of an NV3Image. nv3_migration_register() fills it in. */
static VMStateDescription vmstate_nv3_chip;

void nv3_migration_register(void)
{
    nv3_vmstate_describe(&vmstate_nv3_chip, "nv3/chip", nv3_state_blocks,
                         nv3_state_block_count);
}

/*
 * Version 1 is not supported, because it contains the chip's state as a single buffer
 * that cannot be checked.
 */
const VMStateDescription vmstate_nv3 = {
    .name = "nv3",
    .version_id = 2,
    .minimum_version_id = 2,
    .pre_save = nv3_pre_save,
    .post_save = nv3_post_save,
    .pre_load = nv3_pre_load,
    .post_load = nv3_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_PCI_DEVICE(pci, NV3DeviceState),
        VMSTATE_STRUCT(vga, NV3DeviceState, 0, vmstate_vga_common,
                       VGACommonState),
        VMSTATE_VALIDATE("VGA's indices", nv3_vga_ok),
        VMSTATE_UINT16(dispi_index, NV3DeviceState),
        VMSTATE_STRUCT(ddc.lines, NV3DeviceState, 0, vmstate_nv3_i2c,
                       bitbang_i2c_interface),
        VMSTATE_BOOL(ddc.scl, NV3DeviceState),
        VMSTATE_BOOL(ddc.sda, NV3DeviceState),
        VMSTATE_VALIDATE("DDC's state", nv3_ddc_ok),
        VMSTATE_UINT32(saved.prefx, NV3DeviceState),
        VMSTATE_UINT32(saved.prefy, NV3DeviceState),
        /*
         * This must be the last field, because the subsections of "nv3/chip" follow the
         * field in the stream.
         */
        VMSTATE_STRUCT_POINTER(saved.chip, NV3DeviceState, vmstate_nv3_chip,
                               NV3Image),
        VMSTATE_END_OF_LIST()
    },
};
