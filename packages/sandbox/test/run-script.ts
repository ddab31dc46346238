import process from 'node:process'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { findSandbox, type PythonRun, type RunLimits, type RunOutcome } from '../src/index.ts'

/** A serialisable run. */
export interface ScriptRun {
  /** Source of the script. */
  script: string
  /** Environment. Default: empty. */
  env?: Record<string, string>
  /** Limits that differ from `roomyLimits`. */
  limits?: Partial<RunLimits>
  /** Server to expose. Default: none. */
  server?: PythonRun['server']
  /** Folder of installed packages. Default: none. */
  packagesFolder?: string
  /** Aborts when this line is printed. */
  abortOn?: string
}

/** Result of a run. */
export interface ScriptResult {
  /** Result of the script. */
  outcome: RunOutcome
  /** Lines of standard output. */
  lines: string[]
  /** Lines of standard error. */
  errors: string[]
}

const megabyte = 1024 * 1024
/** Limits that no test reaches by accident. */
export const roomyLimits: RunLimits = {
  wallMs: 60_000,
  cpuSeconds: 20,
  memoryBytes: 300 * megabyte,
  processes: 16,
  outputBytes: megabyte,
  diskBytes: 20 * megabyte,
}

/** Runs one script as the current user. */
export async function runScript(
  { abortOn, limits, ...run }: ScriptRun,
  onLine: (line: string) => void = () => {},
): Promise<ScriptResult> {
  const availability = await findSandbox()
  if (!availability.available) throw new Error(availability.reason)
  const abort = new AbortController()
  const lines = { stdout: [] as string[], stderr: [] as string[] }
  const open = { stdout: '', stderr: '' }
  const outcome = await availability.sandbox.runPython({
    env: {},
    ...run,
    limits: { ...roomyLimits, ...limits },
    signal: abort.signal,
    onOutput(text, stream) {
      const ended = `${open[stream]}${text}`.split('\n')
      open[stream] = ended.pop()!
      for (const line of ended) {
        lines[stream].push(line)
        onLine(line)
        if (line === abortOn) abort.abort()
      }
    },
  })
  for (const stream of ['stdout', 'stderr'] as const)
    if (open[stream] !== '') lines[stream].push(open[stream])
  return { outcome, lines: lines.stdout, errors: lines.stderr }
}

/**
 * When executed as a program, this file reads the run as JSON from standard input, writes output lines to standard error and
 * the result to standard output.
 */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const run = JSON.parse(await text(process.stdin)) as ScriptRun
  process.stdout.write(JSON.stringify(await runScript(run, (line) => process.stderr.write(`${line}\n`))))
}
