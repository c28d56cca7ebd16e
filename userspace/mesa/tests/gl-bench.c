/* SPDX-License-Identifier: MIT */
/*
 * nv3-gl-bench measures the speed of OpenGL at 640x480. The program prints a line for
 * each figure: name, value and unit, separated by tabs. Each measurement takes about
 * two seconds.
 *
 * nv3-gl-bench NAME SHADER PICTURE measures the fragment shader in the file SHADER
 * instead, and compares its picture with the file PICTURE. If PICTURE does not exist,
 * the program writes it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gl-util.h"

#define WIDTH 640
#define HEIGHT 480
#define SECONDS 2.0

static void make_texture(void)
{
	static uint8_t texels[256 * 256 * 4];
	int i;

	for (i = 0; i < 256 * 256; i++) {
		texels[i * 4] = i;
		texels[i * 4 + 1] = i >> 8;
		texels[i * 4 + 2] = i ^ i >> 8;
		texels[i * 4 + 3] = 128;
	}
	gl_texture(256, GL_RGBA, texels);
	glEnable(GL_TEXTURE_2D);
}

/*
 * Draws a rectangle over the whole picture @count times. Each rectangle is nearer than the previous
 * one, so that the depth test passes. Returns the number of drawn pixels in millions.
 */
static double fill(int count)
{
	int i;

	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	for (i = 0; i < count; i++) {
		float z = 1 - (i + 1) * 2.0f / (count + 1);

		glBegin(GL_QUADS);
		glColor3f(1, 1, 1);
		glTexCoord2f(0, 0);
		glVertex3f(-1, -1, z);
		glColor3f(1, 0, 1);
		glTexCoord2f(2, 0);
		glVertex3f(1, -1, z);
		glColor3f(1, 1, 0);
		glTexCoord2f(2, 2);
		glVertex3f(1, 1, z);
		glColor3f(0, 1, 1);
		glTexCoord2f(0, 2);
		glVertex3f(-1, 1, z);
		glEnd();
	}
	glFinish();
	return count * (double)(WIDTH * HEIGHT) / 1e6;
}

/* Draws triangles of 25 pixels in strips, with texture, colour and depth. */
#define COLUMNS 90
#define ROWS 68

static double triangles(int count)
{
	static float at[(ROWS + 1) * (COLUMNS + 1) * 3];
	static float shade[(ROWS + 1) * (COLUMNS + 1) * 3];
	static float coord[(ROWS + 1) * (COLUMNS + 1) * 2];
	static uint16_t index[ROWS * (COLUMNS + 1) * 2];
	int x, y, n = 0, i;

	for (y = 0; y <= ROWS; y++) {
		for (x = 0; x <= COLUMNS; x++) {
			int v = y * (COLUMNS + 1) + x;

			at[v * 3] = x * 2.0f / COLUMNS - 1;
			at[v * 3 + 1] = y * 2.0f / ROWS - 1;
			at[v * 3 + 2] = (x ^ y) & 1 ? 0.1f : 0;
			shade[v * 3] = shade[v * 3 + 1] = x / (float)COLUMNS;
			shade[v * 3 + 2] = y / (float)ROWS;
			coord[v * 2] = x / 16.0f;
			coord[v * 2 + 1] = y / 16.0f;
		}
	}
	for (y = 0; y < ROWS; y++) {
		for (x = 0; x <= COLUMNS; x++) {
			index[n++] = y * (COLUMNS + 1) + x;
			index[n++] = (y + 1) * (COLUMNS + 1) + x;
		}
	}
	glEnableClientState(GL_VERTEX_ARRAY);
	glEnableClientState(GL_COLOR_ARRAY);
	glEnableClientState(GL_TEXTURE_COORD_ARRAY);
	glVertexPointer(3, GL_FLOAT, 0, at);
	glColorPointer(3, GL_FLOAT, 0, shade);
	glTexCoordPointer(2, GL_FLOAT, 0, coord);
	for (i = 0; i < count; i++) {
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		for (y = 0; y < ROWS; y++)
			glDrawElements(GL_TRIANGLE_STRIP, (COLUMNS + 1) * 2,
				       GL_UNSIGNED_SHORT,
				       index + y * (COLUMNS + 1) * 2);
	}
	glFinish();
	return count * (double)(ROWS * COLUMNS * 2) / 1e6;
}

static void measure(const char *name, const char *unit, double (*run)(int))
{
	double start, spent, work;
	int count = 1;

	run(1);		/* compiles the shaders */
	do {
		start = seconds();
		work = run(count);
		spent = seconds() - start;
		if (spent < SECONDS / 2)
			count = spent < SECONDS / 16 ? count * 8 :
				(int)(count * SECONDS / spent + 1);
	} while (spent < SECONDS / 2);
	printf("%s\t%.4f\t%s\n", name, work / spent, unit);
	fflush(stdout);
}

/* ---- a fragment shader ------------------------------------------------------------ */

#define UNITS 8
#define UNIFORM_FLOATS 256

static void die(const char *what, const char *name)
{
	fprintf(stderr, "nv3-gl-bench: %s: %s\n", what, name);
	exit(1);
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!f || getdelim(&text, &size, 0, f) <= 0)
		die("not readable", path);
	fclose(f);
	return text;
}

/*
 * Prints @format for each varying of @shader, with the varying's type, name and index
 * as arguments.
 */
static void print_varyings(FILE *f, const char *shader, const char *format)
{
	const char *at = shader;
	char type[16], name[64];
	int index = 0;

	while ((at = strstr(at, "varying "))) {
		if (sscanf(at, "varying HIGHP_OR_DEFAULT %15s %63[^; ]", type, name) != 2 &&
		    sscanf(at, "varying %15s %63[^; ]", type, name) != 2)
			die("no name", at);
		fprintf(f, format, type, name, index++);
		at++;
	}
}

/*
 * Returns a vertex shader that sets the varyings of @fragment. A vec4 is a point in front of the
 * viewer, a vec3 is the normal of a surface that faces the viewer, and a vec2 is a texture
 * coordinate. Each varying has its own factor and depends on the position, because the linker
 * removes constant and equal varyings.
 */
static char *make_vertex_shader(const char *fragment)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print_varyings(f, fragment, "varying %1$s %2$s;\n");
	fputs("void main()\n{\n\tgl_Position = gl_Vertex;\n"
	      "\tvec4 value_vec4 = vec4(gl_Vertex.xy, gl_Vertex.x * 0.25 - 1.0, gl_Vertex.w);\n"
	      "\tvec3 value_vec3 = gl_Vertex.xyw;\n"
	      "\tvec2 value_vec2 = gl_Vertex.xy;\n", f);
	print_varyings(f, fragment, "\t%2$s = value_%1$s * (1.0 + float(%3$d) / 16.0);\n");
	fputs("}\n", f);
	fclose(f);
	return text;
}

/*
 * Sets integer uniforms to 5, which glmark2 uses as the number of iterations of a loop. Sets float
 * uniforms to values from 1/16 to 1.
 */
static void set_uniforms(GLuint program)
{
	GLint count, location, units = 0, size, i;
	float value[UNIFORM_FLOATS];
	char name[64];
	GLenum type;

	for (i = 0; i < UNIFORM_FLOATS; i++)
		value[i] = (i * 7 % 16 + 1) / 16.0f;
	glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
	for (i = 0; i < count; i++) {
		glGetActiveUniform(program, i, sizeof(name), NULL, &size, &type, name);
		location = glGetUniformLocation(program, name);
		if (type == GL_SAMPLER_2D && size == 1 && units < UNITS)
			glUniform1i(location, units++);
		else if (type == GL_INT && size == 1)
			glUniform1i(location, 5);
		else if (size > UNIFORM_FLOATS / 16)
			die("too long", name);
		else if (type == GL_FLOAT)
			glUniform1fv(location, size, value);
		else if (type == GL_FLOAT_VEC2)
			glUniform2fv(location, size, value);
		else if (type == GL_FLOAT_VEC3)
			glUniform3fv(location, size, value);
		else if (type == GL_FLOAT_VEC4)
			glUniform4fv(location, size, value);
		else if (type == GL_FLOAT_MAT3)
			glUniformMatrix3fv(location, size, GL_FALSE, value);
		else if (type == GL_FLOAT_MAT4)
			glUniformMatrix4fv(location, size, GL_FALSE, value);
		else
			die("unknown type of a uniform", name);
	}
}

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

/*
 * Compares the framebuffer with the picture in the file @path, and exits with an error if the two
 * differ by more than the tolerance. The tolerance allows for rounding errors of texture
 * coordinates that a shader reads from another texture. If the file does not exist, writes the
 * framebuffer to a new file.
 */
static void check_picture(const char *name, const char *path)
{
	struct difference diff;
	struct picture drawn, file;

	gl_read(&drawn);
	if (access(path, F_OK)) {
		picture_write(&drawn, path);
		return;
	}
	picture_read(&file, path);
	diff = picture_compare(&drawn, &file, 8);
	if (diff.mean > 0.5 || diff.worst_part > 0.02) {
		fprintf(stderr, "nv3-gl-bench: %s: pictures differ by %.2f of 255, %.1f%% "
			"of the blocks by more than 8\n", name, diff.mean,
			diff.worst_part * 100);
		exit(1);
	}
}

/*
 * Measures and prints the speed of the fragment shader in the file @path. Computes the result from
 * the shortest CPU time of a draw, which other programs hardly affect. The drivers must not use
 * threads, because the kernel updates the CPU time of a running thread with a delay.
 */
static int measure_shader(const char *name, const char *path, const char *picture)
{
	char *fragment = read_text(path);
	char *vertex = make_vertex_shader(fragment);
	double shortest = INFINITY, start, spent;
	int i;

	for (i = 0; i < UNITS; i++) {
		glActiveTexture(GL_TEXTURE0 + i);
		make_texture();
	}
	set_uniforms(gl_program(vertex, fragment));
	start = seconds();
	do {
		spent = cpu_seconds();
		glRectf(-1, -1, 1, 1);
		/* Wait for each draw, because llvmpipe skips pixels that a later draw hides. */
		glFinish();
		spent = cpu_seconds() - spent;
		shortest = fmin(shortest, spent);
	} while (seconds() - start < SECONDS / 2);
	check_picture(name, picture);
	printf("%s\t%.2f\tMpixel/s\n", name, WIDTH * HEIGHT / 1e6 / shortest);
	free(vertex);
	free(fragment);
	return 0;
}

int main(int argc, char **argv)
{
	gl_begin(WIDTH, HEIGHT);
	fprintf(stderr, "%s\n", (const char *)glGetString(GL_RENDERER));
	if (argc == 4)
		return measure_shader(argv[1], argv[2], argv[3]);
	make_texture();
	glEnable(GL_DEPTH_TEST);
	measure("gl.fill", "Mpixel/s", fill);
	glEnable(GL_BLEND);
	glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
	measure("gl.blend", "Mpixel/s", fill);
	glDisable(GL_BLEND);
	measure("gl.tri25", "Mtri/s", triangles);
	gl_end();
	return 0;
}
