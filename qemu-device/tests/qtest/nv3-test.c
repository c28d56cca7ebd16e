/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QTest testcase for the nv3 device (NVIDIA RIVA 128)
 */

#include "qemu/osdep.h"
#include "libqtest.h"
#include "libqos/libqos-pc.h"
#include "libqos/pci.h"

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    return g_test_run();
}
