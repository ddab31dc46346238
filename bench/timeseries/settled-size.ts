import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Parts that were merged stay for a minute. */
const sameForSeconds = 75
const maxSeconds = 400

/**
 * Bytes of a folder of the series engine once nothing is merged any more. Merges of what was just written are part of what a stored
 * value costs, and would slow down whatever is measured next.
 */
export async function settledSize(folder: string): Promise<number> {
  let last = folderSize(folder)
  for (let sameFor = 0, waited = 0; sameFor < sameForSeconds && waited < maxSeconds; waited += 5) {
    await sleep(5000)
    const now = folderSize(folder)
    sameFor = Math.abs(now - last) < last / 1000 ? sameFor + 5 : 0
    last = now
  }
  return last
}

/** Bytes of all files of a folder. */
export function folderSize(folder: string): number {
  return Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
}
