/** Starts a small shell that outlives this process and runs `cleanUp` when this process is killed before `release`. */
export function startGuard(
  cleanUp: string,
  words: string[],
): { send: (line: string) => void; release: () => void }
