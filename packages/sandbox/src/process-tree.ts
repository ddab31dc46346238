import { readdir, readFile, statfs } from 'node:fs/promises'

/** What a run uses at this moment, over all of its processes. */
export interface Usage {
  /** Of all processes there are and were. */
  cpuSeconds: number
  /** Private memory, that which processes share counted once, and what the files cost beside their content. */
  memoryBytes: number
}

/** One process for good: numbers are used again, start times are not. */
export interface ProcessIdentity {
  pid: number
  startTime: string
}

const ticksPerSecond = 100
const bytesOfFile = 1024
const stateOfDead = 'Z'

/** Undefined when there is no such process. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const stat = await readStat(pid)
  return stat && { pid, startTime: stat.startTime }
}

/** Whether a process still runs; a zombie has nothing left but its name. */
export async function isRunning({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  const stat = await readStat(pid)
  return stat !== undefined && stat.startTime === startTime && stat.state !== stateOfDead
}

/**
 * What the processes below `root` use. Every process of the sandbox stands below its first one, also one whose parent is gone.
 * @param memoryLimitBytes memory is only looked at closely when it may be more
 * @param temporaryFolder its path in the sandbox; the number of its files counts
 */
export async function measureTree(
  root: number,
  memoryLimitBytes: number,
  temporaryFolder: string,
): Promise<Usage> {
  const pids = await listTree(root)
  const stats = await Promise.all(pids.map(readStat))
  const ticks = stats.reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0)
  const files = await countFiles(pids, temporaryFolder)
  const roughly = sum(await Promise.all(pids.map((pid) => readBytes(pid, 'status', /^RssAnon:\s*(\d+) kB/m))))
  const exactly =
    roughly + files * bytesOfFile <= memoryLimitBytes
      ? roughly
      : sum(await Promise.all(pids.map(readPrivateShare)))
  return { cpuSeconds: ticks / ticksPerSecond, memoryBytes: exactly + files * bytesOfFile }
}

async function listTree(root: number): Promise<number[]> {
  const found: number[] = []
  let generation = [root]
  while (generation.length > 0) {
    found.push(...generation)
    generation = (await Promise.all(generation.map(childrenOf))).flat()
  }
  return found
}

/** Numbers of the children of a process; none when it is gone. */
export async function childrenOf(pid: number): Promise<number[]> {
  // Each is listed with the thread that made it.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const texts = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)))
  return texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number))
}

async function readStat(
  pid: number,
): Promise<{ state: string; startTime: string; ticks: number } | undefined> {
  const text = await read(`/proc/${pid}/stat`)
  // The name of the program stands in brackets and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 20) return undefined
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { state: fields[0]!, startTime: fields[19]!, ticks }
}

/** Private memory as its share of each page; where that may not be read, as if nothing were shared. */
async function readPrivateShare(pid: number): Promise<number> {
  const share = await readBytes(pid, 'smaps_rollup', /^Pss_Anon:\s*(\d+) kB/m)
  return share || readBytes(pid, 'status', /^RssAnon:\s*(\d+) kB/m)
}

async function readBytes(pid: number, file: string, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await read(`/proc/${pid}/${file}`))?.[1] ?? 0) * 1024
}

/** Files in the temporary folder, seen through the first process that lets its folders be looked into. */
async function countFiles(pids: readonly number[], folder: string): Promise<number> {
  for (const pid of pids) {
    const found = await statfs(`/proc/${pid}/root${folder}`).catch(() => undefined)
    if (found) return found.files - found.ffree
  }
  return 0
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
