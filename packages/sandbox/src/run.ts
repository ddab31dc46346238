import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { openFilesOf, socketsOf } from './kernel-memory.ts'
import type { PreparedSandbox } from './prepared-sandbox.ts'
import type { PythonRun, RunOutcome } from './python-run.ts'
import { NotStartedError } from './sandbox-process.ts'
import { watchUsage } from './watch-usage.ts'

const reportBytes = 32 * 1024
const stderrTailBytes = 4096
const maxTimerMs = 2 ** 31 - 1
const cpuLimitSignal = 24

type Killed = Exclude<RunOutcome['end'], 'exited' | 'killed'>

/**
 * Runs a script in a prepared sandbox. A sandbox can run only one script. Resolves after all processes of the run have
 * exited.
 * @throws NotStartedError with bubblewrap's message if the sandbox could not be created
 */
export async function runInSandbox(run: PythonRun, sandbox: PreparedSandbox): Promise<RunOutcome> {
  const { limits } = run
  const { child, terminator } = sandbox
  let killedFor: Killed | undefined
  let failure: unknown
  let stderrTail = ''
  let outputBytes = 0

  function end(reason: Killed): void {
    killedFor ??= reason
    terminator.end()
  }

  function readOutput(stream: 'stdout' | 'stderr'): void {
    const decoder = new StringDecoder('utf8')
    function emitOutput(text: string): void {
      if (text === '') return
      if (stream === 'stderr') stderrTail = `${stderrTail}${text}`.slice(-stderrTailBytes)
      try {
        if (failure === undefined) run.onOutput(text, stream)
      } catch (error) {
        failure = error ?? new Error('The output was rejected.')
        terminator.end()
      }
    }
    child[stream]!.on('data', (chunk: Buffer) => {
      if (killedFor === 'outputLimit') return
      const taken = chunk.subarray(0, Math.max(0, limits.outputBytes - outputBytes))
      outputBytes += taken.length
      emitOutput(decoder.write(taken))
      if (taken.length < chunk.length) end('outputLimit')
    })
    child[stream]!.on('end', () => emitOutput(decoder.end()))
  }

  readOutput('stdout')
  readOutput('stderr')
  const report = collect(sandbox.report, reportBytes, () => end('outputLimit'))
  sandbox.report.once('data', () => terminator.markStarted())
  const abort = () => end('aborted')
  run.signal.addEventListener('abort', abort)
  const timeLimit = setTimeout(() => end('wallLimit'), Math.min(limits.wallMs, maxTimerMs))
  // Files in the temporary folder also use memory, but have their own limit.
  sandbox.cgroup?.setMemoryLimit(limits.memoryBytes + limits.diskBytes)
  const stopWatching = watchUsage(terminator, limits.memoryBytes, ({ cpuSeconds, memoryBytes }) => {
    if (cpuSeconds > limits.cpuSeconds) end('cpuLimit')
    if (memoryBytes > limits.memoryBytes) end('memoryLimit')
  })
  try {
    if (run.signal.aborted) abort()
    else await sandbox.send(run.script, requestOf(run, sandbox.searchPath))
    await sandbox.closed
  } finally {
    clearTimeout(timeLimit)
    run.signal.removeEventListener('abort', abort)
    stopWatching()
    await terminator.untilGone()
  }
  if (failure !== undefined) throw failure
  const parsed = readReport(report.text())
  if (!parsed.hasStarted && !killedFor)
    throw new NotStartedError(`The sandbox could not be created: ${stderrTail.trim()}`)
  const memoryReason = (await sandbox.cgroup?.ranOutOfMemory()) === true ? 'memoryLimit' : undefined
  return { ...outcomeOf(killedFor ?? memoryReason, parsed), stderrTail: lastLines(stderrTail) }
}

/** Returns the fields that the launcher reads: limits, search path and environment. */
function requestOf({ limits, server, env }: PythonRun, searchPath: readonly string[]): string {
  const { cpuSeconds, memoryBytes, diskBytes } = limits
  // Plus one for the first process of the sandbox.
  const processes = limits.processes + 1
  const bounds = [
    cpuSeconds,
    memoryBytes,
    processes,
    diskBytes,
    openFilesOf(memoryBytes),
    socketsOf(memoryBytes),
  ]
  const fields = [server?.port ?? 0, ...bounds, searchPath.join(':'), ...Object.entries(env).flat()]
  return fields.map((field) => `${field}\0`).join('')
}

/** Collects the first bytes of a stream; `onMore` is called if the script writes more. */
function collect(stream: Readable, maxBytes: number, onMore: () => void): { text(): string } {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    const taken = chunk.subarray(0, maxBytes - bytes)
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

/** Parses the report of the launcher. The script can also write to the report, but can forge only its own result. */
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

/** Returns as many complete last lines as fit; if not even one fits, the end of the last line. */
function lastLines(text: string): string {
  const bytes = Buffer.from(text.replace(/\n$/, ''))
  if (bytes.length <= stderrTailBytes) return bytes.toString('utf8')
  const cut = bytes.subarray(-stderrTailBytes).toString('utf8')
  return cut.includes('\n') ? cut.slice(cut.indexOf('\n') + 1) : cut
}
