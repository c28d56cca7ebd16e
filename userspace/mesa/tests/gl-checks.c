/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-checks [NAME] runs tests of OpenGL that do not compare pictures. The tests cover times,
 * memory that other processes write to, contexts that share textures, and lost batches. The program
 * prints TAP and needs a render node. The tests out-of-memory and lost-batch also need the
 * preloaded library of lost-batch.c.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <gbm.h>
#include <linux/dma-buf.h>

#include "gl-checks.h"
#include "gl-util.h"

/*
 * The tolerance for colour components from 0 to 255. It allows for one step of a 5-bit component
 * and for dithering.
 */
#define NEAR 17

static struct gbm_device *gbm;
EGLDisplay display;
EGLConfig config;
EGLContext context;

void die(const char *what)
{
	printf("Bail out! %s\n", what);
	exit(2);
}

EGLContext new_context(EGLContext share)
{
	EGLContext made = eglCreateContext(display, config, share, NULL);

	if (!made)
		die("no GL context");
	return made;
}

void make_current(EGLContext which)
{
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, which))
		die("no current context");
}

static void open_display(void)
{
	PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
		(void *)eglGetProcAddress("eglGetPlatformDisplayEXT");
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	EGLint count;

	gbm = fd < 0 ? NULL : gbm_create_device(fd);
	if (!gbm)
		die("no GBM");
	display = get_display(EGL_PLATFORM_GBM_KHR, gbm, NULL);
	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
	    !eglChooseConfig(display, (EGLint[]) {
			EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE },
			&config, 1, &count) || !count)
		die("no EGL");
}

/* Binds a new framebuffer of @size x @size pixels, and returns its name. */
GLuint bind_framebuffer(int size)
{
	GLuint framebuffer, color;

	glGenFramebuffers(1, &framebuffer);
	glGenRenderbuffers(1, &color);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glBindRenderbuffer(GL_RENDERBUFFER, color);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, size, size);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
				  GL_RENDERBUFFER, color);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		die("no framebuffer");
	glViewport(0, 0, size, size);
	return framebuffer;
}

void clear(float r, float g, float b)
{
	glClearColor(r, g, b, 1);
	glClear(GL_COLOR_BUFFER_BIT);
}

/*
 * Draws a quad from vertex arrays. Mesa executes this draw immediately, unlike draws with glBegin()
 * and glEnd().
 */
void quad(float x0, float y0, float x1, float y1)
{
	static const float coords[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
	const float corners[4][2] = { { x0, y0 }, { x1, y0 }, { x1, y1 }, { x0, y1 } };

	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	glVertexPointer(2, GL_FLOAT, 0, corners);
	glTexCoordPointer(2, GL_FLOAT, 0, coords);
	glDrawArrays(GL_QUADS, 0, 4);
	glDisableClientState(GL_VERTEX_ARRAY);
	glDisableClientState(GL_TEXTURE_COORD_ARRAY);
}

struct color pixel(int x, int y)
{
	uint8_t rgba[4];

	glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
	return (struct color) { rgba[0], rgba[1], rgba[2] };
}

bool is_near(struct color a, struct color b)
{
	return abs(a.r - b.r) <= NEAR && abs(a.g - b.g) <= NEAR &&
	       abs(a.b - b.b) <= NEAR;
}

/*
 * Returns true if the drm-shim replaces the kernel driver. In this case, batches complete before
 * SUBMIT returns.
 */
static bool is_native(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "drm_shim");
}

int repeats(int count)
{
	return is_native() ? count : count / 10;
}

const struct color red = { 230, 20, 20 }, blue = { 20, 20, 240 };
const struct color green = { 20, 210, 20 };

/*
 * Fills a texture with the colour @c, binds it and returns its name. If @name is 0, creates the
 * texture.
 */
GLuint plain_texture(GLuint name, int size, struct color c)
{
	uint32_t *texels = malloc((size_t)size * size * sizeof(*texels));
	bool again = name;

	if (!texels)
		die("no memory");
	for (int i = 0; i < size * size; i++)
		texels[i] = c.r << 16 | c.g << 8 | c.b;
	if (!again)
		glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	if (again)
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_BGRA,
				GL_UNSIGNED_BYTE, texels);
	else
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, size, size, 0, GL_BGRA,
			     GL_UNSIGNED_BYTE, texels);
	free(texels);
	return name;
}

/* ---- times ---- */

#define LAYERS 300

/* Does work that takes about 100 ms on the chip and little time on the CPU. */
static void long_work(void)
{
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	glColor4f(0.9f, 0.3f, 0.2f, 0.5f);
	for (int i = 0; i < LAYERS; i++)
		quad(-1, -1, 1, 1);
	glDisable(GL_BLEND);
	glColor4f(1, 1, 1, 1);
}

static double time_of_work(void)
{
	double since;

	glFinish();
	since = seconds();
	long_work();
	glFinish();
	return seconds() - since;
}

/*
 * Checks that an elapsed-time query returns 50 % to 105 % of the time until the query's result is
 * available.
 */
static bool time_elapsed(void)
{
	double all, elapsed, since;
	GLuint64 result = 0;
	GLuint query;

	bind_framebuffer(LARGE);
	clear(0, 0, 0);
	time_of_work();
	glGenQueries(1, &query);
	since = seconds();
	glBeginQuery(GL_TIME_ELAPSED, query);
	long_work();
	glEndQuery(GL_TIME_ELAPSED);
	glGetQueryObjectui64v(query, GL_QUERY_RESULT, &result);
	/* glGetQueryObjectui64v() must not return before the work is finished. */
	elapsed = result * 1e-9;
	all = seconds() - since;
	since = seconds();
	glFinish();
	printf("# elapsed %.1f ms of %.1f, then another %.1f\n", elapsed * 1e3,
	       all * 1e3, (seconds() - since) * 1e3);
	glDeleteQueries(1, &query);
	return elapsed > 0.5 * all && elapsed <= 1.05 * all &&
	       seconds() - since < 0.25 * all;
}

/*
 * Checks that a timestamp is taken after all earlier work. With class 0x1F the chip writes the
 * timestamp, so the result must not be available at once.
 */
static bool time_stamps(void)
{
	GLint64 before, after;
	GLuint64 stamps[2];
	GLint available;
	GLuint queries[2];
	double all;

	bind_framebuffer(LARGE);
	clear(0, 0, 0);
	/* Do not measure the first call, because its draws compile shaders. */
	time_of_work();
	all = time_of_work();
	glGenQueries(2, queries);
	glGetInteger64v(GL_TIMESTAMP, &before);
	glQueryCounter(queries[0], GL_TIMESTAMP);
	long_work();
	glQueryCounter(queries[1], GL_TIMESTAMP);
	glGetQueryObjectiv(queries[1], GL_QUERY_RESULT_AVAILABLE, &available);
	for (int i = 0; i < 2; i++)
		glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &stamps[i]);
	glFinish();
	glGetInteger64v(GL_TIMESTAMP, &after);
	printf("# work of %.1f ms: %.1f between the stamps; from %.1f before to %.1f after%s\n",
	       all * 1e3, (stamps[1] - stamps[0]) * 1e-6,
	       (int64_t)(stamps[0] - before) * 1e-6, (int64_t)(after - stamps[1]) * 1e-6,
	       available ? ", available at once" : "");
	glDeleteQueries(2, queries);
	return (stamps[1] - stamps[0]) * 1e-9 > 0.4 * all &&
	       (!available || is_native() || !has_programs()) &&
	       (int64_t)stamps[0] >= before - 1000000 &&
	       (int64_t)stamps[1] <= after + 1000000;
}

/* ---- buffers that other processes use ---- */

/* Creates an EGL image, and binds a new texture that uses this image. */
static GLuint image_texture(EGLenum target, EGLClientBuffer buffer, const EGLint *attributes)
{
	PFNEGLCREATEIMAGEKHRPROC create_image =
		(void *)eglGetProcAddress("eglCreateImageKHR");
	void (*set_image)(GLenum, void *) =
		(void *)eglGetProcAddress("glEGLImageTargetTexture2DOES");
	EGLImageKHR image = create_image(display, EGL_NO_CONTEXT, target, buffer, attributes);
	GLuint name;

	if (image == EGL_NO_IMAGE_KHR)
		die("no EGL image");
	glGenTextures(1, &name);
	glBindTexture(GL_TEXTURE_2D, name);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	set_image(GL_TEXTURE_2D, image);
	return name;
}

static struct gbm_bo *new_bo(void)
{
	struct gbm_bo *bo = gbm_bo_create(gbm, SIZE, SIZE, GBM_FORMAT_XRGB8888,
					  GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR);

	if (!bo)
		die("no GBM buffer");
	return bo;
}

static void write_memory(struct gbm_bo *bo, struct color c)
{
	struct dma_buf_sync sync = { DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW };
	uint32_t stride = gbm_bo_get_stride(bo);
	int fd = gbm_bo_get_fd(bo);
	uint8_t *map;

	if (fd < 0)
		die("no dma-buf");
	map = mmap(NULL, (size_t)stride * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		   fd, 0);
	if (map == MAP_FAILED || ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync))
		die("no mapping of a dma-buf");
	for (int y = 0; y < SIZE; y++) {
		for (int x = 0; x < SIZE; x++)
			((uint32_t *)(map + y * stride))[x] =
				0xff000000 | c.r << 16 | c.g << 8 | c.b;
	}
	sync.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW;
	ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync);
	munmap(map, (size_t)stride * SIZE);
	close(fd);
}

/*
 * Tests a buffer that the CPU writes through the buffer's dma-buf, as another process would.
 */
static bool exported_buffer(void)
{
	const struct color colors[] = { red, green, blue };
	struct gbm_bo *bo = new_bo();
	bool ok = true;
	GLuint name;

	bind_framebuffer(SIZE);
	name = image_texture(EGL_NATIVE_PIXMAP_KHR, bo, NULL);
	glEnable(GL_TEXTURE_2D);
	for (int i = 0; i < 3; i++) {
		struct color seen;

		write_memory(bo, colors[i]);
		clear(1, 1, 1);
		glBindTexture(GL_TEXTURE_2D, name);
		quad(-1, -1, 1, 1);
		seen = pixel(SIZE / 2, SIZE / 2);
		if (!is_near(seen, colors[i])) {
			printf("# write %d: %d %d %d\n", i, seen.r, seen.g, seen.b);
			ok = false;
		}
		glFlush();
	}
	glDisable(GL_TEXTURE_2D);
	return ok;
}

/* Draws a rectangle of one colour to a texture. */
static void paint_texture(GLuint name, struct color c)
{
	bind_framebuffer(SIZE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
	glColor3f(c.r / 255.0f, c.g / 255.0f, c.b / 255.0f);
	quad(-1, -1, 1, 1);
	glFinish();
	glColor3f(1, 1, 1);
}

/* Returns true if a quad with the bound texture has the colour @c. */
static bool texture_shows(struct color c)
{
	struct color seen;

	bind_framebuffer(SIZE);
	glEnable(GL_TEXTURE_2D);
	quad(-1, -1, 1, 1);
	glDisable(GL_TEXTURE_2D);
	seen = pixel(SIZE / 2, SIZE / 2);
	printf("# %d %d %d\n", seen.r, seen.g, seen.b);
	return is_near(seen, c);
}

/* Runs in the other process: imports the red buffer, and fills it with green. */
static int use_import(int fd, int stride)
{
	const EGLint attributes[] = {
		EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE,
		EGL_LINUX_DRM_FOURCC_EXT, GBM_FORMAT_XRGB8888,
		EGL_DMA_BUF_PLANE0_FD_EXT, fd, EGL_DMA_BUF_PLANE0_OFFSET_EXT, 0,
		EGL_DMA_BUF_PLANE0_PITCH_EXT, stride, EGL_NONE,
	};
	GLuint name;
	bool ok;

	open_display();
	context = new_context(EGL_NO_CONTEXT);
	make_current(context);
	name = image_texture(EGL_LINUX_DMA_BUF_EXT, NULL, attributes);
	ok = texture_shows(red);
	paint_texture(name, green);
	return !ok;
}

/* Tests a buffer that another process imports and uses as a texture and as a render target. */
static bool imported_buffer(void)
{
	char fd[16], stride[16];
	struct gbm_bo *bo = new_bo();
	GLuint name = image_texture(EGL_NATIVE_PIXMAP_KHR, bo, NULL);
	int status, dma_buf = gbm_bo_get_fd(bo);
	pid_t child;

	paint_texture(name, red);
	fcntl(dma_buf, F_SETFD, 0);
	snprintf(fd, sizeof(fd), "%d", dma_buf);
	snprintf(stride, sizeof(stride), "%u", gbm_bo_get_stride(bo));
	fflush(stdout);
	child = fork();
	if (!child) {
		execl("/proc/self/exe", "nv3-gl-checks", "import", fd, stride, NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	close(dma_buf);
	glBindTexture(GL_TEXTURE_2D, name);
	return texture_shows(green) && !status;
}

/* ---- shader cache ---- */

static int files_in(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int count = 0;

	while (dir && (entry = readdir(dir))) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
			count += files_in(name);
		else if (entry->d_type == DT_REG && strcmp(entry->d_name, "index"))
			count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

/*
 * Links programs in another process with an empty cache. @programs: the number of programs, as
 * text. Returns the number of files in the cache.
 */
static int files_of(const char *programs)
{
	char dir[] = "/tmp/nv3-cache-XXXXXX";
	int status;
	pid_t child;

	if (!mkdtemp(dir))
		die("no directory");
	fflush(stdout);
	child = fork();
	if (!child) {
		setenv("MESA_SHADER_CACHE_DIR", dir, 1);
		setenv("MESA_SHADER_CACHE_DISABLE", "false", 1);
		setenv("MESA_DISK_CACHE_MULTI_FILE", "1", 1);
		execl("/proc/self/exe", "nv3-gl-checks", "link", programs, NULL);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return status ? -1 : files_in(dir);
}

/* Checks that linked programs are stored in the disk cache. */
static bool disk_cache(void)
{
	int without = files_of("0"), with = files_of("8");

	printf("# %d files without programs, %d with 8\n", without, with);
	return without >= 0 && with >= without + 8;
}

static int link_programs(int count)
{
	open_display();
	context = new_context(EGL_NO_CONTEXT);
	make_current(context);
	for (int i = 0; i < count; i++) {
		char source[64];

		snprintf(source, sizeof(source),
			 "void main() { gl_FragColor = vec4(0.%d); }\n", i + 1);
		gl_program("void main() { gl_Position = gl_Vertex; }\n", source);
	}
	make_current(EGL_NO_CONTEXT);
	eglDestroyContext(display, context);
	eglTerminate(display);
	/*
	 * This call destroys the screen, which writes the remaining programs to
	 * the cache.
	 */
	gbm_device_destroy(gbm);
	return 0;
}

/* ---- extensions ---- */

/*
 * Extensions that the driver must not offer, because only llvmpipe implements
 * them.
 */
static const char *const not_offered[] = {
	"GL_AMD_seamless_cubemap_per_texture", "GL_ARB_base_instance",
	"GL_ARB_copy_image", "GL_ARB_cull_distance", "GL_ARB_derivative_control",
	"GL_ARB_post_depth_coverage",
	"GL_ARB_seamless_cube_map", "GL_ARB_shader_ballot", "GL_ARB_shader_clock",
	"GL_ARB_shader_draw_parameters", "GL_ARB_shader_group_vote",
	"GL_ARB_shader_texture_image_samples", "GL_ARB_texture_barrier",
	"GL_ARB_texture_filter_anisotropic", "GL_ARB_texture_query_lod",
	"GL_ARB_texture_view", "GL_ARB_transform_feedback2",
	"GL_ARB_transform_feedback3", "GL_EXT_texture_filter_anisotropic",
	"GL_EXT_texture_integer", "GL_INTEL_shader_atomic_float_minmax",
	"GL_NV_alpha_to_coverage_dither_control", "GL_NV_shader_atomic_float",
	"GL_NV_texture_barrier",
};

/* Extensions that the driver must not offer with class 0x17. */
static const char *const not_by_class_17[] = {
	"GL_ARB_conditional_render_inverted", "GL_ARB_robust_buffer_access_behavior",
	"GL_ARB_uniform_buffer_object", "GL_EXT_texture_mirror_clamp", "GL_KHR_robustness",
};

static bool has_extension(const char *name)
{
	const char *at = (const char *)glGetString(GL_EXTENSIONS);
	size_t length = strlen(name);

	for (; (at = strstr(at, name)); at += length) {
		if (at[length] == ' ' || !at[length])
			return true;
	}
	return false;
}

/* Extensions that the driver must offer with class 0x1F. */
static const char *const by_class_1f[] = {
	"GL_ARB_robust_buffer_access_behavior", "GL_ARB_robustness", "GL_KHR_robustness",
};

/* Returns true if the driver offers all of the extensions. */
static bool all_of(const char *const *names, size_t count)
{
	bool all = true;

	for (size_t i = 0; i < count; i++) {
		if (!has_extension(names[i])) {
			printf("# no %s\n", names[i]);
			all = false;
		}
	}
	return all;
}

/* Returns true if the driver offers none of the extensions. */
static bool none_of(const char *const *names, size_t count)
{
	bool none = true;

	for (size_t i = 0; i < count; i++) {
		if (has_extension(names[i])) {
			printf("# %s\n", names[i]);
			none = false;
		}
	}
	return none;
}

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static bool extensions(void)
{
	bool ok = none_of(not_offered, LENGTH(not_offered));
	GLint total = 0;

	if (has_programs())
		ok = all_of(by_class_1f, LENGTH(by_class_1f)) && ok;
	else
		ok = none_of(not_by_class_17, LENGTH(not_by_class_17)) && ok;
	glGetIntegerv(GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX, &total);
	printf("# %d KiB of dedicated memory\n", total);
	return ok && total > 0 && total <= (has_programs() ? 65536 : 8192);
}

/* ---- multisampled surfaces ---- */

#define WINDOW 64

/*
 * Fills half of a surface. The edge of the filled half runs through the middle of
 * pixels. Returns true if the pixels on the edge have half of the fill's brightness, and no other
 * pixels do.
 */
static bool half_pixels(void)
{
	const struct color half = { 128, 128, 128 }, full = { 255, 255, 255 };
	const struct color none = { 0, 0, 0 };
	bool ok = true;

	clear(0, 0, 0);
	glColor3f(1, 1, 1);
	quad(-1, -1, 1.0f / WINDOW, 1);
	for (int y = 0; y < WINDOW; y += 7) {
		for (int x = 0; x < WINDOW; x++) {
			ok &= is_near(pixel(x, y), x < WINDOW / 2 ? full :
						   x > WINDOW / 2 ? none : half);
		}
	}
	return ok;
}

/*
 * Checks that a program can choose a configuration with four samples, draw, and read
 * the resolved picture.
 */
static bool samples_of_surface(void)
{
	const EGLint attributes[] = {
		EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
		EGL_RED_SIZE, 8, EGL_SAMPLES, 4, EGL_NONE,
	};
	const EGLint size[] = { EGL_WIDTH, WINDOW, EGL_HEIGHT, WINDOW, EGL_NONE };
	EGLDisplay other = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
						 EGL_DEFAULT_DISPLAY, NULL);
	const bool offered = has_programs();
	EGLSurface surface;
	EGLContext current;
	EGLConfig chosen;
	EGLint count = 0;
	bool ok = !offered;

	eglInitialize(other, NULL, NULL);
	eglChooseConfig(other, attributes, &chosen, 1, &count);
	if (count) {
		surface = eglCreatePbufferSurface(other, chosen, size);
		current = eglCreateContext(other, chosen, EGL_NO_CONTEXT, NULL);
		ok = offered && eglMakeCurrent(other, surface, surface, current) &&
		     half_pixels();
		eglMakeCurrent(other, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	}
	eglTerminate(other);
	make_current(context);
	return ok;
}

/* ---- dithering ---- */

/* Binds a framebuffer of format RGB565. */
static void bind_coarse_framebuffer(void)
{
	GLint bits = 0;

	bind_framebuffer(SIZE);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, SIZE, SIZE);
	glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_RED_SIZE, &bits);
	if (bits != 5 || glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
		die("no framebuffer of 16 bits");
}

/*
 * Fills the framebuffer with a colour that RGB565 can't represent. Sets @first to the first pixel
 * and @mean to the mean of all pixels. Returns the number of pixels that differ from the first
 * pixel.
 */
static int filled(struct color *first, double mean[3])
{
	static uint8_t rgb[SIZE * SIZE][3];
	int different = 0;

	clear(0, 0, 0);
	glColor3f(0.4f, 0.55f, 0.7f);
	quad(-1, -1, 1, 1);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGB, GL_UNSIGNED_BYTE, rgb);
	memset(mean, 0, 3 * sizeof(*mean));
	for (int i = 0; i < SIZE * SIZE; i++) {
		different += memcmp(rgb[0], rgb[i], sizeof(rgb[0])) != 0;
		for (int c = 0; c < 3; c++)
			mean[c] += rgb[i][c] / (double)(SIZE * SIZE);
	}
	*first = (struct color) { rgb[0][0], rgb[0][1], rgb[0][2] };
	printf("# %d, %d, %d, %d other pixels, mean %.1f, %.1f, %.1f\n", first->r, first->g,
	       first->b, different, mean[0], mean[1], mean[2]);
	return different;
}

/*
 * Checks that with GL_DITHER, the mean is close to the colour. Checks that without GL_DITHER, each
 * pixel has the nearest value of the format: 12/31, 35/63 and 22/31. Class 0x17 dithers to 5 bits,
 * so the tolerance is one step of a 5-bit component: 8 of 255.
 */
static bool dithering(void)
{
	static const double exact[3] = { 102, 140.25, 178.5 };
	const double tolerance = has_programs() ? 1.5 : 8;
	struct color color;
	double mean[3];
	bool ok;

	bind_coarse_framebuffer();
	ok = filled(&color, mean) > 0;
	for (int c = 0; c < 3; c++)
		ok &= mean[c] > exact[c] - tolerance && mean[c] < exact[c] + tolerance;
	for (int i = 0; i < 2; i++) {
		glDisable(GL_DITHER);
		ok &= filled(&color, mean) == 0 && abs(color.r - 99) <= 1 &&
		      abs(color.g - 142) <= 1 && abs(color.b - 181) <= 1;
		glEnable(GL_DITHER);
		ok &= filled(&color, mean) > 0;
	}
	return ok;
}

/* ---- smooth points ---- */

/*
 * Checks that without blending, a smooth point changes neither the colour nor the depth of pixels
 * that its disc does not touch.
 */
static bool smooth_points(void)
{
	const int center = SIZE / 2, corner = center + 9;
	float depths[2];
	GLuint depth;

	bind_framebuffer(SIZE);
	glGenRenderbuffers(1, &depth);
	glBindRenderbuffer(GL_RENDERBUFFER, depth);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT, SIZE, SIZE);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
	glClear(GL_DEPTH_BUFFER_BIT);
	clear(0, 0, 0);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_POINT_SMOOTH);
	glPointSize(20);
	glColor3ub(green.r, green.g, green.b);
	glBegin(GL_POINTS);
	glVertex2f(0, 0);
	glEnd();
	glDisable(GL_POINT_SMOOTH);
	glDisable(GL_DEPTH_TEST);
	glReadPixels(center, center, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depths[0]);
	glReadPixels(corner, corner, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depths[1]);
	printf("# depth %.2f at the centre, %.2f at a corner\n", depths[0], depths[1]);
	return is_near(pixel(center, center), green) && depths[0] < 0.6f &&
	       is_near(pixel(corner, corner), (struct color) { 0, 0, 0 }) && depths[1] > 0.9f;
}

/* ---- all tests ---- */

static const struct {
	const char *name;
	bool (*run)(void);
} checks[] = {
	{ "time-elapsed", time_elapsed },
	{ "time-stamps", time_stamps },
	{ "exported-buffer", exported_buffer },
	{ "imported-buffer", imported_buffer },
	{ "shared-texture-memory", shared_texture_memory },
	{ "shared-by-threads", shared_by_threads },
	{ "shared-stream", shared_stream },
	{ "shared-parts", shared_parts },
	{ "shared-memory", shared_memory },
	{ "shared-target", shared_target },
	{ "disk-cache", disk_cache },
	{ "extensions", extensions },
	{ "samples-of-surface", samples_of_surface },
	{ "dithering", dithering },
	{ "smooth-points", smooth_points },
	{ "lost-channel", lost_channel },
	{ "robust-access", robust_access },
	{ "out-of-memory", out_of_memory },
	{ "lost-batch", lost_batch },
};

#define COUNT (int)(sizeof(checks) / sizeof(checks[0]))

int main(int argc, char **argv)
{
	bool all = true;

	if (argc == 3 && !strcmp(argv[1], "link"))
		return link_programs(atoi(argv[2]));
	setlinebuf(stdout);
	if (argc == 4 && !strcmp(argv[1], "import"))
		return use_import(atoi(argv[2]), atoi(argv[3]));
	open_display();
	printf("1..%d\n", argc > 1 ? 1 : COUNT);
	for (int i = 0, number = 1; i < COUNT; i++) {
		bool ok;

		if (argc > 1 && strcmp(argv[1], checks[i].name))
			continue;
		context = new_context(EGL_NO_CONTEXT);
		make_current(context);
		ok = checks[i].run();
		ok &= !glGetError();
		make_current(EGL_NO_CONTEXT);
		eglDestroyContext(display, context);
		all &= ok;
		printf("%sok %d - %s\n", ok ? "" : "not ", number++, checks[i].name);
	}
	eglTerminate(display);
	return !all;
}
