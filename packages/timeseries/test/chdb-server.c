/* A ClickHouse server out of libchdb, for tests only: arguments are those of clickhouse-local. Ends with its parent. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>

void *chdb_query_cmdline(int argc, char **argv);
const char *chdb_result_error(void *result);

/*
 * In a ClickHouse server a connection that another server of the cluster resets is one that has ended. In libchdb it ends the process, so
 * it is made to look like an end.
 */
ssize_t recv(int socket, void *buffer, size_t length, int flags) {
  static ssize_t (*next)(int, void *, size_t, int);
  if (!next) next = (ssize_t (*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");
  ssize_t received = next(socket, buffer, length, flags);
  return received < 0 && errno == ECONNRESET ? 0 : received;
}

int main(int argc, char **argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  void *result = chdb_query_cmdline(argc, argv);
  const char *error = result ? chdb_result_error(result) : "no result";
  if (error) fprintf(stderr, "%s\n", error);
  return 1;
}
