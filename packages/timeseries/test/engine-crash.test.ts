import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, inject, test } from 'vitest'
import { openEmbeddedEngine, type EmbeddedEngine, type PointBatch, type SeriesQuery } from '../src/index.ts'
import { openEmbeddedConnection } from '../src/embedded-connection.ts'
import { readText } from './series-engine.spec.ts'

const isLong = inject('campaign') === 'long'
const columns = [{ id: 1, type: 'double' as const }]
const folders: string[] = []
const engines: EmbeddedEngine[] = []

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'series-crash-'))
  folders.push(folder)
  return folder
}

async function open(folder: string, lockWaitMs?: number): Promise<EmbeddedEngine> {
  const engine = await openEmbeddedEngine({ folder, lockWaitMs })
  engines.push(engine)
  return engine
}

function* batches(rowCount: number, value: number): Generator<PointBatch> {
  for (let at = 0; at < rowCount; at += 50_000) {
    const size = Math.min(50_000, rowCount - at)
    yield {
      sids: new Uint32Array(size).fill(1),
      timestamps: Float64Array.from({ length: size }, (_, row) => Date.UTC(2000, 0, 1) + (at + row) * 1000),
      values: [new Float64Array(size).fill(value)],
    }
  }
}

function kill(engine: EmbeddedEngine): void {
  if (engine.processId !== undefined) process.kill(engine.processId, 'SIGKILL')
}

const query: SeriesQuery = {
  symbolKeys: ['Code'],
  selections: [
    { dataset: 1, series: [{ sid: 1, symbols: ['A'] }], columns: [{ ...columns[0]!, name: 'V' }] },
  ],
}

test('an engine killed at any time during an upload returns only complete versions, including every acknowledged one', async () => {
  const engine = await open(await newFolder())
  const rowCount = 120_000
  const acknowledged: number[] = []
  const attempts = isLong ? 48 : 5
  let struck = 0
  let lastMs = 100
  for (let attempt = 1; attempt <= attempts; attempt++) {
    let isUnderWay = true
    // A different time during the upload on each attempt, independent of the upload speed.
    const killer = sleep(lastMs * ((attempt * 0.37) % 1)).then(() => {
      if (attempt % 4 === 0) return
      if (isUnderWay) struck++
      kill(engine)
    })
    const startMs = performance.now()
    try {
      await engine.stage({ dataset: 1, version: attempt, columns, batches: batches(rowCount, attempt) })
      await engine.publish(1, attempt)
      acknowledged.push(attempt)
      if (attempt % 4 === 0) lastMs = performance.now() - startMs
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/unavailable|not-staged/) })
    }
    isUnderWay = false
    await killer
    const versions = await engine.listVersions(1)
    for (const { rows } of versions) expect(rows).toBe(rowCount)
    const listed = versions.map(({ version }) => version)
    expect(listed).toEqual(expect.arrayContaining(acknowledged))
    const newest = listed.at(-1)
    const lines = (
      await readText(engine, { ...query, range: { kind: 'LAST', amount: 1, unit: 'VALUES' } })
    ).split('\n')
    expect(lines[1] ?? '').toBe(newest === undefined ? '' : `A,2000-01-02T09:19:59,${newest}`)
  }
  expect(struck).toBeGreaterThan(0)
  expect(acknowledged.length).toBeGreaterThan(0)
}, 240_000)

test('a version whose publishing was killed is completely visible or invisible, and can be published again', async () => {
  const engine = await open(await newFolder())
  const rowCount = 2_600_000
  for (let attempt = 1; attempt <= (isLong ? 5 : 1); attempt++) {
    await engine.stage({ dataset: 1, version: attempt, columns, batches: batches(rowCount, attempt) })
    const publishing = engine.publish(1, attempt).catch((error: unknown) => error)
    await sleep(attempt * 40)
    kill(engine)
    await publishing
    for (const { rows } of await engine.listVersions(1)) expect(rows).toBe(rowCount)
    await engine.publish(1, attempt)
    expect(await engine.listVersions(1)).toHaveLength(attempt)
  }
}, 240_000)

test('a version can be published after a kill between staging and publishing', async () => {
  const engine = await open(await newFolder())
  await engine.stage({ dataset: 1, version: 1, columns, batches: batches(1000, 1) })
  kill(engine)
  await sleep(50)
  expect(await engine.listVersions(1)).toEqual([])
  await engine.publish(1, 1)
  expect(await engine.listVersions(1)).toEqual([{ version: 1, rows: 1000 }])
})

test('an engine killed while it builds a roll-up returns the same results and leaves no incomplete table', async () => {
  const folder = await newFolder()
  const days: SeriesQuery = { ...query, resample: { unit: 'DAYS', amount: 1, functions: ['sum', 'count'] } }
  let engine = await open(folder)
  const store = async (version: number) => {
    await engine.stage({ dataset: 1, version, columns, batches: batches(300_000, version) })
    await engine.publish(1, version)
  }
  const byPoints = async () => (await readText(engine, { ...days, timeZone: 'Etc/UTC' })).split('\n').slice(1)
  await store(1)
  await engine.rollUp(1)
  let lastMs = 200
  let struck = 0
  // On a busy machine, a kill can come after the end of a build. At least one has to come before it.
  for (let attempt = 2; attempt <= (isLong ? 20 : 4) || struck === 0; attempt++) {
    await store(attempt)
    // Some builds finish, to measure how long one takes here.
    const isSpared = attempt % 3 === 0
    const startMs = performance.now()
    const making = engine.rollUp(1).catch(() => struck++)
    if (!isSpared) {
      await sleep(lastMs * ((attempt * 0.37) % 1))
      kill(engine)
    }
    await making
    if (isSpared) lastMs = performance.now() - startMs
    const result = (await readText(engine, days)).split('\n').slice(1)
    expect(result).toEqual(await byPoints())
    expect(result[0]).toBe(`A,2000-01-01T00:00:00,${86_400 * attempt},86400`)
  }
  await engine.close()
  engine = await open(folder)
  await engine.rollUp(1)
  expect((await readText(engine, days)).split('\n').slice(1)).toEqual(await byPoints())
  await engine.close()
  const connection = await openEmbeddedConnection({ folder })
  const tables = await connection.rows(`SELECT name FROM system.tables WHERE startsWith(name, 'rollup_')`)
  await connection.close()
  expect(tables).toHaveLength(1)
}, 240_000)

test('a query survives the death of an idle engine', async () => {
  const engine = await open(await newFolder())
  await engine.stage({ dataset: 1, version: 1, columns, batches: batches(1000, 1) })
  await engine.publish(1, 1)
  for (let round = 0; round < 3; round++) {
    kill(engine)
    expect((await readText(engine, query)).split('\n').length).toBe(1002)
  }
})

test('a query over many series killed while in progress returns all of them or reports that the engine stopped', async () => {
  const engine = await open(await newFolder())
  const sids = Uint32Array.from({ length: 3000 }, (_, index) => index + 1)
  const timestamps = new Float64Array(3000).fill(Date.UTC(2000, 0, 1))
  const values = [new Float64Array(3000).fill(1)]
  await engine.stage({ dataset: 1, version: 1, columns, batches: [{ sids, timestamps, values }] })
  await engine.publish(1, 1)
  const series = Array.from(sids, (sid) => ({ sid, symbols: [`S${sid}`] }))
  const many: SeriesQuery = { ...query, selections: [{ ...query.selections[0]!, series }] }
  const whole = await readText(engine, many)
  for (let delay = 0; delay < 90; delay += isLong ? 6 : 18) {
    const requested = readText(engine, { ...many, format: delay % 36 === 0 ? 'PANDAS' : 'NCSV' }).catch(
      (error: unknown) => error,
    )
    await sleep(delay)
    kill(engine)
    const result = await requested
    if (typeof result !== 'string') expect(result).toMatchObject({ code: 'unavailable' })
    else if (result.startsWith('Code')) expect(result).toBe(whole)
    else expect(result.match(/_V"/g)).toHaveLength(3000)
  }
})

test('discards versions that a previous owner staged, and preserves those that it published', async () => {
  const folder = await newFolder()
  const first = await open(folder)
  await first.stage({ dataset: 1, version: 1, columns, batches: batches(10, 1) })
  await first.publish(1, 1)
  await first.stage({ dataset: 1, version: 2, columns, batches: batches(10, 2) })
  await first.close()
  const second = await open(folder)
  expect(await second.listVersions(1)).toEqual([{ version: 1, rows: 10 }])
  await expect(second.publish(1, 2)).rejects.toMatchObject({ code: 'not-staged' })
})

test('rejects a second engine on a folder, and closes the folder to other users', async () => {
  const folder = await newFolder()
  const first = await open(folder)
  await expect(open(folder, 0)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(folder),
  })
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await first.listVersions(1)).toEqual([])
  await first.close()
  expect(await (await open(folder)).listVersions(1)).toEqual([])
})

test('an engine ends with its parent process, however that process ends', async () => {
  const folder = await newFolder()
  const script = join(folder, 'owner.mjs')
  const index = new URL('../src/index.ts', import.meta.url).href
  await writeFile(
    script,
    `import { openEmbeddedEngine } from ${JSON.stringify(index)}
    const engine = await openEmbeddedEngine({ folder: ${JSON.stringify(join(folder, 'engine'))} })
    process.send(engine.processId)
    setInterval(() => {}, 1000)`,
  )
  const owner = fork(script, { execArgv: [] })
  const [processId] = (await once(owner, 'message')) as [number]
  owner.kill('SIGKILL')
  const hasEnded = async () => {
    const status = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => undefined)
    return status === undefined || status.includes(') Z ')
  }
  await expect.poll(hasEnded).toBe(true)
})

test('opens a folder whose path is too long for a unix socket', async () => {
  const engine = await open(join(await newFolder(), 'a'.repeat(80), 'b'.repeat(40)))
  expect(await engine.listVersions(1)).toEqual([])
})
