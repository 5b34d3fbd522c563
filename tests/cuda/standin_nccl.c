// A stand-in for NCCL with one rank, for GPUs that are the CPU: every collective is a copy. It checks what it is given.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char internal[128]; } ncclUniqueId;
typedef struct { int ranks, rank; } *ncclComm_t;
enum { SUCCESS = 0, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, MOST = 64 };

static const size_t SIZES[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
static struct { const void *from; void *to; size_t bytes; int type; } sends[MOST], receives[MOST];
static int depth, sent, received;

int ncclGetVersion(int *version) { *version = 22304; return SUCCESS; }
const char *ncclGetErrorString(int status) { return status == INVALID_ARGUMENT ? "invalid argument" : "invalid usage"; }

int ncclGetUniqueId(ncclUniqueId *id) {
    for (int i = 0; i < 128; i++) id->internal[i] = (char)(i * 7 + 1);
    return SUCCESS;
}

int ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
    for (int i = 0; i < 128; i++) if (id.internal[i] != (char)(i * 7 + 1)) return INVALID_ARGUMENT;
    if (ranks != 1 || rank != 0) return INVALID_USAGE;
    *comm = malloc(sizeof(**comm));
    (*comm)->ranks = ranks, (*comm)->rank = rank;
    return SUCCESS;
}

int ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
    ncclUniqueId id;
    ncclGetUniqueId(&id);
    return count == 1 && devices[0] == 0 ? ncclCommInitRank(comms, 1, id, 0) : INVALID_ARGUMENT;
}

int ncclCommDestroy(ncclComm_t comm) { free(comm); return SUCCESS; }
int ncclCommAbort(ncclComm_t comm) { free(comm); return SUCCESS; }
int ncclCommGetAsyncError(ncclComm_t comm, int *error) { *error = comm->rank; return SUCCESS; }
int ncclCommCuDevice(ncclComm_t comm, int *device) { *device = comm->rank; return SUCCESS; }
int ncclCommUserRank(ncclComm_t comm, int *rank) { *rank = comm->rank; return SUCCESS; }
int ncclCommCount(ncclComm_t comm, int *count) { *count = comm->ranks; return SUCCESS; }

static int moved(const void *from, void *to, size_t count, int type, ncclComm_t comm) {
    if (type < 0 || type > 9 || !comm || comm->ranks != 1) return INVALID_ARGUMENT;
    if (count && (!from || !to)) return INVALID_ARGUMENT;
    memmove(to, from, count * SIZES[type]);
    return SUCCESS;
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, ncclComm_t comm, void *stream) {
    return op < 0 || op > 3 ? INVALID_ARGUMENT : moved(from, to, count, type, comm);
}
int ncclReduce(const void *from, void *to, size_t count, int type, int op, int root, ncclComm_t comm, void *stream) {
    return op < 0 || op > 3 || root ? INVALID_ARGUMENT : moved(from, to, count, type, comm);
}
int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, ncclComm_t comm, void *stream) {
    return root ? INVALID_ARGUMENT : moved(from, to, count, type, comm);
}
int ncclReduceScatter(const void *from, void *to, size_t count, int type, int op, ncclComm_t comm, void *stream) {
    return op < 0 || op > 3 ? INVALID_ARGUMENT : moved(from, to, count, type, comm);
}
int ncclAllGather(const void *from, void *to, size_t count, int type, ncclComm_t comm, void *stream) {
    return moved(from, to, count, type, comm);
}

int ncclGroupStart(void) { depth++; return SUCCESS; }

int ncclGroupEnd(void) {
    if (--depth) return depth < 0 ? INVALID_USAGE : SUCCESS;
    int status = sent == received ? SUCCESS : INVALID_USAGE;
    for (int i = 0; i < sent && i < received; i++) {
        if (sends[i].bytes != receives[i].bytes || sends[i].type != receives[i].type) status = INVALID_ARGUMENT;
        else memmove(receives[i].to, sends[i].from, sends[i].bytes);
    }
    sent = received = 0;
    return status;
}

int ncclSend(const void *from, size_t count, int type, int peer, ncclComm_t comm, void *stream) {
    if (!depth || peer || sent == MOST || !comm || type < 0 || type > 9) return INVALID_USAGE;
    sends[sent].from = from, sends[sent].bytes = count * SIZES[type], sends[sent++].type = type;
    return SUCCESS;
}

int ncclRecv(void *to, size_t count, int type, int peer, ncclComm_t comm, void *stream) {
    if (!depth || peer || received == MOST || !comm || type < 0 || type > 9) return INVALID_USAGE;
    receives[received].to = to, receives[received].bytes = count * SIZES[type], receives[received++].type = type;
    return SUCCESS;
}
