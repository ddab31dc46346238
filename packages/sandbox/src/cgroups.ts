import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { randomUUID } from 'node:crypto'

/** Cgroups (version 2) for runs. They limit all memory of the processes, including the memory of sockets and pipes. */
export interface Cgroups {
  /** Creates the cgroup of a run. */
  create(): Cgroup
}

/** The cgroup of one run. */
export interface Cgroup {
  /** Adds a process; processes that it starts later also belong to the cgroup. */
  add(pid: number): void
  /** Sets the maximum memory in bytes. */
  setMemoryLimit(bytes: number): void
  /** Returns whether the kernel killed the run because it exceeded its memory. */
  ranOutOfMemory(): Promise<boolean>
  /** Removes the cgroup after its processes have exited. */
  remove(): Promise<void>
}

/** Memory for the interpreter and for files in the temporary folder, in addition to the limit of the run. */
const baseBytes = 64 * 1024 * 1024
const mountPoints = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']

/**
 * Returns cgroups if this process can limit the memory of child cgroups: its own cgroup must be writable and have the memory
 * controller. Returns undefined otherwise. If this process is alone in its cgroup, it first moves itself to a child cgroup,
 * as Linux requires.
 * @param folders folders to try. Default: the cgroup of this process
 */
export function findCgroups(folders: readonly string[] = ownFolders()): Cgroups | undefined {
  const folder = folders.find(canControlMemory)
  return folder === undefined
    ? undefined
    : { create: () => createCgroup(join(folder, `run-${randomUUID()}`)) }
}

function ownFolders(): string[] {
  const own = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup'))?.[1]
  return own === undefined ? [] : mountPoints.map((mount) => join(mount, own))
}

function canControlMemory(folder: string): boolean {
  if (!namesIn(join(folder, 'cgroup.controllers')).includes('memory')) return false
  const control = join(folder, 'cgroup.subtree_control')
  try {
    if (!namesIn(control).includes('memory')) {
      const members = namesIn(join(folder, 'cgroup.procs'))
      if (members.some((pid) => pid !== String(process.pid))) return false
      mkdirSync(join(folder, 'server'), { recursive: true })
      writeFileSync(join(folder, 'server', 'cgroup.procs'), String(process.pid))
      writeFileSync(control, '+memory')
    }
    const trial = createCgroup(join(folder, `run-${randomUUID()}`))
    trial.setMemoryLimit(baseBytes)
    void trial.remove()
    return true
  } catch {
    return false
  }
}

function createCgroup(path: string): Cgroup {
  mkdirSync(path)
  const write = (name: string, value: string) => writeFileSync(join(path, name), value)
  // Makes the kernel kill all processes of the run instead of only one.
  write('memory.oom.group', '1')
  return {
    add: (pid) => write('cgroup.procs', String(pid)),
    setMemoryLimit(bytes) {
      write('memory.max', String(bytes + baseBytes))
      try {
        write('memory.swap.max', '0')
      } catch {
        // Fails if the machine has no swap.
      }
    },
    async ranOutOfMemory() {
      const events = await readFile(join(path, 'memory.events'), 'utf8').catch(() => '')
      return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0) > 0
    },
    async remove() {
      // Processes leave the cgroup shortly after their parents have been notified of their exit.
      for (let tries = 0; tries < 100; tries++) {
        const error = await rmdir(path).catch((reason: NodeJS.ErrnoException) => reason)
        if (error?.code !== 'EBUSY') return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

function namesIn(path: string): string[] {
  return readText(path).split(/\s+/).filter(Boolean)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
