/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws with llvmpipe, Mesa's software rasterizer, without a window system. The target of
 * the scenes in bench_scene.h is an R5G6B5 renderbuffer with 16 bits of depth. The target
 * of fragment shaders has 32-bit pixels and no depth.
 */
#include <dirent.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "bench_scene.h"

struct LlvmpipeServer {
    pid_t pid;
    int ask, answer;
};

#ifdef HAVE_EGL
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

static const char vertex_shader[] =
    "attribute vec4 position;\n"    /* pixels, depth, 1 / w */
    "attribute vec2 tex;\n"
    "attribute vec4 rgba;\n"
    "varying vec2 t;\n"
    "varying vec4 c;\n"
    "void main()\n"
    "{\n"
    "    vec3 ndc = position.xyz * vec3(2.0 / 640.0, -2.0 / 480.0, 2.0);\n"
    "    gl_Position = vec4(ndc + vec3(-1.0, 1.0, -1.0), 1.0) / position.w;\n"
    "    t = tex;\n"
    "    c = rgba;\n"
    "}\n";
static const char fragment_shader[] =
    "precision mediump float;\n"
    "uniform sampler2D sampler;\n"
    "varying vec2 t;\n"
    "varying vec4 c;\n"
    "void main()\n"
    "{\n"
    "    gl_FragColor = texture2D(sampler, t) * c;\n"
    "}\n";

static bool make_context(void)
{
    static const EGLint config_attribs[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
        EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE,
    };
    static const EGLint context_attribs[] = {
        EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE,
    };
    EGLDisplay display;
    EGLContext context;
    EGLConfig config;
    EGLint n;

    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
                                    EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
        !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(display, config_attribs, &config, 1, &n) || n < 1) {
        return false;
    }
    context = eglCreateContext(display, config, EGL_NO_CONTEXT,
                               context_attribs);
    return context != EGL_NO_CONTEXT &&
           eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static GLuint make_shader(GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);

    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    return shader;
}

static bool make_program(void)
{
    GLuint program = glCreateProgram();
    GLint ok;

    glAttachShader(program, make_shader(GL_VERTEX_SHADER, vertex_shader));
    glAttachShader(program, make_shader(GL_FRAGMENT_SHADER, fragment_shader));
    glBindAttribLocation(program, 0, "position");
    glBindAttribLocation(program, 1, "tex");
    glBindAttribLocation(program, 2, "rgba");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glUseProgram(program);
    return ok;
}

static void make_texture(void)
{
    static uint16_t linear[1 << (2 * SCENE_TEX_LOG2)];
    GLuint texture;

    scene_texture(linear);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 1 << SCENE_TEX_LOG2,
                 1 << SCENE_TEX_LOG2, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5,
                 linear);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
}

static bool make_target(void)
{
    GLuint fbo, rbo[2];

    glGenFramebuffers(1, &fbo);
    glGenRenderbuffers(2, rbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glBindRenderbuffer(GL_RENDERBUFFER, rbo[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, SCENE_WIDTH,
                          SCENE_HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                              GL_RENDERBUFFER, rbo[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, rbo[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, SCENE_WIDTH,
                          SCENE_HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
                              GL_RENDERBUFFER, rbo[1]);
    glViewport(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) ==
           GL_FRAMEBUFFER_COMPLETE;
}

bool llvmpipe_open(void)
{
    const char *renderer;

    /* Without LP_NUM_THREADS, llvmpipe starts threads. */
    setenv("LP_NUM_THREADS", "0", 0);
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("GALLIUM_DRIVER", "llvmpipe", 1);
    if (!make_context()) {
        return false;
    }
    renderer = (const char *)glGetString(GL_RENDERER);
    if (!renderer || !strstr(renderer, "llvmpipe") || !make_program() ||
        !make_target()) {
        return false;
    }
    make_texture();
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    return true;
}

static void set_attributes(void)
{
    const GLsizei stride = sizeof(SceneVertex);

    for (unsigned i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
    }
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, (void *)0);
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride,
                          (void *)offsetof(SceneVertex, u));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          (void *)offsetof(SceneVertex, rgba));
}

/*
 * Draws the scene. Calls @begin before and @end after the part of the draw that the
 * benchmark measures.
 */
static void draw(const Scene *s, void (*begin)(void *opaque), void (*end)(void *opaque),
                 void *opaque)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, s->count * sizeof(SceneVertex), s->vertex,
                 GL_STATIC_DRAW);
    set_attributes();
    if (s->blend) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    } else {
        glDisable(GL_BLEND);
    }
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    /* Compiles the shaders' variants. */
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glFinish();
    begin(opaque);
    glDrawArrays(GL_TRIANGLES, 0, s->count);
    glFinish();
    end(opaque);
    glDeleteBuffers(1, &buffer);
}

static void thread_begin(void *opaque)
{
    *(double *)opaque = scene_clock();
}

static void thread_end(void *opaque)
{
    *(double *)opaque = scene_clock() - *(double *)opaque;
}

double llvmpipe_draw(const Scene *s)
{
    double time;

    draw(s, thread_begin, thread_end, &time);
    return time;
}

/* ---- vertices --------------------------------------------------------------- */

static const char lit_shader[] =
    "attribute vec4 position;\n"
    "attribute vec3 normal;\n"
    "uniform mat4 matrix;\n"
    "uniform vec3 light[3];\n"
    "uniform vec4 diffuse[3];\n"
    "varying vec4 c;\n"
    "void main()\n"
    "{\n"
    "    vec3 n = normalize(mat3(matrix) * normal);\n"
    "    gl_Position = matrix * position;\n"
    "    c = vec4(0.0);\n"
    "    for (int i = 0; i < 3; i++)\n"
    "        c += max(dot(n, light[i]), 0.0) * diffuse[i];\n"
    "}\n";
static const char lit_fragment_shader[] =
    "precision mediump float;\n"
    "varying vec4 c;\n"
    "void main()\n"
    "{\n"
    "    gl_FragColor = c;\n"
    "}\n";

static unsigned lit_count;

static void set_lit_uniforms(GLuint lit)
{
    static const float matrix[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    static const float light[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    static const float diffuse[12] = { 0.3f, 0, 0.5f, 1, 0.3f, 0.2f, 0.5f, 1,
                                       0.3f, 0.4f, 0.5f, 1 };

    glUniformMatrix4fv(glGetUniformLocation(lit, "matrix"), 1, GL_FALSE, matrix);
    glUniform3fv(glGetUniformLocation(lit, "light"), 3, light);
    glUniform4fv(glGetUniformLocation(lit, "diffuse"), 3, diffuse);
}

bool llvmpipe_open_lit(const float *vertices, unsigned count)
{
    const GLsizei stride = 7 * sizeof(float);
    GLuint lit = glCreateProgram(), buffer;
    GLint ok;

    glAttachShader(lit, make_shader(GL_VERTEX_SHADER, lit_shader));
    glAttachShader(lit, make_shader(GL_FRAGMENT_SHADER, lit_fragment_shader));
    glBindAttribLocation(lit, 0, "position");
    glBindAttribLocation(lit, 1, "normal");
    glLinkProgram(lit);
    glGetProgramiv(lit, GL_LINK_STATUS, &ok);
    glUseProgram(lit);
    set_lit_uniforms(lit);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)count * stride, vertices, GL_STATIC_DRAW);
    glDisableVertexAttribArray(2);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, stride, (void *)0);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (void *)16);
    glEnable(GL_CULL_FACE);
    lit_count = count;
    /* Compiles the shaders' variants. */
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
    return ok;
}

double llvmpipe_draw_lit(void)
{
    double start = scene_clock();

    glDrawArrays(GL_TRIANGLES, 0, lit_count);
    glFinish();
    return scene_clock() - start;
}

#define TASKS   64

/* Thread ids and CPU times of up to TASKS threads of this process. */
typedef struct Tasks {
    unsigned count;
    long id[TASKS];
    double seconds[TASKS];
    double wall;
} Tasks;

static void get_tasks(Tasks *t)
{
    DIR *dir = opendir("/proc/self/task");
    struct dirent *entry;

    t->count = 0;
    while (dir && (entry = readdir(dir)) && t->count < TASKS) {
        unsigned long long ns;
        char path[64];
        FILE *f;

        t->id[t->count] = atol(entry->d_name);
        snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", t->id[t->count]);
        f = fopen(path, "r");
        if (f && fscanf(f, "%llu", &ns) == 1) {
            t->seconds[t->count++] = ns / 1e9;
        }
        if (f) {
            fclose(f);
        }
    }
    if (dir) {
        closedir(dir);
    }
}

/*
 * Returns the CPU time of the thread that has used the most CPU time between @before
 * and @after.
 */
static double busiest(const Tasks *before, const Tasks *after)
{
    double max = 0;

    for (unsigned i = 0; i < after->count; i++) {
        double worked = after->seconds[i];

        for (unsigned j = 0; j < before->count; j++) {
            worked -= before->id[j] == after->id[i] ? before->seconds[j] : 0;
        }
        max = worked > max ? worked : max;
    }
    return max;
}

static void tasks_begin(void *opaque)
{
    Tasks *t = opaque;

    get_tasks(&t[0]);
    t[0].wall = bench_now();
}

static void tasks_end(void *opaque)
{
    Tasks *t = opaque;

    t[1].wall = bench_now();
    get_tasks(&t[1]);
}

/*
 * Runs in the server process. For each byte that it reads from @ask, the server draws
 * the scene and writes the times of the draw to @answer.
 */
static void serve(const Scene *s, const char *threads, int ask, int answer)
{
    bool ok;
    char c;

    setenv("LP_NUM_THREADS", threads, 1);
    ok = llvmpipe_open();
    while (read(ask, &c, 1) == 1) {
        SceneTimes times = { 0 };

        if (ok) {
            Tasks t[2];

            draw(s, tasks_begin, tasks_end, t);
            times = (SceneTimes) { t[1].wall - t[0].wall, busiest(&t[0], &t[1]) };
        }
        if (write(answer, &times, sizeof(times)) != sizeof(times)) {
            break;
        }
    }
    _exit(0);
}

LlvmpipeServer *llvmpipe_server_start(const Scene *s, unsigned threads)
{
    LlvmpipeServer *server = malloc(sizeof(*server));
    char number[16];
    int ask[2], answer[2];

    if (!server || pipe(ask) || pipe(answer)) {
        free(server);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN);
    snprintf(number, sizeof(number), "%u", threads > 1 ? threads : 0);
    server->pid = fork();
    if (!server->pid) {
        close(ask[1]);
        close(answer[0]);
        serve(s, number, ask[0], answer[1]);
    }
    close(ask[0]);
    close(answer[1]);
    server->ask = ask[1];
    server->answer = answer[0];
    return server;
}

bool llvmpipe_server_draw(LlvmpipeServer *server, SceneTimes *times)
{
    return server && server->pid > 0 && write(server->ask, "", 1) == 1 &&
           read(server->answer, times, sizeof(*times)) == sizeof(*times) &&
           times->wall > 0 && times->cpu > 0;
}

void llvmpipe_server_stop(LlvmpipeServer *server)
{
    if (!server) {
        return;
    }
    close(server->ask);
    close(server->answer);
    if (server->pid > 0) {
        /*
         * Kill the server. Closing the pipe does not end the server if another server has
         * inherited this end of the pipe.
         */
        kill(server->pid, SIGTERM);
        waitpid(server->pid, NULL, 0);
    }
    free(server);
}

void llvmpipe_read(uint16_t *pixels)
{
    static uint8_t rgba[SCENE_HEIGHT][SCENE_WIDTH][4];

    glReadPixels(0, 0, SCENE_WIDTH, SCENE_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE,
                 rgba);
    for (unsigned y = 0; y < SCENE_HEIGHT; y++) {
        for (unsigned x = 0; x < SCENE_WIDTH; x++) {
            const uint8_t *p = rgba[SCENE_HEIGHT - 1 - y][x];

            *pixels++ = (p[0] >> 3) << 11 | (p[1] >> 2) << 5 | p[2] >> 3;
        }
    }
}

/* ---- fragment shaders -------------------------------------------------- */

/*
 * The attribute "corner" is the vertex's position on the screen, from (0, 0) at the top
 * left to (1, 1) at the bottom right.
 */
static const char program_vertex_shader[] =
    "attribute vec2 corner;\n"
    "varying vec2 texcoord;\n"
    "varying vec3 normal, position3;\n"
    "varying vec4 color;\n"
    "void main()\n"
    "{\n"
    "    gl_Position = vec4(corner * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);\n"
    "    texcoord = corner * vec2(2.5, 1.875);\n"
    "    normal = vec3(corner * 2.0 - 1.0, 1.0);\n"
    "    position3 = vec3(corner * 4.0 - 2.0, -3.0);\n"
    "    color = vec4(corner, 0.5, 1.0);\n"
    "}\n";
static const char program_declarations[] =
    "precision highp float;\n"
    "uniform sampler2D sampler;\n"
    "varying vec2 texcoord;\n"
    "varying vec3 normal, position3;\n"
    "varying vec4 color;\n";

static bool make_target32(void)
{
    GLuint fbo, texture;

    glGenFramebuffers(1, &fbo);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SCENE_WIDTH, SCENE_HEIGHT, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                           0);
    glViewport(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void make_texture32(const uint32_t *texels, unsigned side)
{
    uint8_t (*rgba)[4] = malloc(side * side * 4);
    GLuint texture;

    for (unsigned i = 0; rgba && i < side * side; i++) {
        rgba[i][0] = texels[i] >> 16;
        rgba[i][1] = texels[i] >> 8;
        rgba[i][2] = texels[i];
        rgba[i][3] = texels[i] >> 24;
    }
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 rgba);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    free(rgba);
}

bool llvmpipe_open_programs(const uint32_t *texels, unsigned side)
{
    static const float corner[8] = { 0, 0, 1, 0, 0, 1, 1, 1 };
    const char *renderer;

    setenv("LP_NUM_THREADS", "0", 0);
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("GALLIUM_DRIVER", "llvmpipe", 1);
    if (!make_context()) {
        return false;
    }
    renderer = (const char *)glGetString(GL_RENDERER);
    if (!renderer || !strstr(renderer, "llvmpipe") || !make_target32()) {
        return false;
    }
    make_texture32(texels, side);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corner);
    glDisable(GL_DITHER);
    return true;
}

bool llvmpipe_program(const char *fragment)
{
    char *source = malloc(strlen(program_declarations) + strlen(fragment) + 1);
    GLuint program = glCreateProgram();
    GLint ok;

    if (!source) {
        return false;
    }
    strcpy(source, program_declarations);
    strcat(source, fragment);
    glAttachShader(program, make_shader(GL_VERTEX_SHADER, program_vertex_shader));
    glAttachShader(program, make_shader(GL_FRAGMENT_SHADER, source));
    free(source);
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glUseProgram(program);
    /* Compiles the shader's variant. */
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glFinish();
    return ok;
}

double llvmpipe_draw_program(unsigned layers)
{
    double start;

    glFinish();
    start = scene_clock();
    for (unsigned i = 0; i < layers; i++) {
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        /*
         * Call glFinish() after each layer, so that llvmpipe draws all pixels. Without
         * the call, llvmpipe skips pixels that a later layer of the same scene hides.
         */
        glFinish();
    }
    return scene_clock() - start;
}

void llvmpipe_read32(uint32_t *pixels)
{
    static uint8_t rgba[SCENE_HEIGHT][SCENE_WIDTH][4];

    glReadPixels(0, 0, SCENE_WIDTH, SCENE_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    for (unsigned y = 0; y < SCENE_HEIGHT; y++) {
        for (unsigned x = 0; x < SCENE_WIDTH; x++) {
            const uint8_t *p = rgba[SCENE_HEIGHT - 1 - y][x];

            *pixels++ = p[0] << 16 | p[1] << 8 | p[2];
        }
    }
}

#else
bool llvmpipe_open_lit(const float *vertices, unsigned count)
{
    return false;
}

double llvmpipe_draw_lit(void)
{
    return 0;
}

bool llvmpipe_open_programs(const uint32_t *texels, unsigned side)
{
    return false;
}

bool llvmpipe_program(const char *fragment)
{
    return false;
}

double llvmpipe_draw_program(unsigned layers)
{
    return 0;
}

void llvmpipe_read32(uint32_t *pixels)
{
}

LlvmpipeServer *llvmpipe_server_start(const Scene *s, unsigned threads)
{
    return NULL;
}

bool llvmpipe_server_draw(LlvmpipeServer *server, SceneTimes *times)
{
    return false;
}

void llvmpipe_server_stop(LlvmpipeServer *server)
{
}

bool llvmpipe_open(void)
{
    return false;
}

double llvmpipe_draw(const Scene *s)
{
    return 0;
}

void llvmpipe_read(uint16_t *pixels)
{
}
#endif
