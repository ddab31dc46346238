import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Parts that were merged stay for a minute, and are then looked for now and then only. */
const sameForSeconds = 150
const maxSeconds = 600
/** A merge of much data keeps one processor busy for minutes before its file grows. */
const busyProcessors = 0.4

/**
 * Bytes of a folder of the series engine once nothing is merged any more. Merges of what was just written are part of what a stored
 * value costs, and would slow down whatever is measured next.
 */
export async function settledSize(folder: string): Promise<number> {
  let last = folderSize(folder)
  let times = processorTimes()
  for (let sameFor = 0, waited = 0; sameFor < sameForSeconds; waited += 5) {
    if (waited >= maxSeconds) throw new Error(`The machine was not at rest within ${maxSeconds} seconds.`)
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

/** Bytes of all files of a folder. Those that go while it is read are left out, of which `du` complains. */
export function folderSize(folder: string): number {
  const { stdout, stderr } = spawnSync('du', ['-sb', folder], { encoding: 'utf8' })
  const [bytes = ''] = stdout.split('\t')
  if (bytes === '') throw new Error(`The size of ${folder} could not be read: ${stderr}`)
  return Number(bytes)
}
