import { readdir, readFile, statfs } from 'node:fs/promises'
import { measureKernelMemory } from './kernel-memory.ts'

/** Current resource usage of a run, summed over all of its processes. */
export interface Usage {
  /** CPU time of all current and ended processes. */
  cpuSeconds: number
  /**
   * Memory in bytes: private memory (a shared page counts once), the overhead of files, and the capacity of sockets and
   * pipes.
   */
  memoryBytes: number
}

/** Unique identity of a process. The start time is part of it, because Linux reuses process ids. */
export interface ProcessIdentity {
  /** Process id. */
  pid: number
  /** Start time in clock ticks since boot. */
  startTime: string
}

const ticksPerSecond = 100
const bytesOfFile = 1024
const zombieState = 'Z'

/** Returns the identity of a process; undefined if no process has this id. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const stat = await readStat(pid)
  return stat && { pid, startTime: stat.startTime }
}

/** Returns whether a process is still running. A zombie does not count as running. */
export async function isRunning({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  const stat = await readStat(pid)
  return stat !== undefined && stat.startTime === startTime && stat.state !== zombieState
}

/**
 * Measures the descendants of `root`. Every process of the sandbox is a descendant of its first process, even after its own
 * parent has exited.
 * @param memoryLimitBytes memory is measured exactly only near this limit
 * @param temporaryFolder path, in the sandbox, of the folder with the files to count
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
  const kernelBytes = await measureKernelMemory(pids)
  const others = files * bytesOfFile + kernelBytes
  const roughly = sum(await Promise.all(pids.map((pid) => readBytes(pid, 'status', /^RssAnon:\s*(\d+) kB/m))))
  const exactly =
    roughly + others <= memoryLimitBytes ? roughly : sum(await Promise.all(pids.map(readPrivateShare)))
  return { cpuSeconds: ticks / ticksPerSecond, memoryBytes: exactly + others }
}

async function listTree(root: number): Promise<number[]> {
  const descendants: number[] = []
  let generation = [root]
  while (generation.length > 0) {
    descendants.push(...generation)
    generation = (await Promise.all(generation.map(childrenOf))).flat()
  }
  return descendants
}

/** Returns the ids of the children of a process; empty if it has exited. */
export async function childrenOf(pid: number): Promise<number[]> {
  // Linux lists each child under the thread that created it.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const texts = await Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`)))
  return texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number))
}

async function readStat(
  pid: number,
): Promise<{ state: string; startTime: string; ticks: number } | undefined> {
  const text = await read(`/proc/${pid}/stat`)
  // The program name is in parentheses and may contain any characters.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 20) return undefined
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { state: fields[0]!, startTime: fields[19]!, ticks }
}

/** Returns the proportional set size (PSS) of a process. If the PSS is not readable, all pages count as private. */
async function readPrivateShare(pid: number): Promise<number> {
  const share = await readBytes(pid, 'smaps_rollup', /^Pss_Anon:\s*(\d+) kB/m)
  return share || readBytes(pid, 'status', /^RssAnon:\s*(\d+) kB/m)
}

async function readBytes(pid: number, file: string, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await read(`/proc/${pid}/${file}`))?.[1] ?? 0) * 1024
}

/** Counts the files in the temporary folder, which is accessible through the root folder of a process. */
async function countFiles(pids: readonly number[], folder: string): Promise<number> {
  for (const pid of pids) {
    const stats = await statfs(`/proc/${pid}/root${folder}`).catch(() => undefined)
    if (stats) return stats.files - stats.ffree
  }
  return 0
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0)
}
