/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVIDIA RIVA 128 (NV3): implements the monitor's command `info nv3`. In QMP, the
 * device's property `state` has the same text.
 */

#include "qemu/osdep.h"
#include "monitor/hmp.h"
#include "monitor/monitor.h"

#include "nv3_glue.h"

static void nv3_state_line(void *opaque, const char *text)
{
    g_string_append_printf(opaque, "%s\n", text);
}

char *nv3_monitor_state(Object *obj, Error **errp)
{
    NV3DeviceState *s = NV3(obj);
    GString *text = g_string_new(NULL);

    if (s->core) {
        nv3_lock(s);
        nv3_dump(s->core, nv3_state_line, text);
        nv3_unlock(s);
    }
    return g_string_free(text, false);
}

static int nv3_show(Object *obj, void *opaque)
{
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;

    if (object_dynamic_cast(obj, TYPE_NV3)) {
        path = object_get_canonical_path(obj);
        text = nv3_monitor_state(obj, NULL);
        monitor_printf(opaque, "%s\n%s", path, text);
    }
    return 0;
}

static void nv3_hmp_info(Monitor *mon, const QDict *qdict)
{
    object_child_foreach_recursive(object_get_root(), nv3_show, mon);
}

void nv3_monitor_register(void)
{
    monitor_register_hmp("nv3", true, nv3_hmp_info);
}
