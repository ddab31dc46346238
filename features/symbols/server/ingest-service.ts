import type { IngestFile, IngestOutcome, IngestProgress } from '@headwater/files/server'
import type { Clock, Executor, Log } from '@headwater/server-kit'
import {
  NcsvError,
  readNcsv,
  type NcsvBatch,
  type NcsvColumn,
  type NcsvHeader,
  type NcsvReading,
} from '@headwater/ncsv'
import {
  SeriesEngineError,
  type PointBatch,
  type SeriesEngine,
  type StageMode,
  type StageResult,
} from '@headwater/timeseries'
import { maxSymbolKeys } from '../contract/index.ts'
import { IngestRefused } from './ingest-refused.ts'
import { IngestTracker } from './ingest-tracker.ts'
import type { IngestStore, NamedSymbol, StoredColumn } from './ingest-store.ts'
import { symbolDigest } from './symbol-digest.ts'

/** What an ingest tells while it goes on, and how it is ended for good. */
export interface IngestReport {
  signal: AbortSignal
  /** Number of this try, counted from 1; the ones before may have left something behind. */
  attempt: number
  progress(progress: IngestProgress): Promise<void>
  /** Records the outcome; part of the transaction in which the symbols become real. */
  finish(executor: Executor, outcome: IngestOutcome): Promise<void>
}

export interface IngestServiceDependencies {
  store: IngestStore
  engine: SeriesEngine
  clock: Clock
  log: Log
}

export type IngestService = ReturnType<typeof createIngestService>

const symbolsPerStatement = 10_000
const progressEveryMs = 1000
const longestName = 500
const longestValue = 2000
/** Most value columns of a file, and as many of metadata. Every column of a group costs each of its questions time. */
const maxFileColumns = 1000
/** Most value columns of all files of a group together. */
const maxGroupColumns = 2000

/**
 * Brings files into the store of series and takes them out again. All functions of one group run one after the other; the
 * caller sees to it.
 */
export function createIngestService({ store, engine, clock, log }: IngestServiceDependencies) {
  /** Groups whose last ingest here ended in order, so that there is nothing to look for: to look costs a walk over all points. */
  const settled = new Set<number>()
  let lastVersion = 0

  /** Takes an NCSV file over: all of it, or nothing. */
  async function ingest(file: IngestFile, report: IngestReport): Promise<void> {
    if (report.attempt > 1 || !settled.delete(file.groupId)) await reconcile(file.groupId)
    await store.forget(file.fid)
    try {
      await takeOver(file, report)
    } catch (error) {
      await store.forget(file.fid)
      const message = messageForPeople(error)
      if (message === undefined) throw error
      await store.transaction((executor) => report.finish(executor, { state: 'REJECTED', message }))
    }
    settled.add(file.groupId)
  }

  async function takeOver(file: IngestFile, report: IngestReport): Promise<void> {
    const counted = countBytes(file.content)
    const reading = await readNcsv(counted.content)
    const columns = await matchColumns(file, reading.header)
    const version = await nextVersion(file.groupId)
    const tracker = new IngestTracker(columns.value.length)
    const progress = everyNowAndThen(clock, (rows) =>
      report.progress({ rows, bytes: counted.bytes(), sizeBytes: file.sizeBytes }),
    )
    const batches = mapBatches(file, reading, tracker, progress)
    const hasPoints = reading.header.dateColumn !== undefined && columns.value.length > 0
    try {
      const staged = hasPoints
        ? await engine.stage({
            dataset: file.groupId,
            version,
            columns: columns.value.map(({ id, type }) => ({ id, type })),
            batches,
            mode: stageMode(file.flags),
            signal: report.signal,
          })
        : await drain(batches)
      report.signal.throwIfAborted()
      await commit({ file, report, reading, columns, version, tracker, staged })
    } catch (error) {
      // A commit whose answer got lost may have happened all the same; then the points stay.
      if ((await store.ledgerEntryOfFile(file.fid)) === undefined) await engine.remove(file.groupId, version)
      throw error
    } finally {
      await engine.discard(file.groupId, version)
    }
  }

  async function commit(work: {
    file: IngestFile
    report: IngestReport
    reading: NcsvReading
    columns: MatchedColumns
    version: number
    tracker: IngestTracker
    staged: StageResult
  }): Promise<void> {
    const { file, report, reading, columns, version, tracker, staged } = work
    const isNothingNew = staged.rowsStaged === 0 && !(await store.bringsNewFacts(file.fid))
    if (file.flags.avoidDuplicates && isNothingNew) {
      const message = 'The file brings nothing new: every row equals what is stored. It was not kept.'
      await store.transaction(async (executor) => {
        await holdGroup(executor, file)
        await store.forget(file.fid, executor)
        await report.finish(executor, { state: 'DUPLICATE', message })
      })
      return
    }
    if (staged.rowsStaged > 0) await engine.publish(file.groupId, version)
    const ranges = await measureRanges(file.groupId, tracker.emptiedSids)
    const repeat = await describeRepeat(file.fid, staged.firstRepeat)
    await store.transaction(async (executor) => {
      await holdGroup(executor, file)
      await store.finish(executor, {
        fileId: file.fid,
        groupId: file.groupId,
        version,
        rowCount: staged.rowsStaged,
        keyNames: columns.keyNames,
        valueColumns: columns.value,
        metadataColumns: columns.metadata,
        facts: tracker.facts(symbolsPerStatement),
      })
      await store.setRanges(executor, ranges)
      await report.finish(executor, {
        state: 'READY',
        message: summary(reading.header, staged, tracker.symbolCount) + repeat,
      })
    })
  }

  /**
   * Symbols may be removed, and their group deleted, while a file passes by. Its points of removed symbols are staged under
   * ids that are not used any more, so the file is taken over once more from its beginning.
   */
  async function holdGroup(executor: Executor, { fid, groupId }: IngestFile): Promise<void> {
    if (!(await store.lockGroup(executor, groupId))) throw new Error('The group has been deleted meanwhile.')
    if (await store.hasVanishedSymbol(executor, fid))
      throw new Error('Symbols of the file have been removed meanwhile.')
  }

  /** Tells of the first of the rows that a later one replaced, such as those of an hour that a clock shows twice. */
  async function describeRepeat(fileId: string, repeat: StageResult['firstRepeat']): Promise<string> {
    if (repeat === undefined) return ''
    const keys = Object.entries(await store.keysOfNoted(fileId, repeat.sid))
    const symbol = keys.map(([name, value]) => `${name}=${value}`).join(', ')
    const shown = symbol.length > 200 ? `${symbol.slice(0, 200)}…` : symbol
    const row = (repeat.row + 1).toLocaleString('en')
    return ` The first repetition is row ${row} below the header (${shown} at ${isoLocal(repeat.timestamp)} UTC): of rows with one symbol and date the last one counts.`
  }

  /** Symbols of the reader become ids, and metadata is noted, as the rows pass by. */
  async function* mapBatches(
    file: IngestFile,
    { header, batches }: NcsvReading,
    tracker: IngestTracker,
    progress: (rows: number) => Promise<void>,
  ): AsyncGenerator<PointBatch> {
    const metadata = file.flags.skipMetadata ? [] : header.metadataColumns
    let rows = 0
    for await (const batch of batches) {
      for (let at = 0; at < batch.newSymbols.length; at += symbolsPerStatement) {
        const tuples = batch.newSymbols.slice(at, at + symbolsPerStatement)
        tracker.addSymbols(
          await store.noteSymbols(
            { fileId: file.fid, groupId: file.groupId },
            tuples.map((tuple) => namedSymbol(header, tuple)),
          ),
        )
      }
      if (metadata.length > 0) await noteMetadata(file.fid, metadata, batch, tracker)
      rows += batch.rowCount
      await progress(rows)
      if (header.dateColumn === undefined) continue
      const sids = tracker.addRows(batch)
      yield { sids, timestamps: batch.timestamps, values: batch.values }
    }
  }

  async function noteMetadata(
    fileId: string,
    columns: readonly NcsvColumn[],
    batch: NcsvBatch,
    tracker: IngestTracker,
  ): Promise<void> {
    const given = [...batch.metadata].map(([symbol, values]) => ({
      sid: tracker.sidOf(symbol),
      values: Object.fromEntries(
        columns.flatMap(({ name, type }, index) => {
          const value = values[index]
          if (value === null || value === undefined) return []
          const text = type === 'date' ? isoLocal(Number(value)) : String(value)
          checkLength(text, longestValue, `The metadata ${name}`)
          return [[name, text] as const]
        }),
      ),
    }))
    for (let at = 0; at < given.length; at += symbolsPerStatement)
      await store.noteMetadata(fileId, given.slice(at, at + symbolsPerStatement))
  }

  /** Ids of the columns of a file, after their types were held against those of the group. */
  async function matchColumns(file: IngestFile, header: NcsvHeader): Promise<MatchedColumns> {
    for (const name of [...header.symbolColumns, ...header.valueColumns, ...header.metadataColumns])
      checkLength(name.name, longestName, 'The column name')
    const metadata = file.flags.skipMetadata ? [] : header.metadataColumns
    checkCount(header.symbolColumns.length, maxSymbolKeys, 'symbol columns')
    checkCount(header.valueColumns.length, maxFileColumns, 'value columns')
    checkCount(metadata.length, maxFileColumns, 'metadata columns')
    const known = new Map((await store.valueColumns(file.groupId)).map((column) => [column.name, column]))
    const knownMetadata = new Map(
      (await store.metadataColumns(file.groupId)).map((column) => [column.name, column]),
    )
    for (const column of header.valueColumns) checkType('value', column, known.get(column.name))
    for (const column of metadata) checkType('metadata', column, knownMetadata.get(column.name))
    const unknown = header.valueColumns.filter((column) => !known.has(column.name))
    if (unknown.length > 0 && known.size + unknown.length > maxGroupColumns)
      throw new IngestRefused(
        `The group has ${known.size.toLocaleString('en')} value columns and the file brings ${unknown.length.toLocaleString('en')} more; a group may have at most ${maxGroupColumns.toLocaleString('en')}. Put the file into another group, or make its columns symbols.`,
      )
    const ids = await store.reserveColumnIds(unknown.length)
    const newValue = unknown.map(({ name, type }, index): StoredColumn => ({ id: ids[index]!, name, type }))
    const all = new Map([...known, ...newValue.map((column) => [column.name, column] as const)])
    return {
      value: header.valueColumns.map((column) => all.get(column.name)!),
      keyNames: header.symbolColumns.map((column) => column.name),
      metadata: metadata.map(({ name, type }) => ({ name, type })),
    }
  }

  /**
   * The engine has no version that the ledger lacks, as the group is in line. No two groups get the same one, for a
   * version also tells which file a point came with.
   */
  async function nextVersion(groupId: number): Promise<number> {
    const newest = await store.newestVersion(groupId)
    lastVersion = Math.max(clock.now().getTime() * 1000, newest + 1, lastVersion + 1)
    return lastVersion
  }

  async function measureRanges(groupId: number, sids: readonly number[]) {
    if (sids.length === 0) return []
    const found = new Map((await engine.statistics(groupId, sids)).map((each) => [each.sid, each]))
    return sids.map((sid) => ({
      sid,
      first: found.get(sid)?.firstTimestamp,
      last: found.get(sid)?.lastTimestamp,
    }))
  }

  /** Takes the points of a file away, with the symbols that only it named. Does nothing for a file that has none. */
  async function removeFile(fileId: string): Promise<void> {
    const entry = await store.ledgerEntryOfFile(fileId)
    if (entry === undefined) return
    await engine.remove(entry.groupId, entry.version)
    const ranges = await measureRanges(entry.groupId, await store.symbolIdsOfFile(fileId))
    await store.transaction(async (executor) => {
      await store.lockGroup(executor, entry.groupId)
      await store.setRanges(executor, ranges)
      await store.finishRemoval(executor, {
        fileId,
        groupId: entry.groupId,
        symbolsWithoutPoints: ranges.filter((range) => range.last === undefined).map((range) => range.sid),
      })
    })
  }

  /** Takes the points of removed symbols away. Cut short, it begins again. */
  async function removeSymbols(groupId: number): Promise<void> {
    const symbolIds = await store.removedSymbolIds(groupId)
    if (symbolIds.length === 0) return
    await engine.removeSeries(groupId, symbolIds)
    const versions = await engine.listVersions(groupId)
    await store.transaction((executor) =>
      store.finishSymbolRemoval(executor, { groupId, symbolIds, versions }),
    )
  }

  /** Brings the engine in line with the ledger: what a crash left half done is taken away or ended. */
  async function reconcile(groupId: number): Promise<void> {
    const before = await store.ledger(groupId)
    for (const entry of before) if (entry.state === 'removing') await removeFile(entry.fileId)
    await removeSymbols(groupId)
    const ledger = await store.ledger(groupId)
    const known = new Set(ledger.map((entry) => entry.version))
    const published = await engine.listVersions(groupId)
    for (const { version } of published) if (!known.has(version)) await engine.remove(groupId, version)
    const visible = new Set(published.map((fact) => fact.version))
    for (const { version, rowCount, fileId, state } of ledger)
      if (rowCount > 0 && state === 'published' && !visible.has(version))
        log.error({ groupId, fileId }, 'the points of an ingested file are missing; upload the file again')
  }

  /** Gives a file up for good: nothing of it stays, and `finish` records it. */
  async function abandon(
    { fid, groupId }: { fid: string; groupId: number },
    finish: (executor: Executor) => Promise<void>,
  ): Promise<void> {
    await reconcile(groupId)
    await store.transaction(async (executor) => {
      await store.forget(fid, executor)
      await finish(executor)
    })
  }

  /** Takes everything of a deleted group away. */
  async function removeGroup(groupId: number): Promise<void> {
    settled.delete(groupId)
    await store.forgetGroup(groupId)
    await engine.dropDataset(groupId)
  }

  return { ingest, removeFile, reconcile, abandon, removeGroup, forget: (fid: string) => store.forget(fid) }
}

interface MatchedColumns {
  /** Columns of the file in their order. */
  value: StoredColumn[]
  keyNames: string[]
  metadata: Omit<StoredColumn, 'id'>[]
}

/** PARTIAL_UPDATE wins over AVOID_DUPLICATES: a partial row is always a change of what is stored. */
function stageMode({ partialUpdate, avoidDuplicates }: IngestFile['flags']): StageMode {
  if (partialUpdate) return 'partial'
  return avoidDuplicates ? 'changes' : 'replace'
}

function namedSymbol(header: NcsvHeader, tuple: readonly string[]): NamedSymbol {
  const keys = Object.fromEntries(
    header.symbolColumns.flatMap(({ name }, index) =>
      tuple[index] === '' ? [] : [[name, tuple[index]!] as const],
    ),
  )
  for (const [name, value] of Object.entries(keys))
    checkLength(value, longestValue, `The symbol value of ${name}`)
  return { digest: symbolDigest(keys), keys }
}

async function drain(batches: AsyncIterable<PointBatch>): Promise<StageResult> {
  let rowsRead = 0
  for await (const batch of batches) rowsRead += batch.sids.length
  return { rowsRead, rowsStaged: 0 }
}

function checkType(
  kind: 'value' | 'metadata',
  column: NcsvColumn,
  stored: Omit<StoredColumn, 'id'> | undefined,
): void {
  if (stored === undefined || stored.type === column.type) return
  throw new IngestRefused(
    `Row 1, column ${column.index + 1} (${column.name}): the file calls this ${kind} column ${column.type}, but the group has it as ${stored.type}. Give it the type ${stored.type} in the header, or another name.`,
  )
}

function checkCount(count: number, limit: number, what: string): void {
  if (count <= limit) return
  throw new IngestRefused(
    `The file has ${count.toLocaleString('en')} ${what}; at most ${limit.toLocaleString('en')} are allowed. Split the file, or write what tells the columns apart as a symbol in rows of their own.`,
  )
}

function checkLength(text: string, limit: number, what: string): void {
  if (text.length <= limit) return
  throw new IngestRefused(
    `${what} “${text.slice(0, 40)}…” has ${text.length} characters; at most ${limit} are allowed.`,
  )
}

/** What to tell about a file that cannot be taken over; undefined when the fault is not in the file. */
function messageForPeople(error: unknown): string | undefined {
  if (error instanceof IngestRefused || error instanceof NcsvError) return error.message
  if (error instanceof SeriesEngineError && error.code === 'invalid') return error.message
  return error instanceof Error && error.cause !== undefined ? messageForPeople(error.cause) : undefined
}

function summary(header: NcsvHeader, { rowsRead, rowsStaged }: StageResult, symbolCount: number): string {
  const symbols = counted(symbolCount, 'symbol')
  if (header.dateColumn === undefined) return `Took over the metadata of ${symbols}.`
  const left = rowsRead - rowsStaged
  const note =
    left > 0
      ? `; ${left.toLocaleString('en')} repeated or unchanged ${left === 1 ? 'row' : 'rows'} left out`
      : ''
  return `Ingested ${counted(rowsStaged, 'row')} of ${symbols}${note}.`
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

function isoLocal(utcMs: number): string {
  return new Date(utcMs).toISOString().replace(/(\.000)?Z$/, '')
}

function countBytes(content: AsyncIterable<Uint8Array>) {
  let bytes = 0
  async function* counted() {
    for await (const chunk of content) {
      bytes += chunk.byteLength
      yield chunk
    }
  }
  return { content: counted(), bytes: () => bytes }
}

function everyNowAndThen(
  clock: Clock,
  tell: (rows: number) => Promise<void>,
): (rows: number) => Promise<void> {
  let last = clock.now().getTime()
  return async (rows) => {
    const now = clock.now().getTime()
    if (now - last < progressEveryMs) return
    last = now
    await tell(rows)
  }
}
