import { readdir, readFile, readlink } from 'node:fs/promises'

const mib = 1024 * 1024
/** Maximum data that a socket with the default buffer of Linux can hold, including kernel overhead. */
const socketBytes = 320 * 1024
/** Maximum data that a pipe of the default size can hold. */
const pipeBytes = 64 * 1024
/** Each process has a few sockets and pipes, so this many of each are not counted. */
const uncounted = 32
const tables = ['unix', 'tcp', 'tcp6', 'udp', 'udp6', 'netlink']

/**
 * Returns the maximum number of descriptors per process, so that pipes stay below a low memory limit. (Linux limits the
 * pipes of a user to 64 MiB in total; each further pipe holds 8 kB.)
 */
export function openFilesOf(memoryBytes: number): number {
  return memoryBytes >= 256 * mib ? 256 : 128
}

/** Returns the maximum number of sockets of a run, so that together they use at most half of its memory. */
export function socketsOf(memoryBytes: number): number {
  return Math.min(1024, Math.max(64, Math.floor(memoryBytes / 2 / socketBytes)))
}

/** Returns an upper bound for the memory of the sockets and pipes of these processes, in bytes. */
export async function measureKernelMemory(pids: readonly number[]): Promise<number> {
  const [first] = pids
  const sockets = first === undefined ? 0 : await countSockets(first)
  const pipes = await countPipes(pids)
  return Math.max(0, sockets - uncounted) * socketBytes + Math.max(0, pipes - uncounted) * pipeBytes
}

/** Counts the sockets of the network namespace, including those in flight. */
async function countSockets(pid: number): Promise<number> {
  const texts = await Promise.all(
    tables.map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  )
  return texts.reduce((sum, text) => sum + Math.max(0, text.trimEnd().split('\n').length - 1), 0)
}

async function countPipes(pids: readonly number[]): Promise<number> {
  const names = await Promise.all(pids.map((pid) => readdir(`/proc/${pid}/fd`).catch(() => [])))
  const total = names.reduce((sum, list) => sum + list.length, 0)
  if (total <= uncounted) return 0
  const targets = await Promise.all(
    pids.flatMap((pid, i) => names[i]!.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))),
  )
  return new Set(targets.filter((target) => target.startsWith('pipe:'))).size
}
