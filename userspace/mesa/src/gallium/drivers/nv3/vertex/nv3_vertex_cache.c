/* SPDX-License-Identifier: MIT */
/*
 * Static vertex cache. Programs often repeat a vertex for each of its
 * triangles, about six times. The cache merges identical vertices, so that each
 * vertex is transformed and sent once.
 *
 * The key of a draw contains the buffers' content numbers. Every write to a
 * buffer changes its number. A buffer that is mapped for writing has no
 * content number, so draws from it are not cached.
 */
#include "util/format/u_format.h"
#include "util/hash_table.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

#include "class17/nv3_emit.h"
#include "vertex/nv3_attributes.h"
#include "vertex/nv3_program.h"
#include "vertex/nv3_vertex_cache.h"

/* Limits of the number of draws and of the memory for their meshes. */
#define MAX_MESHES 512
#define MAX_BYTES  (64u << 20)
/*
 * The minimum size of a draw. A smaller draw takes no longer than the lookup.
 * Tuned with glmark2 of `make bench-gl`.
 */
#define MIN_VERTICES      24
/* The mesh is built when the draw occurs for the third time. */
#define BUILD_AT   3

#define MAX_BYTES_OF_VERTEX 256

struct nv3_vertex_cache {
   struct hash_table *table;  /* by key */
   uint64_t bytes;
};

/*
 * The hash key of a draw. It has no padding, because keys are compared as
 * bytes.
 */
struct key_load {
   uint64_t content;
   uint32_t offset, stride;
   uint32_t format, component;
};

struct key {
   uint64_t index_content;
   uint32_t prim, first, count, index_start, index_count, index_size;
   uint32_t load_count, pad;
   struct key_load loads[NV3_MAX_LOADS];
};

static size_t
key_size(const struct key *key)
{
   return offsetof(struct key, loads) + key->load_count * sizeof(key->loads[0]);
}

static uint32_t
key_hash(const void *key)
{
   return XXH32(key, key_size(key), 0);
}

static bool
key_equal(const void *a, const void *b)
{
   size_t size = key_size(a);

   return size == key_size(b) && !memcmp(a, b, size);
}

struct nv3_vertex_cache *
nv3_vertex_cache_create(void)
{
   struct nv3_vertex_cache *cache = CALLOC_STRUCT(nv3_vertex_cache);

   if (!cache)
      return NULL;
   cache->table = _mesa_hash_table_create(NULL, key_hash, key_equal);
   if (!cache->table) {
      FREE(cache);
      return NULL;
   }
   return cache;
}

static void
mesh_free(struct nv3_mesh *mesh)
{
   align_free(mesh->loads);
   FREE(mesh->indices);
   nv3_schedule_free(&mesh->schedule);
   FREE(mesh);
}

static void
forget_all(struct nv3_vertex_cache *cache)
{
   hash_table_foreach(cache->table, entry)
      mesh_free(entry->data);
   _mesa_hash_table_clear(cache->table, NULL);
   cache->bytes = 0;
}

void
nv3_vertex_cache_destroy(struct nv3_vertex_cache *cache)
{
   if (!cache)
      return;
   forget_all(cache);
   _mesa_hash_table_destroy(cache->table, NULL);
   FREE(cache);
}

bool
nv3_vertex_cache_allows(const struct nv3_mesh_draw *draw)
{
   if (draw->count < MIN_VERTICES || (draw->indices && !draw->index_content))
      return false;
   for (unsigned i = 0; i < draw->load_count; i++) {
      const struct nv3_attribute *attr = draw->loads[i].attr;

      /* A constant attribute is fetched in every draw. */
      if (attr->stride && !attr->content)
         return false;
   }
   return true;
}

static void
make_key(const struct nv3_mesh_draw *draw, struct key *key)
{
   memset(key, 0, offsetof(struct key, loads));
   key->index_content = draw->index_content;
   key->prim = draw->prim;
   key->first = draw->first;
   key->count = draw->count;
   key->index_start = draw->index_start;
   key->index_count = draw->index_count;
   key->index_size = draw->index_size;
   key->load_count = draw->load_count;
   for (unsigned i = 0; i < draw->load_count; i++) {
      const struct nv3_attribute *attr = draw->loads[i].attr;

      key->loads[i] =
         (struct key_load){ .component = draw->loads[i].component };
      if (!attr->stride)
         continue;
      key->loads[i].content = attr->content;
      key->loads[i].offset = attr->offset;
      key->loads[i].stride = attr->stride;
      key->loads[i].format = attr->format;
   }
}

/* ---- merging of vertices ---- */

/* Copies all attributes that the draw reads of a vertex. Returns their size. */
static unsigned
vertex_bytes(const struct nv3_mesh_draw *draw, uint32_t vertex,
             uint8_t bytes[MAX_BYTES_OF_VERTEX])
{
   unsigned size = 0;

   for (unsigned i = 0; i < draw->load_count; i++) {
      const struct nv3_attribute *attr = draw->loads[i].attr;
      unsigned block = util_format_get_blocksize(attr->format);

      if (!attr->stride || (i && attr == draw->loads[i - 1].attr))
         continue;
      if (size + block > MAX_BYTES_OF_VERTEX)
         return 0;
      memcpy(bytes + size, attr->data +
             (uint64_t)(draw->first + vertex) * attr->stride, block);
      size += block;
   }
   return size;
}

/*
 * Finds the different vertices. @unique[n] is the first vertex equal to vertex
 * n of the mesh, and @same[v] is the vertex of the mesh for vertex v. Returns
 * the number of vertices in the mesh, or 0 on failure.
 */
static unsigned
find_unique(const struct nv3_mesh_draw *draw, uint32_t *unique, uint32_t *same)
{
   unsigned slots = util_next_power_of_two(draw->count * 2), count = 0;
   uint32_t *table =
      CALLOC(slots, sizeof(*table)); /* index + 1, or 0 if empty */
   uint8_t bytes[MAX_BYTES_OF_VERTEX], other[MAX_BYTES_OF_VERTEX];

   if (!table)
      return 0;
   for (uint32_t v = 0; v < draw->count; v++) {
      unsigned size = vertex_bytes(draw, v, bytes), slot;

      if (!size) {
         count = 0;
         break;
      }
      slot = XXH32(bytes, size, 0) & (slots - 1);
      while (table[slot]) {
         vertex_bytes(draw, unique[table[slot] - 1], other);
         if (!memcmp(bytes, other, size))
            break;
         slot = (slot + 1) & (slots - 1);
      }
      if (!table[slot]) {
         unique[count++] = v;
         table[slot] = count;
      }
      same[v] = table[slot] - 1;
   }
   FREE(table);
   return count;
}

/* ---- meshes ---- */

static bool
copy_loads(struct nv3_mesh *mesh, const struct nv3_mesh_draw *draw,
           const uint32_t *unique)
{
   unsigned batches = DIV_ROUND_UP(mesh->vertex_count, NV3_SOA_WIDTH);
   size_t size =
      (size_t)batches * draw->load_count * NV3_SOA_WIDTH * sizeof(float);

   mesh->loads = align_malloc(size, 64);
   if (!mesh->loads)
      return false;
   memset(mesh->loads, 0, size);
   mesh->bytes += size;
   for (unsigned v = 0; v < mesh->vertex_count; v++) {
      float *batch = mesh->loads + (size_t)(v / NV3_SOA_WIDTH) *
                                      draw->load_count * NV3_SOA_WIDTH;

      for (unsigned i = 0; i < draw->load_count; i++) {
         const struct nv3_attribute *attr = draw->loads[i].attr;
         uint64_t offset = (uint64_t)(draw->first + unique[v]) * attr->stride;

         nv3_attribute_fetch(attr, attr->data + offset,
                             draw->loads[i].component,
                             &batch[i * NV3_SOA_WIDTH + v % NV3_SOA_WIDTH], 1);
      }
   }
   return true;
}

static bool
copy_indices(struct nv3_mesh *mesh, const struct nv3_mesh_draw *draw,
             const uint32_t *same)
{
   mesh->indices = MALLOC(draw->index_count * sizeof(*mesh->indices));
   if (!mesh->indices)
      return false;
   mesh->bytes += draw->index_count * sizeof(*mesh->indices);
   for (unsigned i = 0; i < draw->index_count; i++)
      mesh->indices[i] = same[draw->indices ? draw->indices[i] : i];
   return true;
}

static bool
build(struct nv3_mesh *mesh, struct nv3_emit *emit,
      const struct nv3_mesh_draw *draw)
{
   uint32_t *unique = MALLOC(draw->count * sizeof(*unique));
   uint32_t *same = MALLOC(draw->count * sizeof(*same));
   bool ok = false;

   if (unique && same) {
      mesh->vertex_count = find_unique(draw, unique, same);
      ok = mesh->vertex_count && copy_loads(mesh, draw, unique) &&
           copy_indices(mesh, draw, same) &&
           nv3_emit_record(emit, draw->prim, mesh->indices, draw->index_count,
                           mesh->vertex_count, &mesh->schedule);
      mesh->bytes += mesh->schedule.count * sizeof(*mesh->schedule.steps);
   }
   FREE(unique);
   FREE(same);
   if (!ok)
      mesh->vertex_count = 0;
   return ok;
}

static void
remember(struct nv3_vertex_cache *cache, const struct key *key, uint32_t hash)
{
   struct nv3_mesh *mesh = CALLOC(1, sizeof(*mesh) + key_size(key));

   if (!mesh)
      return;
   if (cache->table->entries >= MAX_MESHES || cache->bytes > MAX_BYTES)
      forget_all(cache);
   memcpy(mesh->key, key, key_size(key));
   mesh->seen = 1;
   if (!_mesa_hash_table_insert_pre_hashed(cache->table, hash, mesh->key, mesh))
      mesh_free(mesh);
}

struct nv3_mesh *
nv3_vertex_cache_get(struct nv3_vertex_cache *cache, struct nv3_emit *emit,
                     const struct nv3_mesh_draw *draw)
{
   struct hash_entry *entry;
   struct nv3_mesh *mesh;
   struct key key;
   uint32_t hash;

   make_key(draw, &key);
   hash = key_hash(&key);
   entry = _mesa_hash_table_search_pre_hashed(cache->table, hash, &key);
   if (!entry) {
      remember(cache, &key, hash);
      return NULL;
   }
   mesh = entry->data;
   if (++mesh->seen == BUILD_AT) {
      build(mesh, emit, draw);
      cache->bytes += mesh->bytes;
   }
   return mesh->vertex_count ? mesh : NULL;
}
