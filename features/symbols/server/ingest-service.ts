import { isDeepStrictEqual } from 'node:util'
import type { IngestFile, IngestOutcome, IngestProgress } from '@headwater/files/server'
import type { Bound, Clock, Executor, Log } from '@headwater/server-kit'
import { NcsvError, type NcsvHeader } from '@headwater/ncsv'
import { SeriesEngineError, type SeriesEngine, type StageMode, type StageResult } from '@headwater/timeseries'
import { symbolErrors } from '../contract/index.ts'
import { ingestChangesOf, type IngestChanges } from './ingest-changes.ts'
import { createStreamingIngest, type StreamedReading, type StreamingIngest } from './streaming-ingest.ts'
import { createFileReader, symbolsPerStatement, type FileReader, type FileReading } from './file-reader.ts'
import { IngestRefused } from './ingest-refused.ts'
import type { IngestStore } from './ingest-store.ts'
import { isoLocal } from './local-date.ts'
import { createStoredNotes } from './symbol-notes.ts'

/** Callbacks of an ingest: progress and outcome. */
export interface IngestReport {
  /** Aborts the ingest. */
  signal: AbortSignal
  /** Number of this attempt, from 1; earlier attempts can have left data behind. */
  attempt: number
  /** Reports progress. */
  progress(progress: IngestProgress): Promise<void>
  /** Records the outcome, in the transaction that stores the symbols. */
  finish(executor: Executor, outcome: IngestOutcome): Promise<void>
}

/** Dependencies of the ingest service. */
export interface IngestServiceDependencies {
  /** Stores the ledger and symbols. */
  store: IngestStore
  /** Stores points. */
  engine: SeriesEngine
  /** Time, for versions and progress. */
  clock: Clock
  /** Log. */
  log: Log
}

/** Dependencies and state of the ingest functions. */
interface IngestContext extends IngestServiceDependencies {
  /** Groups whose last ingest in this process has completed. They need no repair, which would scan all points. */
  settled: Set<number>
  reader: FileReader
  streamingIngest: StreamingIngest
  /** Last version of this process. */
  versions: { last: number }
}

/**
 * Ingests files into the series store and removes them. The caller must not run two functions on one group at the same time.
 */
export interface IngestService {
  /** Ingests an NCSV file completely, or not at all. */
  ingest: Bound<typeof ingest>
  /** Starts to read a file during its upload; undefined if too many are being read. */
  readStreaming: StreamingIngest['begin']
  /** See {@link hideFiles}. */
  hideFiles: Bound<typeof hideFiles>
  /** Removes the points of a file, and symbols that only it names. Does nothing for a file without points. */
  removeFile: Bound<typeof removeFile>
  /** Makes the engine match the ledger: completes or undoes what a crash interrupted. */
  reconcile: Bound<typeof reconcile>
  /** Abandons a file: removes all of its data, and records that with `finish`. */
  abandon: Bound<typeof abandon>
  /** Removes all data of a deleted group. */
  removeGroup: Bound<typeof removeGroup>
  /** Deletes the notes of a file. */
  forget(fid: string): Promise<void>
}

const progressEveryMs = 1000
/** Above this number of rows, points are published before the group is locked, because publishing takes too long. */
const maxRowsAtOnce = 1_000_000
const noWork = Promise.resolve()

/** Creates the service that ingests files. */
export function createIngestService(dependencies: IngestServiceDependencies): IngestService {
  const { store, engine } = dependencies
  const reader = createFileReader({ store, engine })
  const streamingIngest = createStreamingIngest({ store, reader })
  const deps: IngestContext = {
    ...dependencies,
    settled: new Set(),
    reader,
    streamingIngest,
    versions: { last: 0 },
  }
  return {
    ingest: (...input) => ingest(deps, ...input),
    readStreaming: (file) => streamingIngest.begin(file),
    hideFiles: (...input) => hideFiles(deps, ...input),
    removeFile: (...input) => removeFile(deps, ...input),
    reconcile: (...input) => reconcile(deps, ...input),
    abandon: (...input) => abandon(deps, ...input),
    removeGroup: (...input) => removeGroup(deps, ...input),
    forget: (fid) => store.forget(fid),
  }
}

/** Ingests an NCSV file completely, or not at all. */
async function ingest(deps: IngestContext, file: IngestFile, report: IngestReport): Promise<void> {
  // The removal of a restored file must be complete.
  if (!deps.settled.delete(file.groupId) || report.attempt > 1 || file.isRestored)
    await reconcile(deps, file.groupId)
  try {
    await ingestContent(deps, file, report)
  } catch (error) {
    await deps.store.forget(file.fid)
    const message = messageForPeople(error)
    if (message === undefined) throw error
    await deps.store.transaction((executor) => report.finish(executor, { state: 'REJECTED', message }))
  }
  deps.settled.add(file.groupId)
}

/** Reads a file from its start. */
async function readWhole(deps: IngestContext, file: IngestFile, report: IngestReport): Promise<FileReading> {
  await deps.store.forget(file.fid)
  const counted = countBytes(file.content)
  return deps.reader.read(file, counted.content, {
    notes: createStoredNotes(deps.store, { fileId: file.fid, groupId: file.groupId }),
    signal: report.signal,
    progress: throttled(deps.clock, (rows) =>
      report.progress({ rows, bytes: counted.bytes(), sizeBytes: file.sizeBytes }),
    ),
  })
}

/**
 * Returns the result of reading during the upload, with the version of its points; undefined if the group has changed
 * since.
 */
async function takeStreamedReading(
  deps: IngestContext,
  file: IngestFile,
): Promise<{ reading: StreamedReading; version: number } | undefined> {
  const reading = await deps.streamingIngest.take(file)
  if (reading === undefined) return undefined
  const [version, noted, matched] = await Promise.allSettled([
    nextVersion(deps, file.groupId),
    deps.store.noteResolvedSymbols({ fileId: file.fid, groupId: file.groupId }, reading.symbols),
    deps.reader.matchColumns(file, reading.header, reading.columns.value),
  ])
  if (version.status === 'fulfilled' && noted.status === 'fulfilled' && matched.status === 'fulfilled') {
    if (noted.value && isDeepStrictEqual(matched.value, reading.columns))
      return { reading, version: version.value }
  }
  await reading.points?.drop()
  for (const result of [version, noted, matched]) if (result.status === 'rejected') throw result.reason
  return undefined
}

async function ingestContent(deps: IngestContext, file: IngestFile, report: IngestReport): Promise<void> {
  const streamed =
    report.attempt === 1 && !file.isRestored ? await takeStreamedReading(deps, file) : undefined
  const { reading, version } = streamed ?? {
    version: await versionOf(deps, file),
    reading: await readWhole(deps, file, report),
  }
  const { columns, rowCount, points } = reading
  try {
    const staged: StageResult =
      points === undefined
        ? { rowsRead: rowCount, rowsStaged: 0 }
        : await deps.engine.stage({
            dataset: file.groupId,
            version,
            columns: columns.value.map(({ id, type }) => ({ id, type })),
            batches: points,
            mode: stageMode(file.flags),
            signal: report.signal,
          })
    report.signal.throwIfAborted()
    const ingestChanges = streamed && ingestChangesOf(file.groupId, streamed.reading)
    await commit(deps, { file, report, reading, version, staged, ingestChanges })
    if (staged.rowsStaged === 0) await deps.engine.discard(file.groupId, version)
  } catch (error) {
    // A commit whose response was lost may have succeeded. In that case the points stay.
    try {
      if ((await deps.store.ledgerEntryOfFile(file.fid)) === undefined)
        await deps.engine.remove(file.groupId, version)
    } finally {
      await deps.engine.discard(file.groupId, version)
    }
    throw error
  }
}

async function commit(
  deps: IngestContext,
  work: {
    file: IngestFile
    report: IngestReport
    reading: FileReading
    version: number
    staged: StageResult
    ingestChanges: IngestChanges | undefined
  },
): Promise<void> {
  const { file, report, version, staged, ingestChanges } = work
  const { header, columns, tracker } = work.reading
  const isNothingNew = staged.rowsStaged === 0 && !(await deps.store.bringsNewFacts(file.fid))
  if (file.flags.avoidDuplicates && isNothingNew) {
    const message =
      'The file contains no new data: all of its rows are already stored. It was not stored again.'
    await deps.store.transaction(async (executor) => {
      await holdGroup(deps, executor, file)
      await deps.store.forget(file.fid, executor)
      await report.finish(executor, { state: 'DUPLICATE', message })
    })
    return
  }
  const message =
    summary(header, staged, tracker.symbolCount) + (await describeRepeat(deps, file.fid, staged.firstRepeat))
  let publishing: Promise<void> | undefined
  const publish = () =>
    (publishing ??=
      staged.rowsStaged > 0
        ? deps.engine.publish(file.groupId, version, { isRestored: file.isRestored })
        : noWork)
  if (staged.rowsStaged > maxRowsAtOnce) await publish()
  try {
    await deps.store.transaction(async (executor) => {
      await holdGroup(deps, executor, file)
      // Both stores work in parallel; the commit waits for both.
      publish().catch(() => {})
      await deps.store.finish(executor, {
        fileId: file.fid,
        groupId: file.groupId,
        version,
        rowCount: staged.rowsStaged,
        keyNames: columns.keyNames,
        valueColumns: columns.value,
        metadataColumns: columns.metadata,
        facts: tracker.facts(symbolsPerStatement),
        ingestChanges,
      })
      if (file.isRestored) await deps.store.forgetRemovedFiles(executor, [file.fid])
      await report.finish(executor, { state: 'READY', message })
      await publish()
      await deps.store.setRanges(executor, await measureRanges(deps, file.groupId, tracker.emptiedSids))
    })
  } finally {
    // Points that are still being published must not be removed.
    await publishing?.catch(() => {})
  }
}

/**
 * Locks the group. Users can remove symbols, or delete the group, during an ingest. Points of removed symbols are staged under
 * unused ids, so the ingest must start again.
 */
async function holdGroup(
  deps: IngestContext,
  executor: Executor,
  { fid, groupId }: IngestFile,
): Promise<void> {
  if (!(await deps.store.lockGroup(executor, groupId)))
    throw new Error('The group was deleted during the ingest.')
  if (await deps.store.hasVanishedSymbol(executor, fid))
    throw new Error('Symbols of the file were removed during the ingest.')
  const formula = await deps.store.findNotedFormula(executor, fid)
  if (formula !== undefined)
    throw new IngestRefused(
      `The symbol ${symbolText(formula)} is a formula, so it cannot have uploaded values. Remove it from the file, or remove the formula first.`,
    )
}

/** Describes the first row that a later one replaced, for example in the hour that a clock repeats. */
async function describeRepeat(
  deps: IngestContext,
  fileId: string,
  repeat: StageResult['firstRepeat'],
): Promise<string> {
  if (repeat === undefined) return ''
  const symbol = symbolText(await deps.store.keysOfNoted(fileId, repeat.sid))
  const row = repeat.row.toLocaleString('en')
  return ` The first repetition is row ${row} (${symbol} at ${isoLocal(repeat.timestamp)} UTC). Of duplicate rows, only the last is stored.`
}

/** Returns the version of the points of a file: a restored one gets the version that it had. */
async function versionOf(deps: IngestContext, { fid, groupId, isRestored }: IngestFile): Promise<number> {
  const before = isRestored ? await deps.store.versionBeforeRemoval(fid) : undefined
  return before ?? (await nextVersion(deps, groupId))
}

/**
 * Returns the next version. After a repair, the engine has no versions that are missing in the ledger. Versions are
 * unique across groups, because a version also identifies the file of a point.
 */
async function nextVersion(deps: IngestContext, groupId: number): Promise<number> {
  const newest = await deps.store.newestVersion(groupId)
  deps.versions.last = Math.max(deps.clock.now().getTime() * 1000, newest + 1, deps.versions.last + 1)
  return deps.versions.last
}

async function measureRanges(deps: IngestContext, groupId: number, sids: readonly number[]) {
  if (sids.length === 0) return []
  const statistics = new Map((await deps.engine.statistics(groupId, sids)).map((each) => [each.sid, each]))
  return sids.map((sid) => ({
    sid,
    first: statistics.get(sid)?.firstTimestamp,
    last: statistics.get(sid)?.lastTimestamp,
  }))
}

/**
 * Removes the points of deleted files from the engine, even while other work on their groups runs. A concurrent upload that is
 * compared with stored points sees them either before or after the removal.
 */
async function hideFiles(deps: IngestContext, fileIds: readonly string[]): Promise<void> {
  for (const fileId of fileIds) {
    const entry = await deps.store.ledgerEntryOfFile(fileId)
    if (entry?.state !== 'removing' || entry.rowCount === 0) continue
    try {
      await deps.engine.remove(entry.groupId, entry.version)
    } catch (error) {
      if (!(error instanceof SeriesEngineError)) throw error
      deps.log.error({ error, fileId }, 'the points of a deleted file could not be removed at once')
      throw symbolErrors.seriesUnavailable()
    }
  }
}

/** Removes the points of a file, and symbols that only it names. Does nothing for a file without points. */
async function removeFile(deps: IngestContext, fileId: string): Promise<void> {
  const entry = await deps.store.ledgerEntryOfFile(fileId)
  if (entry === undefined) return
  await deps.engine.remove(entry.groupId, entry.version)
  const ranges = await measureRanges(deps, entry.groupId, await deps.store.symbolIdsOfFile(fileId))
  await deps.store.transaction(async (executor) => {
    await deps.store.lockGroup(executor, entry.groupId)
    await deps.store.setRanges(executor, ranges)
    await deps.store.finishRemoval(executor, {
      fileId,
      groupId: entry.groupId,
      symbolsWithoutPoints: ranges.filter((range) => range.last === undefined).map((range) => range.sid),
    })
  })
}

/** Removes the points of removed symbols. Restarts if interrupted. */
async function removeSymbols(deps: IngestContext, groupId: number): Promise<void> {
  const symbolIds = await deps.store.removedSymbolIds(groupId)
  if (symbolIds.length === 0) return
  await deps.engine.removeSeries(groupId, symbolIds)
  const versions = await deps.engine.listVersions(groupId)
  await deps.store.transaction((executor) =>
    deps.store.finishSymbolRemoval(executor, { groupId, symbolIds, versions }),
  )
}

/** Makes the engine match the ledger: completes or undoes what a crash interrupted. */
async function reconcile(deps: IngestContext, groupId: number): Promise<void> {
  const before = await deps.store.ledger(groupId)
  for (const entry of before) if (entry.state === 'removing') await removeFile(deps, entry.fileId)
  await removeSymbols(deps, groupId)
  const ledger = await deps.store.ledger(groupId)
  const known = new Set(ledger.map((entry) => entry.version))
  const published = await deps.engine.listVersions(groupId)
  for (const { version } of published) if (!known.has(version)) await deps.engine.remove(groupId, version)
  const visible = new Set(published.map((fact) => fact.version))
  for (const { version, rowCount, fileId, state } of ledger)
    if (rowCount > 0 && state === 'published' && !visible.has(version))
      deps.log.error({ groupId, fileId }, 'the points of an ingested file are missing; upload the file again')
}

/** Abandons a file: removes all of its data, and records that with `finish`. */
async function abandon(
  deps: IngestContext,
  { fid, groupId }: { fid: string; groupId: number },
  finish: (executor: Executor) => Promise<void>,
): Promise<void> {
  await reconcile(deps, groupId)
  await deps.store.transaction(async (executor) => {
    await deps.store.forget(fid, executor)
    await finish(executor)
  })
}

/** Removes all data of a deleted group. */
async function removeGroup(deps: IngestContext, groupId: number): Promise<void> {
  deps.settled.delete(groupId)
  await deps.store.forgetGroup(groupId)
  await deps.engine.dropDataset(groupId)
}

function stageMode({ partialUpdate, avoidDuplicates }: IngestFile['flags']): StageMode {
  if (partialUpdate) return avoidDuplicates ? 'partialChanges' : 'partial'
  return avoidDuplicates ? 'changes' : 'replace'
}

/** Returns the message for a file that cannot be ingested; undefined when the file is not the cause. */
function messageForPeople(error: unknown): string | undefined {
  if (error instanceof IngestRefused || error instanceof NcsvError) return error.message
  if (error instanceof SeriesEngineError && error.code === 'invalid') return error.message
  return error instanceof Error && error.cause !== undefined ? messageForPeople(error.cause) : undefined
}

function summary(header: NcsvHeader, { rowsRead, rowsStaged }: StageResult, symbolCount: number): string {
  const symbols = counted(symbolCount, 'symbol')
  if (header.dateColumn === undefined) return `Ingested the metadata of ${symbols}.`
  const left = rowsRead - rowsStaged
  const note =
    left > 0
      ? `; ${left.toLocaleString('en')} repeated or unchanged ${left === 1 ? 'row' : 'rows'} omitted`
      : ''
  return `Ingested ${counted(rowsStaged, 'row')} of ${symbols}${note}.`
}

function symbolText(keys: Record<string, string>): string {
  const text = Object.entries(keys)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
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

function throttled(clock: Clock, report: (rows: number) => Promise<void>): (rows: number) => Promise<void> {
  let last = clock.now().getTime()
  return async (rows) => {
    const now = clock.now().getTime()
    if (now - last < progressEveryMs) return
    last = now
    await report(rows)
  }
}
