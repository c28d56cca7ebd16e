# SPDX-License-Identifier: GPL-2.0-or-later
#
# A PC with the nv3 and no other device than it can't be without, for the build that
# fuzzes: --without-default-devices --with-devices-x86_64=nv3
CONFIG_I440FX=y
CONFIG_NV3=y
