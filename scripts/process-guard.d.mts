/** Starts a small shell that outlives this process and runs `cleanUp` when this process is killed before `release`. */
export function startGuard(
  cleanUp: string,
  args: string[],
): { send: (line: string) => void; release: () => void }
