import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Duplex, Readable, Stream, Writable } from 'node:stream'
import {
  descriptors,
  environmentOptions,
  inside,
  sandboxCommand,
  stubs,
  type Programs,
} from './bubblewrap.ts'
import type { Cgroup, Cgroups } from './cgroups.ts'
import { childrenOf, identify, isRunning, type ProcessIdentity } from './process-tree.ts'
import { openRunFolder } from './run-folder.ts'

/** Properties that all runs share. */
export interface Machine {
  /** Paths of the programs. */
  programs: Programs
  /** Source of `launcher.py`. */
  launcher: string
  /** Result of `systemCallFilter`. */
  filter: Buffer
  /** Folder for the folders of runs, which other users can traverse. */
  folder: string
  /** Real paths of folders to hide. */
  hiddenFolders: readonly string[]
  /** Real paths of the folders in which the system installs Python packages. */
  systemPackageFolders: readonly string[]
  /** Cgroups for runs; undefined if none are delegated to this process. */
  cgroups: Cgroups | undefined
}

/** Properties of a run that must be known before its sandbox is created. */
export interface RunForm {
  /** Maximum size of the temporary folder in bytes. */
  diskBytes: number
  /** Path of the server socket; undefined for none. */
  targetPath: string | undefined
  /** Folder of installed packages. */
  packagesFolder: string | undefined
  /** Whether the packages of the system can be imported. */
  systemPackages: boolean
}

/** A sandbox whose interpreter is waiting for a script. It contains no user data. */
export interface PreparedSandbox {
  /** The bubblewrap process, with standard output and standard error of the script. */
  child: ChildProcess
  /** Resolves when the process has exited and its output has been read. */
  closed: Promise<void>
  /** Report of the launcher. */
  report: Readable
  /** Ends it. */
  ender: Ender
  /** Folders in which the script finds packages. */
  searchPath: readonly string[]
  /** Cgroup of the sandbox; undefined if none are delegated. */
  cgroup: Cgroup | undefined
  /** Passes the script and its request to the sandbox, once. */
  send(script: string, request: string): Promise<void>
  /** Sets whether the event loop waits for the sandbox. */
  setWaiting(isWaiting: boolean): void
  /** Ends the sandbox if it is running, and removes its folder. */
  close(): Promise<void>
}

const endWithinMs = 30_000

/**
 * Creates a sandbox.
 * @param slotUserId user to switch to first, if the current user is root
 */
export async function prepareSandbox(
  machine: Machine,
  form: RunForm,
  slotUserId: number | undefined,
): Promise<PreparedSandbox> {
  const { targetPath, packagesFolder, systemPackages } = form
  const folder = await openRunFolder(machine.folder, { targetPath, owner: slotUserId })
  const cgroup = machine.cgroups?.create()
  try {
    const child = start(machine, form, { folder, slotUserId, cgroup })
    // If no file descriptors are left, there is no process and no pipe, and an event reports the reason.
    const ended = closed(child)
    if (child.pid === undefined) await ended
    ended.catch(() => {})
    const ender = createEnder(child)
    const pipes = (child.stdio as readonly (Stream | null)[]).filter((pipe) => pipe !== null)
    const searchPath = [
      packagesFolder === undefined ? [] : [inside.packages],
      systemPackages ? machine.systemPackageFolders : [],
    ].flat()
    return {
      child,
      closed: ended,
      report: pipeOf(child, 'report') as Readable,
      ender,
      searchPath,
      cgroup,
      async send(script, request) {
        await folder.setScript(script)
        feed(child, 'request', request)
      },
      setWaiting(isWaiting) {
        const change = isWaiting ? 'ref' : 'unref'
        child[change]()
        for (const pipe of pipes as unknown as { ref?(): void; unref?(): void }[]) pipe[change]?.()
        folder.setWaiting(isWaiting)
      },
      async close() {
        if (child.exitCode === null && child.signalCode === null) {
          ender.end()
          child.stdout?.resume()
          child.stderr?.resume()
          await ended
        }
        await ender.nothingIsLeft()
        await cgroup?.remove()
        await folder.close()
      },
    }
  } catch (error) {
    await cgroup?.remove()
    await folder.close()
    throw error
  }
}

function start(
  { programs, launcher, filter, hiddenFolders, systemPackageFolders }: Machine,
  form: RunForm,
  {
    folder: { scriptFolder, socketPath },
    slotUserId,
    cgroup,
  }: {
    folder: { scriptFolder: string; socketPath: string | undefined }
    slotUserId: number | undefined
    cgroup: Cgroup | undefined
  },
): ChildProcess {
  const { diskBytes, packagesFolder, systemPackages } = form
  const channels = [descriptors.report, descriptors.lifeLine, descriptors.request]
  // -S excludes packages and start-up files of the system.
  const launcherArguments = ['-I', '-B', '-S', '-u', inside.launcher, ...channels.map(String)]
  const sandboxForm = {
    diskBytes,
    scriptFolder,
    serverSocketPath: socketPath,
    hiddenFolders: systemPackages ? hiddenFolders : [...hiddenFolders, ...systemPackageFolders],
    packagesFolder,
  }
  const [program, ...rest] = sandboxCommand(programs, sandboxForm, launcherArguments, slotUserId)
  const child = spawn(program!, rest, {
    cwd: '/',
    env: {},
    stdio: ['ignore', ...Array.from({ length: descriptors.request }, () => 'pipe' as const)],
  })
  if (child.pid === undefined) return child
  // bubblewrap waits for the environment before it starts other processes, so that all of them are in the cgroup.
  cgroup?.add(child.pid)
  feed(child, 'environment', environmentOptions(form))
  feed(child, 'filter', filter)
  feed(child, 'launcher', launcher)
  feed(child, 'users', stubs.users)
  feed(child, 'hosts', stubs.hosts)
  return child
}

function feed(child: ChildProcess, name: keyof typeof descriptors, text: string | Buffer): void {
  const pipe = pipeOf(child, name) as Writable
  // A sandbox that ends early does not read everything. Its result explains the reason.
  pipe.on('error', () => {})
  pipe.end(text)
}

function pipeOf(child: ChildProcess, name: keyof typeof descriptors): Stream {
  const pipes: readonly (Stream | null | undefined)[] = child.stdio
  return pipes[descriptors[name]]!
}

/** Waits for the end of a process and of its output. */
async function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`The sandbox could not be started: ${error.message}`)))
    child.once('close', () => resolve())
  })
}

/** Ends the sandbox by killing its first process. The kernel then kills all others. */
export interface Ender {
  /** Called when the first process has reported its start. */
  hasStarted(): void
  end(): void
  /** Process id of the first process; undefined before it is known. */
  firstPid(): number | undefined
  /** Waits until the first process, and therefore all others, have exited. Call it after the child has exited. */
  nothingIsLeft(): Promise<void>
}

function createEnder(child: ChildProcess): Ender {
  let isEnding = false
  let first: ProcessIdentity | undefined
  let identified: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const lifeLine = pipeOf(child, 'lifeLine') as Duplex
  lifeLine.on('error', () => {}).resume()
  child.once('exit', () => lifeLine.destroy())

  async function identifyFirst(): Promise<void> {
    const [pid] = await childrenOf(child.pid!)
    if (pid !== undefined) first = await identify(pid)
    if (isEnding) kill()
  }

  function kill(): void {
    if (first) signal(first.pid)
  }

  return {
    hasStarted() {
      identified ??= identifyFirst()
    },
    end() {
      if (isEnding) return
      isEnding = true
      // Ends a first process that has not started yet. If bubblewrap was killed before that, it would wait forever.
      lifeLine.destroy()
      kill()
      timer = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    },
    firstPid: () => first?.pid,
    async nothingIsLeft() {
      clearTimeout(timer)
      await identified
      const giveUpAt = Date.now() + endWithinMs
      while (first && (await isRunning(first))) {
        if (Date.now() > giveUpAt) throw new Error('The processes of a run could not be killed.')
        kill()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited. A process that cannot be killed is reported while waiting for its end.
  }
}
