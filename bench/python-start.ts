// How long a Python script takes to start in the sandbox, warm and cold, against the interpreter alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findSandbox, type PythonRun, type Sandbox } from '@headwater/sandbox'
import { median, type Figure } from './figure.ts'

const rounds = 40
const python = '/usr/bin/python3'
const mib = 1024 * 1024

interface Times {
  /** Milliseconds until the first output. */
  start: number
  /** Milliseconds until the end. */
  whole: number
}

/** Measures the three ways alternately. */
export default async function pythonStart(): Promise<Figure[]> {
  const [warm, cold] = [await sandboxOf(2), await sandboxOf(0)]
  const times = { raw: [] as Times[], cold: [] as Times[], warm: [] as Times[] }
  for (let round = -3; round < rounds; round++) {
    const results = { raw: await runRaw(), cold: await runIn(cold), warm: await runIn(warm) }
    // The spare sandbox starts meanwhile, as it does between the steps of a run.
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (round < 0) continue
    for (const way of ['raw', 'cold', 'warm'] as const) times[way].push(results[way])
  }
  const begin = performance.now()
  for (let step = 0; step < rounds; step++) await runIn(warm)
  const sequence = (performance.now() - begin) / rounds
  const starts = { raw: of(times.raw, 'start'), cold: of(times.cold, 'start'), warm: of(times.warm, 'start') }
  const wholes = { raw: of(times.raw, 'whole'), cold: of(times.cold, 'whole'), warm: of(times.warm, 'whole') }
  const peer = `python3 -c 'print(1)'`
  const figure = (name: string, ms: number, raw: number, goalMs?: number): Figure => ({
    name,
    value: ms,
    unit: 'ms',
    peer,
    ratio: raw / ms,
    goal: goalMs === undefined ? 'none' : `≤ ${goalMs} ms over the interpreter`,
    holds: goalMs === undefined || ms - raw <= goalMs,
  })
  return [
    figure('warm start, until the first output', starts.warm, starts.raw, 5),
    figure('cold start, until the first output', starts.cold, starts.raw, 45),
    figure('warm run, until all processes have ended', wholes.warm, wholes.raw),
    figure('cold run, until all processes have ended', wholes.cold, wholes.raw),
    figure(`each of ${rounds} runs in sequence without pauses`, sequence, wholes.raw),
  ]
}

function of(times: readonly Times[], what: keyof Times): number {
  return median(times.map((each) => each[what]))
}

async function sandboxOf(spares: number): Promise<Sandbox> {
  const availability = await findSandbox({ spares })
  if (!availability.available) throw new Error(availability.reason)
  return availability.sandbox
}

async function runRaw(): Promise<Times> {
  const begin = performance.now()
  const child = spawn(python, ['-c', 'print(1)'], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  const start = performance.now() - begin
  await once(child, 'close')
  return { start, whole: performance.now() - begin }
}

async function runIn(sandbox: Sandbox): Promise<Times> {
  let start = 0
  const begin = performance.now()
  const run: PythonRun = {
    script: 'print(1)',
    env: {},
    limits: {
      wallMs: 60_000,
      cpuSeconds: 60,
      memoryBytes: 512 * mib,
      processes: 32,
      outputBytes: mib,
      diskBytes: 64 * mib,
    },
    onOutput() {
      start = performance.now() - begin
    },
    signal: new AbortController().signal,
  }
  const { end } = await sandbox.runPython(run)
  if (end !== 'exited') throw new Error(`The script ended with ${end}.`)
  return { start, whole: performance.now() - begin }
}
