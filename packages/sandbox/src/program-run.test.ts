import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSandbox, NotStartedError, type ProgramOutcome, type ProgramRun } from './index.ts'

const availability = await findSandbox()
// These tests are not skipped, because the isolation of programs would then be unverified.
if (!availability.available) throw new Error(availability.reason)
const { sandbox } = availability

const megabyte = 1024 * 1024
const roomyLimits = {
  memoryBytes: 500 * megabyte,
  inputBytes: 10 * megabyte,
  outputBytes: 10 * megabyte,
  diskBytes: 20 * megabyte,
}
/** Part of the program path, used to find its processes. */
const marker = `program-${randomUUID()}`
let folder: string
let program: string

/** Executes the text of the request as a function body. */
const source = `import * as fs from 'node:fs'
import * as net from 'node:net'
const report = (text) => fs.writeSync(8, text)
report('started\\n')
const body = fs.readFileSync(10, 'utf8')
const AsyncFunction = (async () => {}).constructor
await new AsyncFunction('fs', 'net', 'report', body)(fs, net, report)
process.exit(0)
`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'program-test-'))
  chmodSync(folder, 0o755)
  program = join(folder, `${marker}.mjs`)
  writeFileSync(program, source)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function runProgram(
  request: string,
  { limits, ...more }: Partial<Omit<ProgramRun, 'limits'>> & { limits?: Partial<ProgramRun['limits']> } = {},
): Promise<{ outcome: ProgramOutcome; result: string }> {
  const chunks: Uint8Array[] = []
  const run = sandbox.runProgram({
    program,
    programPaths: [program],
    request,
    inputs: [],
    signal: new AbortController().signal,
    ...more,
    limits: { ...roomyLimits, ...limits },
  })
  for (;;) {
    const next = await run.next()
    if (next.done === true) {
      expect(processesOf(marker)).toEqual([])
      return { outcome: next.value, result: Buffer.concat(chunks).toString('utf8') }
    }
    chunks.push(next.value)
  }
}

function processesOf(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text)
    } catch {
      // The process has exited in the meantime.
      return false
    }
  })
}

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

test('a program receives its request and its inputs, and yields its result and its report', async () => {
  const { outcome, result } = await runProgram(
    `const text = fs.readFileSync('/run/script/a', 'utf8') + fs.readFileSync('/run/script/b', 'utf8')
     fs.writeFileSync('/run/output/result', text.toUpperCase())
     console.error('a warning')
     report('all done')`,
    {
      inputs: [
        { name: 'a', content: chunksOf('one ', 'two ') },
        { name: 'b', content: chunksOf('three') },
      ],
    },
  )
  expect(outcome).toEqual({ end: 'exited', report: 'all done', stderrTail: 'a warning\n' })
  expect(result).toBe('ONE TWO THREE')
})

test('a program has no network and no environment, and can read only its own files', async () => {
  process.env.HEADWATER_TEST_SECRET = marker
  try {
    writeFileSync(join(folder, 'secret.txt'), marker)
    const { outcome } = await runProgram(
      `const failure = (work) => { try { work(); return 'possible' } catch (error) { return error.code } }
       const connected = await new Promise((resolve) => {
         const socket = net.connect(80, '1.1.1.1')
         socket.on('connect', () => resolve('connected')).on('error', (error) => resolve(error.code))
       })
       report(JSON.stringify([
         failure(() => fs.readFileSync(${JSON.stringify(join(folder, 'secret.txt'))})),
         failure(() => fs.writeFileSync(${JSON.stringify(program)}, 'x')),
         failure(() => fs.writeFileSync('/run/script/a', 'x')),
         connected,
         process.env.HEADWATER_TEST_SECRET ?? 'none',
       ]))`,
      { inputs: [{ name: 'a', content: chunksOf('input') }] },
    )
    const [secret, own, input, connected, environment] = JSON.parse(outcome.report) as string[]
    expect(secret).toBe('ENOENT')
    expect(['EROFS', 'EACCES']).toContain(own)
    expect(['EROFS', 'EACCES']).toContain(input)
    expect(['ENETUNREACH', 'EPERM', 'EACCES']).toContain(connected)
    expect(environment).toBe('none')
    expect(readFileSync(program, 'utf8')).toBe(source)
  } finally {
    delete process.env.HEADWATER_TEST_SECRET
  }
})

test('a program that exits with an error, crashes or is killed has no result and does not end with “exited”', async () => {
  const write = `fs.writeFileSync('/run/output/result', 'partial'); report('done');`
  for (const end of [
    `console.error('broken'); process.exit(3)`,
    `throw new Error('broken')`,
    `console.error('broken'); process.abort()`,
  ]) {
    const { outcome, result } = await runProgram(`${write} ${end}`)
    expect([end, outcome.end, outcome.report, result]).toEqual([end, 'killed', '', ''])
    expect(outcome.stderrTail).toContain('broken')
  }
  const title = `t${randomUUID().slice(0, 8)}`
  const forever = 'await new Promise(() => setInterval(() => {}, 1000))'
  const killed = runProgram(`${write} process.title = '${title}'; ${forever}`)
  await expect.poll(() => processesOf(title).length).toBe(1)
  process.kill(Number(processesOf(title)[0]), 'SIGKILL')
  expect(await killed).toMatchObject({ outcome: { end: 'killed', report: '' }, result: '' })
})

test('a program that was ended by a signal is executed once more with the same inputs; its earlier result is removed', async () => {
  const own = join(folder, 'crashes.mjs')
  const executed = `fs.appendFileSync('/run/output/result', fs.readFileSync('/run/script/a') + body)`
  const crash = `${executed}\nprocess.abort()`
  const withBody = (text: string) => source.replace(/await new AsyncFunction.*/, text)
  const crashes: string[] = []
  const run = (then: string) => {
    writeFileSync(own, withBody(crash))
    return runProgram('request', {
      program: own,
      programPaths: [own],
      inputs: [{ name: 'a', content: chunksOf('input ') }],
      onCrash() {
        crashes.push(then)
        writeFileSync(own, withBody(then))
      },
    })
  }
  expect(await run(executed)).toMatchObject({ outcome: { end: 'exited' }, result: 'input request' })
  expect(await run(crash)).toMatchObject({ outcome: { end: 'killed' }, result: '' })
  expect(crashes).toEqual([executed, crash])
})

test('a program that exits with an error, or exceeds its memory, is not executed again', async () => {
  const onCrash = () => expect.unreachable('the program was executed again')
  const exited = await runProgram('process.exit(3)', { onCrash })
  expect(exited.outcome.end).toBe('killed')
  const greedy = await runProgram(
    `const all = []; for (;;) { all.push(Buffer.alloc(1_000_000, 1)); await new Promise((resolve) => setTimeout(resolve, 2)) }`,
    { limits: { memoryBytes: 300 * megabyte }, onCrash },
  )
  expect(greedy.outcome.end).toBe('memoryLimit')
})

test('a result that is a link, a pipe or a folder is not read', async () => {
  writeFileSync(join(folder, 'secret.txt'), marker)
  for (const write of [
    `fs.symlinkSync(${JSON.stringify(join(folder, 'secret.txt'))}, '/run/output/result')`,
    `fs.symlinkSync('/etc/passwd', '/run/output/result')`,
    `(await import('node:child_process')).execFileSync('/usr/bin/mkfifo', ['/run/output/result'])`,
    `fs.mkdirSync('/run/output/result'); fs.writeFileSync('/run/output/result/a', 'x')`,
  ]) {
    const { outcome, result } = await runProgram(write)
    expect([write, outcome.end, result]).toEqual([write, 'exited', ''])
  }
})

test('standard error and the report are limited to their last bytes', async () => {
  const { outcome } = await runProgram(
    `fs.writeSync(2, 'x'.repeat(100_000) + 'end of errors'); report('y'.repeat(10_000) + 'end of report')`,
  )
  expect(outcome.stderrTail).toHaveLength(4096)
  expect(outcome.stderrTail).toMatch(/x{100}end of errors$/)
  expect(outcome.report).toMatch(/^y{10000}end of report$/)
})

test('an abort ends an endless program and all of its processes', async () => {
  const abort = new AbortController()
  const run = runProgram(`for (;;) fs.writeFileSync('/run/output/result', 'partial')`, {
    signal: abort.signal,
  })
  await expect.poll(() => processesOf(marker).length).toBeGreaterThan(0)
  abort.abort(new Error('given up'))
  expect(await run).toEqual({ outcome: { end: 'aborted', report: '', stderrTail: '' }, result: '' })
  await expect(runProgram('', { signal: abort.signal })).rejects.toThrow('given up')
})

test('an abort while inputs are copied ends the run before the program starts', async () => {
  const abort = new AbortController()
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('first')
    abort.abort(new Error('given up'))
    yield Buffer.from('second')
  }
  const { outcome } = await runProgram('', {
    signal: abort.signal,
    inputs: [{ name: 'a', content: endless() }],
  })
  expect(outcome.end).toBe('aborted')
})

test('inputs, results, memory and temporary files are limited', async () => {
  const large = await runProgram('', {
    inputs: [
      { name: 'a', content: chunksOf('x'.repeat(600)) },
      { name: 'b', content: chunksOf('x'.repeat(600)) },
    ],
    limits: { inputBytes: 1000 },
  })
  expect(large.outcome.end).toBe('inputLimit')

  const endless = await runProgram(
    `const part = 'x'.repeat(100_000); for (;;) { fs.appendFileSync('/run/output/result', part); await new Promise((resolve) => setTimeout(resolve, 1)) }`,
    { limits: { outputBytes: megabyte } },
  )
  expect(endless).toMatchObject({ outcome: { end: 'outputLimit', report: '' }, result: '' })
  // The size limit also applies if the program exits before its result is measured.
  const quick = await runProgram(`fs.writeFileSync('/run/output/result', 'x'.repeat(1001)); report('done')`, {
    limits: { outputBytes: 1000 },
  })
  expect(quick).toMatchObject({ outcome: { end: 'outputLimit', report: '' }, result: '' })
  const exact = await runProgram(`fs.writeFileSync('/run/output/result', 'x'.repeat(1000))`, {
    limits: { outputBytes: 1000 },
  })
  expect([exact.outcome.end, exact.result.length]).toEqual(['exited', 1000])

  const greedy = await runProgram(
    `const all = []; for (;;) { all.push(Buffer.alloc(1_000_000, 1)); await new Promise((resolve) => setTimeout(resolve, 2)) }`,
    { limits: { memoryBytes: 300 * megabyte } },
  )
  expect(greedy.outcome.end).toBe('memoryLimit')

  const full = await runProgram(
    `try { fs.writeFileSync('/tmp/file', Buffer.alloc(30_000_000)) } catch (error) { report(error.code) }`,
  )
  expect(full.outcome).toMatchObject({ end: 'exited', report: 'ENOSPC' })
})

test('a program that cannot start rejects with a sandbox error that contains the reason', async () => {
  const missing = runProgram('', { program: join(folder, 'missing.mjs') })
  await expect(missing).rejects.toBeInstanceOf(NotStartedError)
  await expect(runProgram('', { program: join(folder, 'missing.mjs') })).rejects.toThrow('missing.mjs')
})
