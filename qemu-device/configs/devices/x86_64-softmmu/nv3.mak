# SPDX-License-Identifier: GPL-2.0-or-later
#
# A PC with the nv3 and only the devices that a PC requires, for the build with fuzzers:
# --without-default-devices --with-devices-x86_64=nv3
CONFIG_I440FX=y
CONFIG_NV3=y
