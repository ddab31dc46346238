import type { ChildProcess } from 'node:child_process'
import type { Readable, Stream } from 'node:stream'
import { descriptors, inside, type Programs } from './bubblewrap.ts'
import type { Cgroup, Cgroups } from './cgroups.ts'
import { openRunFolder } from './run-folder.ts'
import { closed, createTerminator, feed, pipeOf, startSandbox, type Terminator } from './sandbox-process.ts'

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
  /** Parent of the run folders. Other users can traverse it. */
  folder: string
  /** Real paths of folders to hide. */
  hiddenFolders: readonly string[]
  /** Real paths of the folders in which the system installs Python packages. */
  systemPackageFolders: readonly string[]
  /** Cgroups for runs; undefined if none are delegated to this process. */
  cgroups: Cgroups | undefined
}

/** Properties of a run that must be known before its sandbox is created. */
export interface RunConfiguration {
  /** Maximum size of the temporary folder in bytes. */
  diskBytes: number
  /** Path of the server socket; undefined for none. */
  targetPath: string | undefined
  /** Folder with installed packages; undefined for none. */
  packagesFolder: string | undefined
  /** Whether packages installed on the system can be imported. */
  systemPackages: boolean
}

/** A sandbox with an interpreter that is waiting for a script. It contains no user data. */
export interface PreparedSandbox {
  /** The bubblewrap process, with standard output and standard error of the script. */
  child: ChildProcess
  /** Resolves when the process has exited and its output has been read. */
  closed: Promise<void>
  /** Pipe with the report of the launcher. */
  report: Readable
  /** Ends the sandbox. */
  terminator: Terminator
  /** Folders in which the script finds packages. */
  searchPath: readonly string[]
  /** Cgroup of the sandbox; undefined if none are delegated. */
  cgroup: Cgroup | undefined
  /** Passes the script and the request to the sandbox. Can be called only once. */
  send(script: string, request: string): Promise<void>
  /** Sets whether the sandbox keeps the event loop alive. */
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
  configuration: RunConfiguration,
  slotUserId: number | undefined,
): Promise<PreparedSandbox> {
  const { targetPath, packagesFolder, systemPackages } = configuration
  const folder = await openRunFolder(machine.folder, { targetPath, owner: slotUserId })
  const cgroup = machine.cgroups?.create()
  try {
    const child = start(machine, configuration, { folder, slotUserId, cgroup })
    // Without free file descriptors there is neither a process nor a pipe, and the error event reports the reason.
    const ended = closed(child)
    if (child.pid === undefined) await ended
    ended.catch(() => {})
    const terminator = createTerminator(child)
    const pipes = (child.stdio as readonly (Stream | null)[]).filter((pipe) => pipe !== null)
    const searchPath = [
      packagesFolder === undefined ? [] : [inside.packages],
      systemPackages ? machine.systemPackageFolders : [],
      // The last folder, so that a package with the same name takes precedence.
      [inside.modules],
    ].flat()
    return {
      child,
      closed: ended,
      report: pipeOf(child, 'report') as Readable,
      terminator,
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
          terminator.end()
          child.stdout?.resume()
          child.stderr?.resume()
          await ended
        }
        await terminator.untilGone()
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
  machine: Machine,
  { diskBytes, packagesFolder, systemPackages }: RunConfiguration,
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
  const { programs, launcher, module, hiddenFolders, systemPackageFolders } = machine
  const channels = [descriptors.report, descriptors.lifeline, descriptors.request]
  // -S excludes system packages and start-up files.
  const command = [programs.python, '-I', '-B', '-S', '-u', inside.launcher, ...channels.map(String)]
  const options = {
    diskBytes,
    scriptFolder,
    serverSocketPath: socketPath,
    hiddenFolders: systemPackages ? hiddenFolders : [...hiddenFolders, ...systemPackageFolders],
    packagesFolder,
  }
  return startSandbox(machine, options, command, { slotUserId, cgroup, launcher, module })
}
