// Preloaded into a process, makes one libc call on files below a directory fail as the operating
// system may let it fail. FAILING_CALLS_BELOW is the directory, FAILING_CALLS_CONTROL a file of
// `struct control`, which the process itself writes to.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct control {
  uint32_t is_on;
  uint32_t fail_at; // The number of the call that fails, from 1 on.
  uint32_t kind;    // The way in which it fails, modulo the ways of that call.
  uint32_t calls;   // Calls so far.
  uint32_t failed;  // Faults so far.
  char fault[44];   // The last fault, in words.
};

enum effect { BEFORE, AFTER, HALF, SHORT };
struct fault { int code; const char *name; enum effect effect; };
#define F(code, effect) { code, #code " " #effect, effect }

static const struct fault OPEN_WRITE[] = { F(EIO, BEFORE), F(ENOSPC, BEFORE), F(EDQUOT, BEFORE), F(EACCES, BEFORE), F(EMFILE, BEFORE), F(EINTR, BEFORE), F(EBUSY, BEFORE) };
static const struct fault OPEN_READ[] = { F(EIO, BEFORE), F(EACCES, BEFORE), F(EMFILE, BEFORE), F(EINTR, BEFORE) };
static const struct fault WRITE[] = { F(EIO, BEFORE), F(ENOSPC, BEFORE), F(EDQUOT, BEFORE), F(EINTR, BEFORE), F(0, SHORT), F(ENOSPC, HALF), F(EIO, AFTER) };
static const struct fault READ[] = { F(EIO, BEFORE), F(EINTR, BEFORE), F(0, SHORT) };
static const struct fault SYNC[] = { F(EIO, BEFORE), F(ENOSPC, BEFORE), F(EDQUOT, BEFORE), F(EINTR, BEFORE), F(EIO, AFTER) };
static const struct fault TRUNCATE[] = { F(EIO, BEFORE), F(EACCES, BEFORE), F(EINTR, BEFORE), F(EIO, AFTER) };
static const struct fault RENAME[] = { F(EIO, BEFORE), F(ENOSPC, BEFORE), F(EDQUOT, BEFORE), F(EACCES, BEFORE), F(EINTR, BEFORE), F(EBUSY, BEFORE), F(EIO, AFTER) };
static const struct fault REMOVE[] = { F(EIO, BEFORE), F(EACCES, BEFORE), F(EINTR, BEFORE), F(EBUSY, BEFORE), F(EIO, AFTER) };
static const struct fault MKDIR[] = { F(EIO, BEFORE), F(ENOSPC, BEFORE), F(EDQUOT, BEFORE), F(EACCES, BEFORE), F(EINTR, BEFORE), F(EIO, AFTER) };
static const struct fault LIST[] = { F(EIO, BEFORE), F(EACCES, BEFORE), F(EMFILE, BEFORE), F(EINTR, BEFORE) };
static const struct fault CLOSE[] = { F(EIO, AFTER), F(ENOSPC, AFTER), F(EDQUOT, AFTER), F(EINTR, AFTER) };

#define MAX_FILES 65536
static unsigned char is_below_file[MAX_FILES];
static volatile struct control *control;
static const char *below;
static size_t below_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  below = getenv("FAILING_CALLS_BELOW");
  const char *path = getenv("FAILING_CALLS_CONTROL");
  if (!below || !path) return;
  below_length = strlen(below);
  int file = REAL(open64)(path, O_RDWR);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  REAL(close)(file);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_below(const char *path) { return below && strncmp(path, below, below_length) == 0; }
static int is_tracked(int file) { return file >= 0 && file < MAX_FILES && is_below_file[file]; }

// The fault of this call, or NULL.
static const struct fault *fault_of(const char *call, const struct fault *faults, size_t count) {
  if (!control || !control->is_on) return NULL;
  const struct fault *found = NULL;
  pthread_mutex_lock(&lock);
  if (++control->calls == control->fail_at) {
    found = &faults[control->kind % count];
    control->failed++;
    char *into = (char *)control->fault;
    into[0] = 0;
    strncat(into, call, 20);
    strcat(into, " ");
    strncat(into, found->name, 20);
  }
  pthread_mutex_unlock(&lock);
  return found;
}
#define FAULT(call, faults) fault_of(call, faults, sizeof faults / sizeof *faults)

// Calls that return 0: the real one runs unless the fault comes before it.
#define RETURN_FAULTY(chosen, real)                    \
  do {                                                 \
    const struct fault *failing = (chosen);            \
    if (!failing) return (real);                       \
    if (failing->effect != BEFORE) (void)(real);       \
    errno = failing->code;                             \
    return -1;                                         \
  } while (0)

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  int counts = is_below(path);
  if (counts) {
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);
    const struct fault *fault = writes ? FAULT("open for writing", OPEN_WRITE) : FAULT("open", OPEN_READ);
    if (fault) {
      errno = fault->code;
      return -1;
    }
  }
  int file = REAL(open64)(path, flags, mode);
  if (file >= 0 && file < MAX_FILES) is_below_file[file] = counts;
  return file;
}

static ssize_t write_part(int file, const void *bytes, size_t count, off64_t offset, int has_offset) {
  return has_offset ? REAL(pwrite64)(file, bytes, count, offset) : REAL(write)(file, bytes, count);
}

static ssize_t faulty_write(int file, const void *bytes, size_t count, off64_t offset, int has_offset) {
  const struct fault *fault = is_tracked(file) ? FAULT(has_offset ? "pwrite64" : "write", WRITE) : NULL;
  if (!fault) return write_part(file, bytes, count, offset, has_offset);
  if (fault->effect == SHORT) return write_part(file, bytes, count > 1 ? count / 2 : count, offset, has_offset);
  if (fault->effect == HALF) (void)write_part(file, bytes, count / 2, offset, has_offset);
  if (fault->effect == AFTER) (void)write_part(file, bytes, count, offset, has_offset);
  errno = fault->code;
  return -1;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) { return faulty_write(file, bytes, count, offset, 1); }
ssize_t write(int file, const void *bytes, size_t count) { return faulty_write(file, bytes, count, 0, 0); }

ssize_t pread64(int file, void *into, size_t count, off64_t offset) {
  const struct fault *fault = is_tracked(file) ? FAULT("pread64", READ) : NULL;
  if (!fault) return REAL(pread64)(file, into, count, offset);
  if (fault->effect == SHORT) return REAL(pread64)(file, into, count > 1 ? count / 2 : count, offset);
  errno = fault->code;
  return -1;
}

int fdatasync(int file) { RETURN_FAULTY(is_tracked(file) ? FAULT("fdatasync", SYNC) : NULL, REAL(fdatasync)(file)); }
int fsync(int file) { RETURN_FAULTY(is_tracked(file) ? FAULT("fsync", SYNC) : NULL, REAL(fsync)(file)); }
int ftruncate64(int file, off64_t length) { RETURN_FAULTY(is_tracked(file) ? FAULT("ftruncate64", TRUNCATE) : NULL, REAL(ftruncate64)(file, length)); }
int rename(const char *from, const char *to) { RETURN_FAULTY(is_below(from) ? FAULT("rename", RENAME) : NULL, REAL(rename)(from, to)); }
int unlink(const char *path) { RETURN_FAULTY(is_below(path) ? FAULT("unlink", REMOVE) : NULL, REAL(unlink)(path)); }
int rmdir(const char *path) { RETURN_FAULTY(is_below(path) ? FAULT("rmdir", REMOVE) : NULL, REAL(rmdir)(path)); }
int mkdir(const char *path, mode_t mode) { RETURN_FAULTY(is_below(path) ? FAULT("mkdir", MKDIR) : NULL, REAL(mkdir)(path, mode)); }

int scandir64(const char *path, struct dirent64 ***names, int (*filter)(const struct dirent64 *), int (*compare)(const struct dirent64 **, const struct dirent64 **)) {
  RETURN_FAULTY(is_below(path) ? FAULT("scandir64", LIST) : NULL, REAL(scandir64)(path, names, filter, compare));
}

int close(int file) {
  int counts = is_tracked(file);
  if (counts) is_below_file[file] = 0;
  RETURN_FAULTY(counts ? FAULT("close", CLOSE) : NULL, REAL(close)(file));
}
