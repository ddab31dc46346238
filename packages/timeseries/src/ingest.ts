import { earliestMs, readEarliestMs } from './calendar-time.ts'
import {
  datasetTable,
  originName,
  positiveInteger,
  stagingTable,
  type DatasetFacts,
  type DatasetTables,
} from './dataset-tables.ts'
import { CollectedUpload } from './collected-upload.ts'
import { insertSql } from './insert-sql.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type {
  CollectedPoints,
  CollectRequest,
  ColumnSpec,
  StageRequest,
  StageResult,
  VersionFact,
} from './series-upload.ts'
import type { SeriesTail } from './series-tail.ts'
import type { SqlConnection, Upload } from './sql-connection.ts'
import { quoteTimestamp } from './sql-text.ts'
import type { PublishedUpload } from './tail-store.ts'
import {
  checkColumns,
  encodeBatches,
  maxDirectBytes,
  maxDirectRows,
  noRows,
  structureOf,
  type UploadFacts,
} from './upload-blocks.ts'
import { addToFacts, noPoints, stagedFactsOf, type StagedFacts } from './upload-facts.ts'
import { UploadTails } from './upload-tails.ts'

/** Limits the length of a statement to about 100 kB. */
const seriesPerStatement = 10_000

/** Writing side of the engine: see the methods of SeriesEngine. */
export class Ingest {
  readonly #connection: SqlConnection
  readonly #tables: DatasetTables
  readonly #isOnlyWriter: boolean
  /** Facts of staged uploads, by staging table. */
  readonly #staged = new Map<string, StagedFacts>()
  /** Uploads that are published without a staging table, by the name that the table would have. */
  readonly #direct = new Map<string, DirectUpload>()
  /** Cached facts of datasets, if no other server writes. */
  readonly #facts = new Map<number, DatasetFacts>()

  /** Earliest date that the engine can store; undefined before the first request. */
  #earliest: Promise<number> | undefined
  /** Changes of facts in progress, by dataset. */
  readonly #changes = new Map<number, Promise<unknown>>()

  /** @param isOnlyWriter whether no other server publishes versions of the datasets */
  constructor(connection: SqlConnection, tables: DatasetTables, { isOnlyWriter = false } = {}) {
    this.#connection = connection
    this.#tables = tables
    this.#isOnlyWriter = isOnlyWriter
  }

  async collect({ columns, batches, signal }: CollectRequest): Promise<CollectedPoints> {
    checkColumns(columns)
    const seen = noRows()
    const earliest = await this.#findEarliest()
    // Other servers may add points, so the tails would be incomplete.
    const tails = this.#isOnlyWriter ? new UploadTails(columns) : undefined
    const upload = await this.#connection.upload(
      structureOf(columns),
      encodeBatches(columns, batches, { seen, tails, earliest, signal }),
    )
    return new CollectedUpload(columns, upload, seen, tails?.take())
  }

  async stage({
    dataset,
    version,
    columns,
    batches,
    mode = 'replace',
    signal,
  }: StageRequest): Promise<StageResult> {
    const points = batches instanceof CollectedUpload ? batches : undefined
    const { upload, seen, tails } =
      points ??
      ((await this.collect({
        columns,
        batches: batches as CollectRequest['batches'],
        signal,
      })) as CollectedUpload)
    const target = stagingTable(dataset, version)
    let isCollected = false
    try {
      if (this.#direct.has(target)) await this.discard(dataset, version)
      const stored = await this.#tables.ensure(dataset, columns, { hasOrigins: mode !== 'replace' })
      const isCountKnown = mode === 'replace' && seen.isSorted
      if (isCountKnown && this.#isOnlyWriter && seen.rows <= maxDirectRows && seen.bytes <= maxDirectBytes) {
        isCollected = true
        const end = this.#tables.beginPublishing(dataset, version)
        const announcing =
          seen.rows === 0 ? Promise.resolve(undefined) : this.#announceFacts(dataset, version, seen)
        announcing.catch(() => {})
        this.#direct.set(target, { upload, columns, seen, tails, announcing, end, isTried: false })
        return resultOf(seen.rows, { rows: seen.rows, first: seen.first, last: seen.last })
      }
      await this.#tables.createStaging(dataset, version)
      if (seen.rows === 0) return resultOf(0, { rows: 0, first: 0, last: 0 })
      if (!isCountKnown) await this.#checkArrival(upload, seen.rows)
      await this.#connection.run(
        insertSql({ target, dataset, version, columns, stored, source: upload.source, mode, seen }),
      )
      const staged = { ...(await this.#describeStaged(target)), mayHaveExtremes: seen.hasExtremes }
      this.#staged.set(target, staged)
      if (isCountKnown ? staged.rows !== seen.rows : mode === 'replace' && staged.rows === 0) {
        throw lostRows(seen.rows, staged.rows)
      }
      const firstRepeat =
        seen.isSorted || staged.rows === seen.rows ? undefined : await this.#findRepeat(upload.source)
      return { ...resultOf(seen.rows, staged), ...(firstRepeat === undefined ? {} : { firstRepeat }) }
    } catch (error) {
      await this.discard(dataset, version).catch(() => {})
      throw error
    } finally {
      if (!isCollected) await upload.drop()
    }
  }

  async publish(dataset: number, version: number): Promise<void> {
    const staging = stagingTable(dataset, version)
    const direct = this.#direct.get(staging)
    if (direct && !direct.isTried) {
      await this.#publishDirectly(dataset, version, direct)
      return
    }
    await this.#changes.get(dataset)?.catch(() => {})
    const { partCount, isPublished, isEmpty, facts } = await this.#tables.alignStaging(dataset, version)
    if (isPublished) {
      await this.discard(dataset, version)
      return
    }
    if (direct) {
      await this.#publishDirectly(dataset, version, direct)
      return
    }
    if (partCount === undefined) {
      throw new SeriesEngineError(
        'not-staged',
        `Version ${version} of dataset ${dataset} is not staged; stage it again.`,
      )
    }
    if (partCount > 1) {
      await this.#connection.run(`OPTIMIZE TABLE ${staging} FINAL SETTINGS optimize_throw_if_noop = 1`)
    }
    if (partCount > 0) {
      const staged = this.#staged.get(staging) ?? (await this.#describeStaged(staging))
      // The facts are written before the points, because facts with wider bounds still hold for fewer points.
      await this.#writeFacts(dataset, addToFacts(isEmpty ? noPoints : facts, version, staged))
      await this.#connection.run(
        `ALTER TABLE ${staging} MOVE PARTITION tuple() TO TABLE ${datasetTable(dataset)}`,
      )
    }
    await this.discard(dataset, version)
  }

  /** Returns the first and last series of a staged version; undefined if unknown. */
  stagedSeries(dataset: number, version: number): { firstSid: number; lastSid: number } | undefined {
    const staging = stagingTable(dataset, version)
    const direct = this.#direct.get(staging)
    return direct ? stagedFactsOf(direct.seen) : this.#staged.get(staging)
  }

  /** Returns the newest rows of a staged version, and the facts before it; undefined if either is unknown. */
  async stagedTails(dataset: number, version: number): Promise<PublishedUpload | undefined> {
    const direct = this.#direct.get(stagingTable(dataset, version))
    const before = await direct?.announcing.catch(() => undefined)
    if (direct?.tails === undefined || before === undefined) return undefined
    // If versions revise others, series may be older than the facts about them.
    const lastSid = before.mayRevise ? Infinity : before.lastSid
    return { tails: direct.tails, before: { version: before.version, lastSid } }
  }

  async discard(dataset: number, version: number): Promise<void> {
    const staging = stagingTable(dataset, version)
    const direct = this.#direct.get(staging)
    if (direct) {
      this.#direct.delete(staging)
      await direct.announcing.catch(() => {})
      direct.end()
      await direct.upload.drop()
      return
    }
    this.#staged.delete(staging)
    await this.#connection.run(`DROP TABLE IF EXISTS ${stagingTable(dataset, version)} SYNC`)
  }

  async remove(dataset: number, version: number): Promise<void> {
    positiveInteger(version, 'version')
    if (!(await this.#tables.find(dataset))) return
    await this.#endOrigin(dataset, version)
    await this.#connection.run(
      `DELETE FROM ${datasetTable(dataset)} WHERE age = -${version} SETTINGS lightweight_deletes_sync = 2`,
    )
  }

  /** Values that later versions inherited from this one become their own. */
  async #endOrigin(dataset: number, version: number): Promise<void> {
    const origins = [...(await this.#tables.findOrigins(dataset))].map(originName)
    if (origins.length === 0) return
    const condition = origins.map((name) => `${name} = -${version}`).join(' OR ')
    const table = datasetTable(dataset)
    const rows = await this.#connection.rows(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`)
    if (rows.length === 0) return
    const changes = origins.map((name) => `${name} = if(${name} = -${version}, 0, ${name})`)
    await this.#connection.run(
      `ALTER TABLE ${table} UPDATE ${changes.join(', ')} WHERE ${condition} SETTINGS mutations_sync = 2`,
    )
  }

  async removeSeries(dataset: number, sids: readonly number[]): Promise<void> {
    for (const sid of sids) positiveInteger(sid, 'series')
    if (!(await this.#tables.find(dataset))) return
    for (let at = 0; at < sids.length; at += seriesPerStatement) {
      const list = sids.slice(at, at + seriesPerStatement).join(', ')
      await this.#connection.run(
        `DELETE FROM ${datasetTable(dataset)} WHERE sid IN (${list}) SETTINGS lightweight_deletes_sync = 2`,
      )
    }
  }

  /**
   * Makes roll-ups unusable, because they do not include a version that is published later but is older than they are. A
   * removal has this effect, too.
   */
  async endRollUps(dataset: number): Promise<void> {
    if (!(await this.#tables.find(dataset))) return
    await this.#connection.run(
      `DELETE FROM ${datasetTable(dataset)} WHERE age = 0 SETTINGS lightweight_deletes_sync = 2`,
    )
  }

  async listVersions(dataset: number): Promise<VersionFact[]> {
    if (!(await this.#tables.find(dataset))) return []
    const rows = await this.#connection.rows(
      `SELECT toString(-age) AS version, toString(count()) AS rows FROM ${datasetTable(dataset)} GROUP BY age ORDER BY age DESC`,
    )
    return rows.map((row) => ({ version: Number(row.version), rows: Number(row.rows) }))
  }

  async dropDataset(dataset: number): Promise<void> {
    await this.#connection.run(`DROP TABLE IF EXISTS ${datasetTable(dataset)} SYNC`)
    this.#tables.forget(dataset)
    this.#facts.delete(dataset)
  }

  /** One block creates one part, which becomes visible atomically without a staging table. */
  async #publishDirectly(dataset: number, version: number, direct: DirectUpload): Promise<void> {
    const { upload, columns, seen } = direct
    if (seen.rows > 0) {
      // Retries if the engine died in the meantime.
      await direct.announcing.catch(() => this.#announceFacts(dataset, version, seen))
      direct.isTried = true
      const target = datasetTable(dataset)
      await this.#connection.run(
        insertSql({ target, dataset, version, columns, source: upload.source, mode: 'replace', seen }),
      )
      await this.#checkPublished(dataset, version, seen)
    }
    await this.discard(dataset, version)
  }

  /**
   * Writes the facts before the points, because facts with wider bounds still hold for fewer points.
   * @returns the previous facts
   */
  async #announceFacts(
    dataset: number,
    version: number,
    seen: UploadFacts,
  ): Promise<DatasetFacts | undefined> {
    return this.#changeFacts(dataset, async () => {
      const known = this.#facts.get(dataset) ?? (await this.#tables.readFactsOrNone(dataset))
      const facts = known === 'no points' ? noPoints : known
      await this.#writeFacts(dataset, addToFacts(facts, version, stagedFactsOf(seen)))
      return facts
    })
  }

  /**
   * Returns the earliest date that the engine can store. The embedded engine, which is the only writer, stores all dates.
   */
  async #findEarliest(): Promise<number> {
    if (this.#isOnlyWriter) return earliestMs
    this.#earliest ??= readEarliestMs(this.#connection)
    this.#earliest.catch(() => (this.#earliest = undefined))
    return this.#earliest
  }

  /**
   * Runs the changes of a dataset's facts one at a time, because each change starts from the result of the previous one.
   */
  async #changeFacts<T>(dataset: number, change: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(dataset)
    const own = (async () => {
      await before?.catch(() => {})
      return change()
    })()
    this.#changes.set(dataset, own)
    try {
      return await own
    } finally {
      if (this.#changes.get(dataset) === own) this.#changes.delete(dataset)
    }
  }

  async #writeFacts(dataset: number, facts: DatasetFacts): Promise<void> {
    this.#facts.delete(dataset)
    await this.#tables.writeFacts(dataset, facts)
    if (this.#isOnlyWriter) this.#facts.set(dataset, facts)
  }

  /**
   * Checks that the rows arrived, because some kinds of inserts report success and write nothing. All rows form one part, so
   * it is sufficient to check one row.
   */
  async #checkPublished(dataset: number, version: number, seen: UploadFacts): Promise<void> {
    const [row] = await this.#connection.rows(
      `SELECT toFloat64(count()) AS rows FROM ${datasetTable(dataset)}
      WHERE sid = ${seen.sid} AND ts = ${quoteTimestamp(seen.timestamp)} AND age = -${version}`,
    )
    if (row?.rows !== 1) throw lostRows(seen.rows, 0)
  }

  /** Counts the rows that arrived, because some kinds of inserts report success and write nothing. */
  async #checkArrival(upload: Upload, sent: number): Promise<void> {
    const [row] = await this.#connection.rows(`SELECT toFloat64(count()) AS rows FROM ${upload.source}`)
    if (row?.rows !== sent) throw lostRows(sent, Number(row?.rows))
  }

  async #findRepeat(source: string): Promise<StageResult['firstRepeat']> {
    const [row] = await this.#connection.rows(
      `SELECT toFloat64(seq) AS row, toFloat64(sid) AS sid, toFloat64(toUnixTimestamp64Milli(ts)) AS timestamp
      FROM (SELECT sid, ts, seq FROM ${source} ORDER BY sid, ts, seq LIMIT 1 OFFSET 1 BY sid, ts)
      ORDER BY seq LIMIT 1`,
    )
    return row as StageResult['firstRepeat']
  }

  async #describeStaged(table: string): Promise<StagedFacts> {
    const [row] = await this.#connection.rows(
      `SELECT toFloat64(count()) AS rows, toFloat64(min(sid)) AS firstSid, toFloat64(max(sid)) AS lastSid,
        toFloat64(min(toUnixTimestamp64Milli(ts))) AS first, toFloat64(max(toUnixTimestamp64Milli(ts))) AS last,
        max(toUnixTimestamp64Milli(ts) % 1000 != 0) > 0 AS mayHaveMilliseconds
      FROM ${table}`,
    )
    return {
      ...row,
      mayHaveMilliseconds: Boolean(row?.mayHaveMilliseconds),
      mayHaveExtremes: true,
    } as StagedFacts
  }
}

/** An upload that is published in one step. */
interface DirectUpload {
  upload: Upload
  columns: readonly ColumnSpec[]
  seen: UploadFacts
  tails: ReadonlyMap<number, SeriesTail> | undefined
  /** Resolves with the earlier facts once the facts of the dataset include the upload. */
  announcing: Promise<DatasetFacts | undefined>
  /** Called when the version is visible or abandoned. */
  end: () => void
  /** Whether its points may already be visible. */
  isTried: boolean
}

function resultOf(rowsRead: number, staged: { rows: number; first: number; last: number }): StageResult {
  return {
    rowsRead,
    rowsStaged: staged.rows,
    ...(staged.rows > 0 ? { firstTimestamp: staged.first, lastTimestamp: staged.last } : {}),
  }
}

function lostRows(sent: number, arrived: number): SeriesEngineError {
  return new SeriesEngineError('failed', `Only ${arrived} of ${sent} rows arrived in the series engine.`)
}
