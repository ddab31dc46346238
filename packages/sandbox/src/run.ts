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

/** What every run of a sandbox has in common. */
export interface Machine {
  programs: Programs
  /** Text of `launcher.py`. */
  launcher: string
  /** What `systemCallFilter` answers. */
  filter: Buffer
  /** Folder for the sockets of runs, which other users can pass through. */
  folder: string
  /** Real paths of folders of which nothing is to be seen. */
  hiddenFolders: readonly string[]
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
 * Runs a script in a sandbox of its own, and answers when nothing of it is left.
 * @param slotUserId user to become first, when this is root
 * @throws when the sandbox could not be made, with the words of bubblewrap
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
        failure = error ?? new Error('The output was not taken.')
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
  const wallTimer = setTimeout(() => end('wallLimit'), Math.min(limits.wallMs, longestTimerMs))
  const stopWatching = watch(ender, limits, end)
  try {
    await closed(child)
  } finally {
    clearTimeout(wallTimer)
    run.signal.removeEventListener('abort', abort)
    stopWatching()
    await ender.nothingIsLeft()
  }
  if (failure !== undefined) throw failure
  const told = readReport(report.text())
  if (!told.hasStarted && !killedFor) throw new Error(`The sandbox could not be made: ${stderrTail.trim()}`)
  return { ...outcomeOf(killedFor, told), stderrTail: tailOf(stderrTail) }
}

function start(
  run: PythonRun,
  { programs, launcher, filter, hiddenFolders }: Machine,
  slotUserId: number | undefined,
  serverSocketPath: string | undefined,
): ChildProcess {
  const { limits, server, env } = run
  // Beside the processes of the script there is the first process of the sandbox.
  const processes = limits.processes + 1
  const ways = [descriptors.report, descriptors.lifeLine, server?.port ?? 0]
  const bounds = [limits.cpuSeconds, limits.memoryBytes, processes, limits.diskBytes, openFiles]
  const words = ['-I', '-B', '-u', inside.launcher, inside.script, ...[...ways, ...bounds].map(String)]
  const form = { diskBytes: limits.diskBytes, serverSocketPath, hiddenFolders }
  const [program, ...rest] = sandboxCommand(programs, form, words, slotUserId)
  const child = spawn(program!, rest, {
    cwd: '/',
    env: {},
    stdio: ['ignore', ...Array.from({ length: descriptors.lifeLine }, () => 'pipe' as const)],
  })
  // Without room for its descriptors there is no process and no pipe; the reason comes as an event.
  if (child.pid === undefined) return child
  const texts: [keyof typeof descriptors, string | Buffer][] = [
    ['environment', environmentOptions(env)],
    ['filter', filter],
    ['launcher', launcher],
    ['script', run.script],
    ['users', stubs.users],
    ['hosts', stubs.hosts],
  ]
  for (const [name, text] of texts) {
    const pipe = pipeOf(child, name) as Writable
    // A sandbox that ends early does not read everything; how it ended says why.
    pipe.on('error', () => {})
    pipe.end(text)
  }
  return child
}

function pipeOf(child: ChildProcess, name: keyof typeof descriptors): Stream {
  const pipes: readonly (Stream | null | undefined)[] = child.stdio
  return pipes[descriptors[name]]!
}

/** Ends what runs in the sandbox: its first process, with which the kernel ends all others. */
interface Ender {
  /** To be called when the first process has told that it is there. */
  hasStarted(): void
  end(): void
  /** Number of the first process; undefined before it is known. */
  firstPid(): number | undefined
  /** Waits until the first process, and so every other one, is gone; once the child has ended. */
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
      // A first process that is still to come ends by this; bubblewrap, killed before, would leave it waiting for ever.
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
        if (Date.now() > giveUpAt) throw new Error('The processes of a run could not be ended.')
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
    // It has ended already; what cannot be ended is told when its end is waited for.
  }
}

/** Looks from time to time at what all processes of the run use together; the limits of the kernel are for each of them. */
function watch(ender: Ender, limits: PythonRun['limits'], end: (reason: Killed) => void): () => void {
  let isLooking = false
  const timer = setInterval(() => {
    const pid = ender.firstPid()
    if (isLooking || pid === undefined) return
    isLooking = true
    void measureTree(pid, limits.memoryBytes, inside.temporary)
      .then(({ cpuSeconds, memoryBytes }) => {
        if (cpuSeconds > limits.cpuSeconds) end('cpuLimit')
        if (memoryBytes > limits.memoryBytes) end('memoryLimit')
      })
      .finally(() => {
        isLooking = false
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

/** Keeps the first bytes of a stream; the script could write there without end, which `onMore` is told. */
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

/** What the launcher told. The script can write there as well, and so be wrong about itself, and about nothing else. */
function readReport(text: string): Report {
  const words = text.split('\0').values()
  const next = () => words.next().value ?? ''
  const report: Report = { hasStarted: next() === 'started', isOutOfMemory: false }
  let word = next()
  if (word === 'exception') {
    report.isOutOfMemory = next() === '1'
    report.exception = { name: next(), message: next() }
    word = next()
  }
  const number = Number.parseInt(next(), 10)
  if (word === 'exit' && number >= 0) report.exitCode = number
  if (word === 'signal' && number > 0) report.signal = number
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

/** Whole lines only, unless there is but one. */
function tailOf(text: string): string {
  const bytes = Buffer.from(text.replace(/\n$/, ''))
  if (bytes.length <= stderrTailBytes) return bytes.toString('utf8')
  const cut = bytes.subarray(-stderrTailBytes).toString('utf8')
  return cut.includes('\n') ? cut.slice(cut.indexOf('\n') + 1) : cut
}
