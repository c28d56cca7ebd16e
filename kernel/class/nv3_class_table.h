/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of classes. Each line NV3_CLASS(NAME) refers to the structure nv3_class_NAME.
 * CLASS_ENUMERATE lists the classes in this order. If several classes have the same number, the
 * driver offers the first of these classes that the chip supports.
 *
 * A file that includes this table must first define NV3_CLASS().
 */
NV3_CLASS(beta);
NV3_CLASS(rop);
NV3_CLASS(chroma);
NV3_CLASS(plane);
NV3_CLASS(clip);
NV3_CLASS(pattern);
NV3_CLASS(rect);
#if IS_ENABLED(CONFIG_DRM_NV3_SW)
NV3_CLASS(soft_rect);
#endif
NV3_CLASS(point);
NV3_CLASS(line);
NV3_CLASS(lin);
NV3_CLASS(tri);
NV3_CLASS(gdi);
NV3_CLASS(m2mf);
NV3_CLASS(sifm);
NV3_CLASS(blit);
NV3_CLASS(ifc);
NV3_CLASS(bitmap);
NV3_CLASS(itm);
NV3_CLASS(sifc);
NV3_CLASS(d3d);
NV3_CLASS(zpoint);
NV3_CLASS(surface);
NV3_CLASS(programs);
#if IS_ENABLED(CONFIG_DRM_NV3_SW)
NV3_CLASS(semaphore);
NV3_CLASS(flip);
#endif
NV3_CLASS(dma);
