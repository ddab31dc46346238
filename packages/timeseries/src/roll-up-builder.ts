import { setTimeout as sleep } from 'node:timers/promises'
import { datasetTable, type DatasetTables } from './dataset-tables.ts'
import type { PointSelection } from './point-sql.ts'
import { buildDaysSql, dayFactKinds, daysOfPoints, type RollUp } from './roll-up-sql.ts'
import { usableRollUp, type RollUpState, type RollUpTables } from './roll-up-tables.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { ValueType } from './series-upload.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger } from './sql-text.ts'

/** Minimum number of rows of a dataset with a roll-up. Fewer points are read fast enough. */
const leastRows = 262_144
/** Minimum number of points per day. With fewer, a roll-up saves nothing. */
const leastPointsPerDay = 16
/** A roll-up is rebuilt once this many points are newer than it, or this share of all points. */
const leastNewRows = 65_536
const newPart = 1 / 64
/** Number of points that one statement reads. */
const rowsPerStep = 2_000_000

/** Maximum time for which changes delay the work. */
const longestWaitMs = 300_000
/** Maximum time for which uploads delay a step. */
const longestPauseMs = 30_000

/** Options of the roll-ups. */
export interface RollUpOptions {
  /** Milliseconds without a change of points before roll-ups are checked. Default 10,000. */
  rollUpAfterMs?: number
  /** Called if a roll-up cannot be built. Default: ignored. */
  log?: (message: string, details: Record<string, unknown>) => void
}

/**
 * Builds roll-ups in the background, some seconds after the last change of points. It builds one at a time, with one thread,
 * in steps that wait for uploads to end. If the process is killed, an unused table remains.
 */
export class RollUpBuilder {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #rollUps: RollUpTables
  readonly #quietMs: number
  readonly #log: NonNullable<RollUpOptions['log']>
  /** Datasets with changes. */
  #changed = new Set<number>()
  /** Whether to check all datasets, because earlier changes are unknown. */
  #isNew = true
  #timer: NodeJS.Timeout | undefined
  /** Time of the oldest unprocessed change. */
  #sinceMs: number | undefined
  #uploads = 0
  #isStopped = false
  #work: Promise<void> = Promise.resolve()
  /** Datasets with few points per day, with their number of rows at the time of the check. */
  readonly #sparse = new Map<number, number>()

  constructor(
    connection: SqlConnection,
    tables: DatasetTables,
    rollUps: RollUpTables,
    { rollUpAfterMs = 10_000, log = () => {} }: RollUpOptions = {},
  ) {
    this.#connection = connection
    this.#tables = tables
    this.#rollUps = rollUps
    this.#quietMs = rollUpAfterMs
    this.#log = log
    this.#wait()
  }

  /** Runs a part of an upload; builds wait for it. */
  async uploading<T>(work: () => Promise<T>): Promise<T> {
    this.#uploads++
    try {
      return await work()
    } finally {
      this.#uploads--
    }
  }

  /** Must be called after points of a dataset were added or removed. */
  changed(dataset: number): void {
    this.#changed.add(dataset)
    this.#wait()
  }

  /** Updates the roll-up of a dataset, regardless of its size. */
  build(dataset: number): Promise<void> {
    return this.#inTurn(() => this.#build(dataset, true))
  }

  /** Stops the work; a running step ends with its connection. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #wait(): void {
    if (this.#isStopped) return
    const nowMs = performance.now()
    this.#sinceMs ??= nowMs
    clearTimeout(this.#timer)
    const waitMs = Math.min(this.#quietMs, this.#sinceMs + longestWaitMs - nowMs)
    this.#timer = setTimeout(() => void this.#inTurn(() => this.#buildChanged()), Math.max(0, waitMs))
    this.#timer.unref()
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const own = this.#work.then(work)
    this.#work = own.catch(() => {})
    return own
  }

  async #buildChanged(): Promise<void> {
    this.#sinceMs = undefined
    const changed = this.#changed
    this.#changed = new Set()
    try {
      if (this.#isNew) for (const dataset of await this.#rollUps.candidates(leastRows)) changed.add(dataset)
      this.#isNew = false
    } catch (error) {
      this.#report(error)
    }
    for (const dataset of changed) {
      if (this.#isStopped) return
      await this.#build(dataset, false).catch((error: unknown) => {
        // Checked again after the next change of any dataset.
        this.#changed.add(dataset)
        this.#report(error, dataset)
      })
    }
  }

  #report(error: unknown, dataset?: number): void {
    if (this.#isStopped) return
    this.#log('A roll-up could not be built.', {
      dataset,
      error: error instanceof Error ? error.message : error,
    })
  }

  async #build(dataset: number, isDemanded: boolean): Promise<void> {
    const state = await this.#rollUps.read(dataset)
    if (!state) {
      await this.#rollUps.dropAll(dataset)
      return
    }
    for (const { table, note } of state.rollUps)
      if (note && note.source !== state.source) await this.#rollUps.drop(table)
    if (state.isChanging) {
      this.changed(dataset)
      return
    }
    const before = usableRollUp(state)
    const stored = await this.#tables.find(dataset)
    if (!stored || stored.size === 0) return
    if (!isDemanded && !(await this.#isDue(dataset, before))) return
    const [newer] = await this.#connection.rows(
      `SELECT toFloat64(count()) AS rows, toString(-min(age)) AS version FROM ${datasetTable(dataset)} ${newerThan(before)}`,
    )
    if (!newer || newer.rows === 0) return
    await this.#make(dataset, { state, stored, before, version: Number(newer.version) })
  }

  /** Returns whether a roll-up saves more than it costs. */
  async #isDue(dataset: number, before: RollUp | undefined): Promise<boolean> {
    const count = async (rows: string) => {
      const [row] = await this.#connection.rows(`SELECT toFloat64(count()) AS rows FROM ${rows}`)
      return Number(row?.rows)
    }
    const table = datasetTable(dataset)
    const all = await count(table)
    if (before) return (await count(`${table} ${newerThan(before)}`)) >= Math.max(leastNewRows, all * newPart)
    if (all < Math.max(leastRows, 2 * (this.#sparse.get(dataset) ?? 0))) return false
    const days = await count(
      `(SELECT sid, toDate32(ts) AS day FROM ${table} GROUP BY sid, day) SETTINGS max_threads = 1, optimize_aggregation_in_order = 1`,
    )
    if (all >= days * leastPointsPerDay) return true
    this.#sparse.set(dataset, all)
    return false
  }

  async #make(
    dataset: number,
    {
      state,
      stored,
      before,
      version,
    }: {
      state: RollUpState
      stored: ReadonlyMap<number, ValueType>
      before: RollUp | undefined
      version: number
    },
  ): Promise<void> {
    const columns = [...stored].map(([id, type]) => ({ id, type }))
    const facts = columns.flatMap(({ type }, columnIndex) =>
      dayFactKinds(type).map((kind) => ({ kind, columnIndex })),
    )
    const table = await this.#rollUps.create(dataset, columns)
    try {
      let above = 0
      for (const last of await this.#steps(dataset, before)) {
        await this.#pause()
        const selection: PointSelection = {
          dataset,
          seriesCondition: `sid > ${quoteInteger(above)} AND sid <= ${quoteInteger(last)}`,
          isOneSeries: false,
          columns,
          range: { versionTo: version },
          corrections: 'false',
          order: 'asc',
          ...(state.facts && !state.facts.mayRevise ? { distinctUpTo: state.facts.version } : {}),
        }
        const days =
          (before && buildDaysSql(selection, { ...before, isBehind: true }, facts)) ??
          daysOfPoints(selection, facts)
        await this.#connection.run(
          `INSERT INTO ${table} ${days} SETTINGS max_threads = 1, max_insert_threads = 1, ${exactly}`,
        )
        above = last
      }
      await this.#rollUps.finish(table, { version, source: state.source, columns: [...stored.keys()] })
    } catch (error) {
      await this.#rollUps.drop(table).catch(() => {})
      throw error
    }
    for (const other of state.rollUps) if (other.note) await this.#rollUps.drop(other.table)
  }

  /** Returns the last series of each step. */
  async #steps(dataset: number, before: RollUp | undefined): Promise<number[]> {
    const rows = `SELECT sid, count() AS rows FROM ${datasetTable(dataset)} ${newerThan(before)} GROUP BY sid`
    const steps = await this.#connection.rows(
      `SELECT toFloat64(max(sid)) AS last FROM (SELECT sid, intDiv(sum(rows) OVER (ORDER BY sid), ${rowsPerStep}) AS step FROM (${rows}))
        GROUP BY step ORDER BY step SETTINGS max_threads = 1, optimize_aggregation_in_order = 1`,
    )
    return [...steps.slice(0, -1).map(({ last }) => Number(last)), lastSid]
  }

  async #pause(): Promise<void> {
    const endMs = performance.now() + longestPauseMs
    while (this.#uploads > 0 && !this.#isStopped && performance.now() < endMs)
      await sleep(50, undefined, { ref: false })
    if (this.#isStopped) throw new SeriesEngineError('unavailable', 'The series engine is closed.')
  }
}

const lastSid = 4_294_967_295
/** Disables in-order aggregation: it joins several partial sums, and a quarter of the results are slightly wrong. */
const exactly = 'optimize_aggregation_in_order = 0'

function newerThan(rollUp: RollUp | undefined): string {
  return rollUp ? `WHERE age < ${quoteInteger(-rollUp.version)}` : ''
}
