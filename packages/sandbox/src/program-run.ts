import { constants } from 'node:fs'
import { lstat, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Readable } from 'node:stream'
import type { Cgroup } from './cgroups.ts'
import type { Machine } from './prepared-sandbox.ts'
import { openRunFolder, type RunFolder } from './run-folder.ts'
import { closed, createTerminator, feed, NotStartedError, pipeOf, startSandbox } from './sandbox-process.ts'
import { watchUsage } from './watch-usage.ts'

/**
 * A run of a Node program of this project that processes user content. The program has no network access and can read only
 * its own files and copies of its inputs. It reads its request from descriptor 10, writes `started`, a line break and its
 * report to descriptor 8, writes its result to `/run/output/result`, and exits when descriptor 9 ends.
 */
export interface ProgramRun {
  /** Path of the module. */
  program: string
  /** Files and folders that the program loads, in addition to Node. They must be readable for every user. */
  programPaths: readonly string[]
  /** Request, for example as JSON. */
  request: string
  /** Inputs by name. They are copied to `/run/script`. */
  inputs: readonly { name: string; content: AsyncIterable<Uint8Array> }[]
  /** Limits of the run. */
  limits: {
    /** Private memory in bytes, including about 200 MB for Node. */
    memoryBytes: number
    /** Maximum total bytes of the inputs. */
    inputBytes: number
    /** Maximum bytes of the result. */
    outputBytes: number
    /** Maximum bytes in the temporary folder. */
    diskBytes: number
  }
  /** Aborts the run. */
  signal: AbortSignal
  /**
   * Called if the program crashes, for example with a segmentation fault. The program is then executed once more with the
   * same inputs. Default: it is not executed again.
   */
  onCrash?: (() => void) | undefined
}

/** Outcome of a program run. */
export interface ProgramOutcome {
  /** `inputLimit`, `outputLimit`: the inputs or the result are too large. `killed`: the program crashed, or the system killed it. */
  end: 'exited' | 'memoryLimit' | 'inputLimit' | 'outputLimit' | 'aborted' | 'killed'
  /** Report that the program wrote; empty if it did not exit. */
  report: string
  /** Last part of standard error, at most 4 kB. */
  stderrTail: string
}

const reportBytes = 64 * 1024
const stderrTailBytes = 4096
const startedMark = 'started\n'

class InputLimitError extends Error {}

/**
 * Runs a program and yields its result.
 * @param slotUserId user to switch to first, if the current user is root
 */
export async function* runProgramIn(
  machine: Machine,
  run: ProgramRun,
  slotUserId: number | undefined,
): AsyncGenerator<Uint8Array, ProgramOutcome> {
  run.signal.throwIfAborted()
  const folder = await openRunFolder(machine.folder, { targetPath: undefined, owner: slotUserId })
  try {
    await copyInputs(folder, run)
    const outputFolder = await folder.addOutputFolder()
    const resultPath = join(outputFolder, 'result')
    const execute = () => executeProgram(machine, run, { folder, outputFolder, resultPath, slotUserId })
    let { outcome, hasCrashed } = await execute()
    if (hasCrashed && run.onCrash !== undefined) {
      run.signal.throwIfAborted()
      run.onCrash()
      await rm(resultPath, { recursive: true, force: true })
      ;({ outcome, hasCrashed } = await execute())
    }
    if (outcome.end === 'exited') yield* resultOf(resultPath)
    return outcome
  } catch (error) {
    if (run.signal.aborted) return { end: 'aborted', report: '', stderrTail: '' }
    if (error instanceof InputLimitError) return { end: 'inputLimit', report: '', stderrTail: '' }
    throw error
  } finally {
    await folder.close()
  }
}

async function executeProgram(
  machine: Machine,
  run: ProgramRun,
  start: Pick<ProgramStart, 'folder' | 'outputFolder' | 'slotUserId'> & { resultPath: string },
): Promise<{ outcome: ProgramOutcome; hasCrashed: boolean }> {
  const cgroup = machine.cgroups?.create()
  try {
    const child = startProgram(machine, run, { ...start, cgroup })
    const outcome = await awaitProgram(child, run, { resultPath: start.resultPath, cgroup })
    return { outcome, hasCrashed: outcome.end === 'killed' && endedBySignal(child) }
  } finally {
    await cgroup?.remove()
  }
}

/** Returns whether a signal ended the program. If so, bubblewrap exits with 128 plus the signal number, as shells do. */
function endedBySignal({ exitCode, signalCode }: ChildProcess): boolean {
  return signalCode !== null || (exitCode ?? 0) > 128
}

/**
 * Yields the result if it is a regular file. A link that the program created could point to files of the server, and a pipe
 * would never end.
 */
async function* resultOf(path: string): AsyncGenerator<Uint8Array> {
  if ((await sizeOf(path)) === 0) return
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  yield* file.createReadStream() as AsyncIterable<Buffer>
}

async function copyInputs(folder: RunFolder, { inputs, limits, signal }: ProgramRun): Promise<void> {
  let bytes = 0
  async function* counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      signal.throwIfAborted()
      bytes += chunk.byteLength
      if (bytes > limits.inputBytes) throw new InputLimitError()
      yield chunk
    }
  }
  for (const { name, content } of inputs) await folder.addFile(name, counted(content))
}

async function awaitProgram(
  child: ChildProcess,
  { limits, signal }: ProgramRun,
  { resultPath, cgroup }: { resultPath: string; cgroup: Cgroup | undefined },
): Promise<ProgramOutcome> {
  const ended = closed(child)
  if (child.pid === undefined) await ended
  ended.catch(() => {})
  const terminator = createTerminator(child)
  let killedFor: Exclude<ProgramOutcome['end'], 'exited' | 'killed'> | undefined
  const end = (reason: typeof killedFor) => {
    killedFor ??= reason
    terminator.end()
  }
  const abort = () => end('aborted')
  const report = lastBytes(pipeOf(child, 'report') as Readable, reportBytes, () => terminator.markStarted())
  const stderr = lastBytes(child.stderr!, stderrTailBytes)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  cgroup?.setMemoryLimit(limits.memoryBytes + limits.diskBytes)
  child.stdout!.resume()
  const stopWatching = watchUsage(terminator, limits.memoryBytes, async ({ memoryBytes }) => {
    if (memoryBytes > limits.memoryBytes) end('memoryLimit')
    if ((await sizeOf(resultPath)) > limits.outputBytes) end('outputLimit')
  })
  try {
    await ended
  } finally {
    stopWatching()
    signal.removeEventListener('abort', abort)
    await terminator.untilGone()
  }
  const text = report()
  const stderrTail = stderr()
  if (killedFor === undefined && (await cgroup?.ranOutOfMemory()) === true) killedFor = 'memoryLimit'
  if (killedFor === undefined && (await sizeOf(resultPath)) > limits.outputBytes) killedFor = 'outputLimit'
  if (killedFor !== undefined) return { end: killedFor, report: '', stderrTail }
  if (!text.startsWith(startedMark))
    throw new NotStartedError(`The sandbox could not be created: ${stderrTail.trim()}`)
  if (child.exitCode !== 0) return { end: 'killed', report: '', stderrTail }
  return { end: 'exited', report: text.slice(startedMark.length), stderrTail }
}

interface ProgramStart {
  folder: RunFolder
  outputFolder: string
  slotUserId: number | undefined
  cgroup: Cgroup | undefined
}

function startProgram(
  machine: Machine,
  { program, programPaths, request, limits: { diskBytes } }: ProgramRun,
  { folder, outputFolder, slotUserId, cgroup }: ProgramStart,
): ChildProcess {
  const options = {
    diskBytes,
    scriptFolder: folder.scriptFolder,
    serverSocketPath: undefined,
    hiddenFolders: machine.hiddenFolders,
    programPaths: [process.execPath, ...programPaths],
    outputFolder,
  }
  const inputs = { slotUserId, cgroup, launcher: '', module: '' }
  const child = startSandbox(machine, options, [process.execPath, program], inputs)
  if (child.pid !== undefined) feed(child, 'request', request)
  return child
}

/** Returns the size of a file; 0 if it is missing or not a regular file. */
async function sizeOf(path: string): Promise<number> {
  return lstat(path).then(
    (stats) => (stats.isFile() ? stats.size : 0),
    () => 0,
  )
}

/** Collects the last bytes of a stream. */
function lastBytes(stream: Readable, maxBytes: number, onFirst: () => void = () => {}): () => string {
  let bytes = Buffer.alloc(0)
  stream.once('data', onFirst)
  stream.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk]).subarray(-maxBytes)))
  stream.on('error', () => {})
  return () => bytes.toString('utf8')
}
