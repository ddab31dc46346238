import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Stream } from 'node:stream'
import {
  descriptors,
  environmentOptions,
  inside,
  lastDescriptor,
  sandboxCommand,
  stubs,
  type Programs,
} from './bubblewrap.ts'
import type { Cgroup, Cgroups } from './cgroups.ts'
import { openRunFolder } from './run-folder.ts'
import { closed, createEnder, feed, pipeOf, type Ender } from './sandbox-process.ts'

/** Properties that all runs share. */
export interface Machine {
  /** Paths of the programs. */
  programs: Programs
  /** Compiled `launcher.py`. */
  launcher: Buffer
  /** Source of `headwater.py`. */
  module: string
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
      // The last folder, so that a package with the same name has precedence.
      [inside.modules],
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
  { programs, launcher, module, filter, hiddenFolders, systemPackageFolders }: Machine,
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
  const command = [programs.python, '-I', '-B', '-S', '-u', inside.launcher, ...channels.map(String)]
  const sandboxForm = {
    diskBytes,
    scriptFolder,
    serverSocketPath: socketPath,
    hiddenFolders: systemPackages ? hiddenFolders : [...hiddenFolders, ...systemPackageFolders],
    packagesFolder,
  }
  const [program, ...rest] = sandboxCommand(programs, sandboxForm, command, slotUserId)
  const child = spawn(program!, rest, {
    cwd: '/',
    env: {},
    stdio: ['ignore', ...Array.from({ length: lastDescriptor }, () => 'pipe' as const)],
  })
  if (child.pid === undefined) return child
  // bubblewrap waits for the environment before it starts other processes, so that all of them are in the cgroup.
  cgroup?.add(child.pid)
  feed(child, 'environment', environmentOptions(form))
  feed(child, 'filter', filter)
  feed(child, 'launcher', launcher)
  feed(child, 'module', module)
  feed(child, 'users', stubs.users)
  feed(child, 'hosts', stubs.hosts)
  return child
}
