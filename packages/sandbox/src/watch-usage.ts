import { inside } from './bubblewrap.ts'
import { measureTree, type Usage } from './process-tree.ts'
import type { Terminator } from './sandbox-process.ts'

const watchEveryMs = 200

/**
 * Repeatedly measures all processes of a run together, because kernel limits apply to each process separately. Measurements
 * never overlap.
 * @param memoryLimitBytes memory is measured exactly only near this limit
 * @param check called with each measurement
 * @returns a function that ends the measurements
 */
export function watchUsage(
  terminator: Terminator,
  memoryLimitBytes: number,
  check: (usage: Usage) => void | Promise<void>,
): () => void {
  let isMeasuring = false
  const timer = setInterval(() => {
    const pid = terminator.firstPid()
    if (isMeasuring || pid === undefined) return
    isMeasuring = true
    void measureTree(pid, memoryLimitBytes, inside.temporary)
      .then(check)
      .finally(() => {
        isMeasuring = false
      })
  }, watchEveryMs)
  return () => clearInterval(timer)
}
