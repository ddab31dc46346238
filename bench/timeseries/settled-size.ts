import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Merged parts remain for a minute, and are then removed periodically. */
const sameForSeconds = 150
const maxSeconds = 600
/** A merge of much data uses one processor for minutes before its file grows. */
const busyProcessors = 0.4

/**
 * Returns the bytes of a folder of the series engine after all merges have finished. Merges are part of the cost of a stored value,
 * and would slow down the next measurement.
 */
export async function settledSize(folder: string): Promise<number> {
  let last = folderSize(folder)
  let times = processorTimes()
  for (let sameFor = 0, waited = 0; sameFor < sameForSeconds; waited += 5) {
    if (waited >= maxSeconds) throw new Error(`Merges did not finish within ${maxSeconds} seconds.`)
    await sleep(5000)
    const now = folderSize(folder)
    const timesNow = processorTimes()
    const share = (timesNow.busy - times.busy) / (timesNow.all - times.all)
    const isBusy = share * cpus().length > busyProcessors
    sameFor = !isBusy && Math.abs(now - last) < last / 1000 ? sameFor + 5 : 0
    last = now
    times = timesNow
  }
  return last
}

function processorTimes(): { busy: number; all: number } {
  const processors = cpus().map(({ times }) => times)
  const idle = sum(processors.map((times) => times.idle))
  const all = sum(processors.flatMap((times) => Object.values(times)))
  return { busy: all - idle, all }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0)
}

/** Returns the bytes of all files of a folder. Files that disappear meanwhile, which `du` reports, are ignored. */
export function folderSize(folder: string): number {
  const { stdout, stderr } = spawnSync('du', ['-sb', folder], { encoding: 'utf8' })
  const [bytes = ''] = stdout.split('\t')
  if (bytes === '') throw new Error(`The size of ${folder} could not be read: ${stderr}`)
  return Number(bytes)
}
