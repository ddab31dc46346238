import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSandbox, type RunOutcome, type Sandbox } from './index.ts'
import { roomyLimits } from '../test/run-script.ts'

let folder: string
let sandbox: Sandbox
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'))
  chmodSync(folder, 0o755)
  const availability = await findSandbox({ folder })
  if (!availability.available) throw new Error(availability.reason)
  sandbox = availability.sandbox
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(script: string, more: { env?: Record<string, string>; diskBytes: number }) {
  let printed = ''
  const outcome: RunOutcome = await sandbox.runPython({
    script,
    env: more.env ?? {},
    limits: { ...roomyLimits, diskBytes: more.diskBytes },
    onOutput(text) {
      printed += text
    },
    signal: new AbortController().signal,
  })
  return { outcome, printed: printed.trim() }
}

/** Returns the ids of the processes that create and watch the sandboxes with this limit. */
function processesOf(diskBytes: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${diskBytes}\0`)
      } catch {
        return false
      }
    })
    .map(Number)
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 500) throw new Error('The condition was not met.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Runs a script twice, so that two spare sandboxes are prepared. */
async function warmUp(diskBytes: number): Promise<void> {
  for (let i = 0; i < 2; i++) await run('', { diskBytes })
  await until(() => processesOf(diskBytes).length >= 2)
}

test('a spare sandbox is used once; the next run sees nothing of the previous one', async () => {
  const diskBytes = 2_000_001
  await warmUp(diskBytes)
  const script = `
import os, sys, time
print(sorted(os.listdir("/tmp")), os.listdir("."), os.environ.get("SECRET"), os.environ.get("MARK"), os.listdir("/run/script"))
print(sorted(n for n in os.listdir("/proc") if n.isdigit()) == sorted(["1", str(os.getpid())]), hasattr(sys, "mark"), time.strftime("%Z"))
open("/tmp/left", "w").write("x"); open("/dev/shm/left", "w").write("x"); sys.mark = 1`
  const first = await run(script, { diskBytes, env: { SECRET: randomUUID(), TZ: 'Asia/Tokyo' } })
  expect(first.printed).toMatch(/^\['work'\] \[\] [\w-]{36} None \['main.py'\]\nTrue False JST$/)
  const second = await run(script, { diskBytes, env: { MARK: '2' } })
  expect(second.printed).toBe("['work'] [] None 2 ['main.py']\nTrue False UTC")
})

test('applies the limits of the run, not those for which the sandbox was prepared', async () => {
  const diskBytes = 2_000_002
  await warmUp(diskBytes)
  let ended = ''
  const outcome = await sandbox.runPython({
    script: 'import resource\nprint(resource.getrlimit(resource.RLIMIT_AS)[0])\nwhile True: pass',
    env: {},
    limits: { ...roomyLimits, diskBytes, memoryBytes: 77_000_000, cpuSeconds: 1 },
    onOutput(text) {
      ended += text
    },
    signal: new AbortController().signal,
  })
  expect([outcome.end, ended]).toEqual(['cpuLimit', '77000000\n'])
})

test('a spare sandbox that was killed is replaced', async () => {
  const diskBytes = 2_000_003
  await warmUp(diskBytes)
  for (const pid of processesOf(diskBytes))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already ended with its parent.
    }
  expect((await run('print("runs")', { diskBytes })).printed).toBe('runs')
})
