import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { execFile as execFileWithCallback } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { promisify } from 'node:util'
import { inside, type Programs } from './bubblewrap.ts'
import { findCgroups } from './cgroups.ts'
import { runProgramIn, type ProgramOutcome, type ProgramRun } from './program-run.ts'
import { checkRun, type PythonRun, type RunOutcome } from './python-run.ts'
import type { Machine, RunConfiguration } from './prepared-sandbox.ts'
import { runInSandbox } from './run.ts'
import { NotStartedError } from './sandbox-process.ts'
import { createSandboxPool, type RentedSandbox } from './sandbox-pool.ts'
import { systemCallFilter } from './system-calls.ts'

/** Runs user code within limits. Each run has its own sandbox. */
export interface Sandbox {
  /**
   * Runs a Python script to its end. Rejects only if the sandbox fails, the run is invalid or `onOutput` throws, but never
   * because of the script. When it resolves, all processes of the run have exited.
   */
  runPython(run: PythonRun): Promise<RunOutcome>
  /**
   * Runs a program of this project that processes user content. Yields its result after the program has exited. When the
   * generator ends, all processes of the run have exited.
   * @throws NotStartedError if the program cannot run here, with instructions for users
   */
  runProgram(run: ProgramRun): AsyncGenerator<Uint8Array, ProgramOutcome>
}

/** A sandbox, or the reason why it is unavailable with instructions for users. */
export type SandboxAvailability = { available: true; sandbox: Sandbox } | { available: false; reason: string }

/** Options of a sandbox. The defaults suit normal installations. */
export interface SandboxOptions {
  /** Parent of the run folders. Other users must be able to traverse it. Default: the system's folder for temporary files. */
  folder?: string
  /** Folders to search for bubblewrap and setpriv. Default: /usr/bin, /bin, /usr/local/bin, /usr/sbin. */
  programFolders?: readonly string[]
  /** Folders to hide even inside a system folder, such as the data folder of a server. Default: none. */
  hiddenFolders?: readonly string[]
  /** Python binary that every user can read. Default: the first of /usr/bin/python3 and /usr/local/bin/python3. */
  python?: string
  /**
   * Number of spare sandboxes with a started interpreter, for each configuration that is used repeatedly. 0: interpreters
   * start on demand. Default 2.
   */
  spares?: number
}

const execFile = promisify(execFileWithCallback)
const programFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin']
const pythons = ['/usr/bin/python3', '/usr/local/bin/python3']
const unavailable = 'User code cannot run here'

/**
 * Checks with a test run whether code can run on this machine. If not, returns the reason with instructions for users.
 * The result is valid until programs are installed or removed.
 */
export async function findSandbox(options: SandboxOptions = {}): Promise<SandboxAvailability> {
  const programs = findPrograms(options)
  if (typeof programs === 'string') return { available: false, reason: `${unavailable}: ${programs}` }
  const filter = systemCallFilter()
  if (!filter)
    return { available: false, reason: `${unavailable}: the processor ${process.arch} is not supported.` }
  const source = await readFile(new URL('./launcher.py', import.meta.url), 'utf8')
  const module = await readFile(new URL('./headwater.py', import.meta.url), 'utf8')
  const folder = options.folder ?? tmpdir()
  const hiddenFolders = realFolders(options.hiddenFolders ?? [])
  const { packageFolders, launcher } = await preparePython(programs.python, source)
  const systemPackageFolders = realFolders(packageFolders)
  const machine = { programs, launcher, module, filter, folder, hiddenFolders, systemPackageFolders }
  const cgroups = findCgroups()
  const { runOnce, ...sandbox } = createSandbox({ ...machine, cgroups }, options.spares ?? 2)
  try {
    const { end, exitCode, stderrTail } = await runOnce(firstRun)
    if (end === 'exited' && exitCode === 0) return { available: true, sandbox }
    throw new Error(`Python ended with ${exitCode ?? end}. ${stderrTail}`)
  } catch (error) {
    return { available: false, reason: `${unavailable}. ${explain((error as Error).message, folder)}` }
  }
}

function createSandbox(
  machine: Machine,
  spares: number,
): Sandbox & { runOnce: (run: PythonRun) => Promise<RunOutcome> } {
  const pool = createSandboxPool(machine, { isRoot: process.getuid?.() === 0, spares })

  async function runIn(rented: RentedSandbox, run: PythonRun): Promise<RunOutcome> {
    try {
      return await runInSandbox(run, rented.sandbox)
    } finally {
      // All processes have exited, so the result does not wait for the removal of the folder. If it fails, the folder is
      // removed when this process ends.
      rented.close().catch(() => {})
    }
  }

  return {
    runOnce: async (run) => runIn(await pool.create(configurationOf(run)), run),
    async *runProgram(run) {
      try {
        return yield* pool.withSlot((slot) => runProgramIn(machine, run, slot))
      } catch (error) {
        if (!(error instanceof NotStartedError)) throw error
        throw new NotStartedError(`${unavailable}. ${explain(error.message, machine.folder)}`, {
          cause: error,
        })
      }
    },
    async runPython(run) {
      checkRun(run)
      if (run.signal.aborted) return { end: 'aborted', exitCode: null, stderrTail: '' }
      const configuration = configurationOf(run)
      const rented = await pool.rent(configuration)
      try {
        return await runIn(rented, run)
      } catch (error) {
        // The script has not started, so a retry does not repeat anything.
        if (rented.isSpare && error instanceof NotStartedError)
          return runIn(await pool.create(configuration), run)
        throw error
      }
    },
  }
}

function configurationOf({
  limits: { diskBytes },
  server,
  packagesFolder,
  systemPackages = false,
}: PythonRun): RunConfiguration {
  return { diskBytes, targetPath: server?.socketPath, packagesFolder, systemPackages }
}

/** Returns the programs, or a message that names a missing program and how to install it. */
function findPrograms(options: SandboxOptions): Programs | string {
  if (process.platform !== 'linux')
    return 'Linux is required. On another system, run Headwater in a Linux container or virtual machine.'
  const folders = options.programFolders ?? programFolders
  const find = (name: string) => folders.map((folder) => `${folder}/${name}`).find(isProgram)
  const bubblewrap = find('bwrap')
  if (!bubblewrap) return 'bubblewrap is not installed. Install the package bubblewrap and start again.'
  const setpriv = find('setpriv')
  if (process.getuid?.() === 0 && !setpriv)
    return 'setpriv is not installed. Install the package util-linux and start again.'
  const python = (options.python ? [options.python] : pythons).find(isProgram)
  if (!python) {
    return `there is no Python 3 at ${options.python ?? pythons.join(' or ')}. Install the package python3 and start again.`
  }
  return { bubblewrap, python, setpriv }
}

/**
 * Prints the folders of system packages, and the compiled code of the source in the second argument. The first argument is
 * its path.
 */
const preparation = `
import base64, importlib.util, json, marshal, site, sys
code = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(sys.argv[2], sys.argv[1], "exec"))
print(json.dumps({"packageFolders": site.getsitepackages(), "launcher": base64.b64encode(code).decode()}))
`

/**
 * Gets the folders of system packages and the compiled launcher from Python. The launcher is compiled in advance because
 * compiling it takes longer than starting it. If Python does not run, both are empty and the first run reports the reason.
 */
async function preparePython(
  python: string,
  source: string,
): Promise<{ packageFolders: string[]; launcher: Buffer }> {
  const args = ['-I', '-S', '-c', preparation, inside.launcher, source]
  const { stdout } = await execFile(python, args).catch(() => ({ stdout: '' }))
  if (stdout === '') return { packageFolders: [], launcher: Buffer.alloc(0) }
  const { packageFolders, launcher } = JSON.parse(stdout) as { packageFolders: string[]; launcher: string }
  return { packageFolders, launcher: Buffer.from(launcher, 'base64') }
}

function realFolders(paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).map((path) => realpathSync(path))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Explains a bubblewrap error to users. */
function explain(message: string, folder: string): string {
  const details = `bubblewrap reported: ${message.replaceAll(/\s+/g, ' ').trim()}`
  const unreadable = /find source path (\S+): Permission denied/.exec(message)?.[1]
  if (unreadable !== undefined && !unreadable.startsWith(folder))
    return `Other users cannot read ${unreadable}; grant them access. ${details}`
  if (/server\.sock|sandbox-\w+\/script/.test(message))
    return `Other users cannot traverse ${folder}; grant them access, or choose another folder for temporary files. ${details}`
  if (message.includes('execvp'))
    return `Every user must be able to read Python and its libraries. ${details}`
  if (/unknown option|--size|--disable-userns|namespaces disabled/i.test(message))
    return `The installed bubblewrap is too old; version 0.8.0 or newer is required. ${details}`
  if (/namespace|uid map|No permissions|Operation not permitted|Permission denied|clone/i.test(message)) {
    return (
      'This user is not allowed to create namespaces. In a container, allow them (Docker: a seccomp profile with ' +
      'clone and unshare); on Ubuntu, set kernel.apparmor_restrict_unprivileged_userns to 0 or give bwrap an AppArmor ' +
      `profile; elsewhere check that user.max_user_namespaces is not 0. ${details}`
    )
  }
  return details
}

const firstRun: PythonRun = {
  script: 'import socket, ssl\nsocket.create_connection(("127.0.0.1", 8080))',
  env: {},
  server: { socketPath: '/nowhere', port: 8080 },
  limits: {
    wallMs: 30_000,
    cpuSeconds: 20,
    memoryBytes: 512 * 1024 * 1024,
    processes: 4,
    outputBytes: 64 * 1024,
    diskBytes: 1024 * 1024,
  },
  onOutput() {},
  signal: new AbortController().signal,
}
