import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Duplex, Readable, Stream, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import {
  descriptors,
  inside,
  environmentOptions,
  sandboxCommand,
  stubs,
  type Programs,
} from './bubblewrap.ts'
import { checkRun, type PythonRun, type RunOutcome } from './python-run.ts'
import { childrenOf, identify, isRunning, measureTree, type ProcessIdentity } from './process-tree.ts'
import { openRelay } from './relay.ts'

/** Properties that all runs of a sandbox share. */
export interface Machine {
  /** Paths of the programs. */
  programs: Programs
  /** Source of `launcher.py`. */
  launcher: string
  /** Result of `systemCallFilter`. */
  filter: Buffer
  /** Folder for the sockets of runs, which other users can traverse. */
  folder: string
  /** Real paths of folders to hide. */
  hiddenFolders: readonly string[]
  /** Real paths of the folders in which the system installs packages of Python. */
  systemPackageFolders: readonly string[]
}

const watchEveryMs = 200
const endWithinMs = 30_000
const openFiles = 256
const reportBytes = 32 * 1024
const stderrTailBytes = 4096
const longestTimerMs = 2 ** 31 - 1
const cpuLimitSignal = 24

type Killed = Exclude<RunOutcome['end'], 'exited' | 'killed'>

/**
 * Runs a script in its own sandbox, and resolves once no process of it is left.
 * @param slotUserId user to become first, if this is root
 * @throws if the sandbox could not be created, with the message of bubblewrap
 */
export async function runInSandbox(
  run: PythonRun,
  machine: Machine,
  slotUserId: number | undefined,
): Promise<RunOutcome> {
  checkRun(run)
  if (run.signal.aborted) return { end: 'aborted', exitCode: null, stderrTail: '' }
  const relay = run.server && (await openRelay(run.server.socketPath, machine.folder, slotUserId))
  try {
    return await runProcess(run, machine, slotUserId, relay?.socketPath)
  } finally {
    await relay?.close()
  }
}

async function runProcess(
  run: PythonRun,
  machine: Machine,
  slotUserId: number | undefined,
  serverSocketPath: string | undefined,
): Promise<RunOutcome> {
  const { limits } = run
  let killedFor: Killed | undefined
  let failure: unknown
  let stderrTail = ''
  let outputBytes = 0
  const child = start(run, machine, slotUserId, serverSocketPath)
  if (child.pid === undefined) await closed(child)
  const ender = createEnder(child)

  function end(reason: Killed): void {
    killedFor ??= reason
    ender.end()
  }

  function readOutput(stream: 'stdout' | 'stderr'): void {
    const decoder = new StringDecoder('utf8')
    function handOver(text: string): void {
      if (text === '') return
      if (stream === 'stderr') stderrTail = `${stderrTail}${text}`.slice(-stderrTailBytes)
      try {
        if (failure === undefined) run.onOutput(text, stream)
      } catch (error) {
        failure = error ?? new Error('The output was rejected.')
        ender.end()
      }
    }
    child[stream]!.on('data', (chunk: Buffer) => {
      if (killedFor === 'outputLimit') return
      const taken = chunk.subarray(0, Math.max(0, limits.outputBytes - outputBytes))
      outputBytes += taken.length
      handOver(decoder.write(taken))
      if (taken.length < chunk.length) end('outputLimit')
    })
    child[stream]!.on('end', () => handOver(decoder.end()))
  }

  readOutput('stdout')
  readOutput('stderr')
  const report = collect(pipeOf(child, 'report') as Readable, reportBytes, () => end('outputLimit'))
  pipeOf(child, 'report').once('data', () => ender.hasStarted())
  const abort = () => end('aborted')
  run.signal.addEventListener('abort', abort)
  if (run.signal.aborted) abort()
  const timeLimit = setTimeout(() => end('wallLimit'), Math.min(limits.wallMs, longestTimerMs))
  const stopWatching = watch(ender, limits, end)
  try {
    await closed(child)
  } finally {
    clearTimeout(timeLimit)
    run.signal.removeEventListener('abort', abort)
    stopWatching()
    await ender.nothingIsLeft()
  }
  if (failure !== undefined) throw failure
  const parsed = readReport(report.text())
  if (!parsed.hasStarted && !killedFor)
    throw new Error(`The sandbox could not be created: ${stderrTail.trim()}`)
  return { ...outcomeOf(killedFor, parsed), stderrTail: tailOf(stderrTail) }
}

function start(
  run: PythonRun,
  { programs, launcher, filter, hiddenFolders, systemPackageFolders }: Machine,
  slotUserId: number | undefined,
  serverSocketPath: string | undefined,
): ChildProcess {
  const { limits, server, env, packagesFolder, systemPackages = false } = run
  const importable = [
    packagesFolder ? [inside.packages] : [],
    systemPackages ? systemPackageFolders : [],
  ].flat()
  // Includes the first process of the sandbox.
  const processes = limits.processes + 1
  const channels = [descriptors.report, descriptors.lifeLine, server?.port ?? 0]
  const bounds = [limits.cpuSeconds, limits.memoryBytes, processes, limits.diskBytes, openFiles]
  const launcherArguments = [
    '-I',
    '-B',
    // Neither packages nor start-up files of the system.
    '-S',
    '-u',
    inside.launcher,
    inside.script,
    importable.join(':'),
    ...[...channels, ...bounds].map(String),
  ]
  const hidden = systemPackages ? hiddenFolders : [...hiddenFolders, ...systemPackageFolders]
  const form = { diskBytes: limits.diskBytes, serverSocketPath, hiddenFolders: hidden, packagesFolder }
  const [program, ...rest] = sandboxCommand(programs, form, launcherArguments, slotUserId)
  const child = spawn(program!, rest, {
    cwd: '/',
    env: {},
    stdio: ['ignore', ...Array.from({ length: descriptors.lifeLine }, () => 'pipe' as const)],
  })
  // If no descriptors are left, there is no process and no pipe; an event reports the reason.
  if (child.pid === undefined) return child
  const texts: [keyof typeof descriptors, string | Buffer][] = [
    ['environment', environmentOptions(env, packagesFolder)],
    ['filter', filter],
    ['launcher', launcher],
    ['script', run.script],
    ['users', stubs.users],
    ['hosts', stubs.hosts],
  ]
  for (const [name, text] of texts) {
    const pipe = pipeOf(child, name) as Writable
    // A sandbox that ends early does not read everything; its end explains why.
    pipe.on('error', () => {})
    pipe.end(text)
  }
  return child
}

function pipeOf(child: ChildProcess, name: keyof typeof descriptors): Stream {
  const pipes: readonly (Stream | null | undefined)[] = child.stdio
  return pipes[descriptors[name]]!
}

/** Ends the sandbox by killing its first process, with which the kernel kills all others. */
interface Ender {
  /** Called when the first process has reported its start. */
  hasStarted(): void
  end(): void
  /** Process id of the first process; undefined before it is known. */
  firstPid(): number | undefined
  /** Waits until the first process, and so every other one, has exited; call it after the child has exited. */
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
      // Ends a first process that has not started yet; bubblewrap, killed before, would leave it waiting forever.
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
    // It has exited already; a process that cannot be killed is reported when its end is awaited.
  }
}

/** Polls the usage of all processes of the run; the limits of the kernel apply to each process. */
function watch(ender: Ender, limits: PythonRun['limits'], end: (reason: Killed) => void): () => void {
  let isMeasuring = false
  const timer = setInterval(() => {
    const pid = ender.firstPid()
    if (isMeasuring || pid === undefined) return
    isMeasuring = true
    void measureTree(pid, limits.memoryBytes, inside.temporary)
      .then(({ cpuSeconds, memoryBytes }) => {
        if (cpuSeconds > limits.cpuSeconds) end('cpuLimit')
        if (memoryBytes > limits.memoryBytes) end('memoryLimit')
      })
      .finally(() => {
        isMeasuring = false
      })
  }, watchEveryMs)
  return () => clearInterval(timer)
}

async function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`The sandbox could not be started: ${error.message}`)))
    child.once('close', () => resolve())
  })
}

/** Collects the first bytes of a stream; `onMore` is called if the script writes more. */
function collect(stream: Readable, mostBytes: number, onMore: () => void): { text(): string } {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    const taken = chunk.subarray(0, mostBytes - bytes)
    bytes += taken.length
    if (taken.length > 0) chunks.push(taken)
    if (taken.length < chunk.length) onMore()
  })
  return { text: () => Buffer.concat(chunks).toString('utf8') }
}

interface Report {
  hasStarted: boolean
  isOutOfMemory: boolean
  exception?: { name: string; message: string }
  exitCode?: number
  signal?: number
}

/** Parses the report of the launcher. The script can write to it as well, and so falsify only its own result. */
function readReport(text: string): Report {
  const fields = text.split('\0').values()
  const next = () => fields.next().value ?? ''
  const report: Report = { hasStarted: next() === 'started', isOutOfMemory: false }
  let outcome = next()
  if (outcome === 'exception') {
    report.isOutOfMemory = next() === '1'
    report.exception = { name: next(), message: next() }
    outcome = next()
  }
  const number = Number.parseInt(next(), 10)
  if (outcome === 'exit' && number >= 0) report.exitCode = number
  if (outcome === 'signal' && number > 0) report.signal = number
  return report
}

function outcomeOf(
  killedFor: Killed | undefined,
  { exitCode, signal: endedBy, isOutOfMemory, exception }: Report,
): Omit<RunOutcome, 'stderrTail'> {
  if (killedFor) return { end: killedFor, exitCode: null }
  if (endedBy === cpuLimitSignal) return { end: 'cpuLimit', exitCode: null }
  if (exitCode === undefined) return { end: 'killed', exitCode: null }
  return { end: isOutOfMemory ? 'memoryLimit' : 'exited', exitCode, ...(exception && { exception }) }
}

/** Returns whole lines only, unless there is only one. */
function tailOf(text: string): string {
  const bytes = Buffer.from(text.replace(/\n$/, ''))
  if (bytes.length <= stderrTailBytes) return bytes.toString('utf8')
  const cut = bytes.subarray(-stderrTailBytes).toString('utf8')
  return cut.includes('\n') ? cut.slice(cut.indexOf('\n') + 1) : cut
}
