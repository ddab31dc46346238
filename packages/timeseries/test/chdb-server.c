/* A ClickHouse server out of libchdb, for tests only: arguments are those of clickhouse-local. Ends with its parent. */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

void *chdb_query_cmdline(int argc, char **argv);
const char *chdb_result_error(void *result);

int main(int argc, char **argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  void *result = chdb_query_cmdline(argc, argv);
  const char *error = result ? chdb_result_error(result) : "no result";
  if (error) fprintf(stderr, "%s\n", error);
  return 1;
}
