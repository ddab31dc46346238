import { isDeepStrictEqual } from 'node:util'
import type { IngestFile, IngestOutcome, IngestProgress } from '@headwater/files/server'
import type { Clock, Executor, Log } from '@headwater/server-kit'
import { NcsvError, type NcsvHeader } from '@headwater/ncsv'
import { SeriesEngineError, type SeriesEngine, type StageMode, type StageResult } from '@headwater/timeseries'
import { symbolErrors } from '../contract/index.ts'
import { broughtSeries, type BroughtSeries } from './brought-series.ts'
import { createEarlyReadings, type EarlyReading } from './early-readings.ts'
import { createFileReader, symbolsPerStatement, type FileReading } from './file-reader.ts'
import { IngestRefused } from './ingest-refused.ts'
import type { IngestStore } from './ingest-store.ts'
import { isoLocal } from './local-date.ts'
import { createStoredNotes } from './symbol-notes.ts'

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

const progressEveryMs = 1000
/** With more rows the engine works so long that nobody should wait for locks on the group meanwhile. */
const maxRowsAtOnce = 1_000_000
const noWork = Promise.resolve()

/**
 * Brings files into the store of series and takes them out again. All functions of one group run one after the other; the
 * caller sees to it.
 */
export function createIngestService({ store, engine, clock, log }: IngestServiceDependencies) {
  /** Groups whose last ingest here ended in order, so that there is nothing to look for: to look costs a walk over all points. */
  const settled = new Set<number>()
  const reader = createFileReader({ store, engine })
  const earlyReadings = createEarlyReadings({ store, reader })
  let lastVersion = 0

  /** Takes an NCSV file over: all of it, or nothing. */
  async function ingest(file: IngestFile, report: IngestReport): Promise<void> {
    if (report.attempt > 1 || !settled.delete(file.groupId)) await reconcile(file.groupId)
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

  /** Reads a file from its beginning. */
  async function readWhole(file: IngestFile, report: IngestReport): Promise<FileReading> {
    await store.forget(file.fid)
    const counted = countBytes(file.content)
    return reader.read(file, counted.content, {
      notes: createStoredNotes(store, { fileId: file.fid, groupId: file.groupId }),
      signal: report.signal,
      progress: everyNowAndThen(clock, (rows) =>
        report.progress({ rows, bytes: counted.bytes(), sizeBytes: file.sizeBytes }),
      ),
    })
  }

  /**
   * What was read while the file arrived, with the version of its points; undefined if the group is not any more as it was found then.
   */
  async function takeEarlyReading(
    file: IngestFile,
  ): Promise<{ reading: EarlyReading; version: number } | undefined> {
    const reading = await earlyReadings.take(file)
    if (reading === undefined) return undefined
    const [version, noted, matched] = await Promise.allSettled([
      nextVersion(file.groupId),
      store.noteFound({ fileId: file.fid, groupId: file.groupId }, reading.symbols),
      reader.matchColumns(file, reading.header, reading.columns.value),
    ])
    if (version.status === 'fulfilled' && noted.status === 'fulfilled' && matched.status === 'fulfilled') {
      if (noted.value && isDeepStrictEqual(matched.value, reading.columns))
        return { reading, version: version.value }
    }
    await reading.points?.drop()
    for (const result of [version, noted, matched]) if (result.status === 'rejected') throw result.reason
    return undefined
  }

  async function takeOver(file: IngestFile, report: IngestReport): Promise<void> {
    const early = report.attempt === 1 ? await takeEarlyReading(file) : undefined
    const { reading, version } = early ?? {
      version: await nextVersion(file.groupId),
      reading: await readWhole(file, report),
    }
    const { columns, rowCount, points } = reading
    try {
      const staged: StageResult =
        points === undefined
          ? { rowsRead: rowCount, rowsStaged: 0 }
          : await engine.stage({
              dataset: file.groupId,
              version,
              columns: columns.value.map(({ id, type }) => ({ id, type })),
              batches: points,
              mode: stageMode(file.flags),
              signal: report.signal,
            })
      report.signal.throwIfAborted()
      const brought = early && broughtSeries(file.groupId, early.reading)
      await commit({ file, report, reading, version, staged, brought })
      if (staged.rowsStaged === 0) await engine.discard(file.groupId, version)
    } catch (error) {
      // A commit whose answer got lost may have happened all the same; then the points stay.
      try {
        if ((await store.ledgerEntryOfFile(file.fid)) === undefined)
          await engine.remove(file.groupId, version)
      } finally {
        await engine.discard(file.groupId, version)
      }
      throw error
    }
  }

  async function commit(work: {
    file: IngestFile
    report: IngestReport
    reading: FileReading
    version: number
    staged: StageResult
    brought: BroughtSeries | undefined
  }): Promise<void> {
    const { file, report, version, staged, brought } = work
    const { header, columns, tracker } = work.reading
    const isNothingNew = staged.rowsStaged === 0 && !(await store.bringsNewFacts(file.fid))
    if (file.flags.avoidDuplicates && isNothingNew) {
      const message =
        'The file contains no new data: every row equals what is stored. It was not stored again.'
      await store.transaction(async (executor) => {
        await holdGroup(executor, file)
        await store.forget(file.fid, executor)
        await report.finish(executor, { state: 'DUPLICATE', message })
      })
      return
    }
    const message =
      summary(header, staged, tracker.symbolCount) + (await describeRepeat(file.fid, staged.firstRepeat))
    let publishing: Promise<void> | undefined
    const publish = () =>
      (publishing ??= staged.rowsStaged > 0 ? engine.publish(file.groupId, version) : noWork)
    if (staged.rowsStaged > maxRowsAtOnce) await publish()
    try {
      await store.transaction(async (executor) => {
        await holdGroup(executor, file)
        // The two stores work at the same time; the commit waits for both.
        publish().catch(() => {})
        await store.finish(executor, {
          fileId: file.fid,
          groupId: file.groupId,
          version,
          rowCount: staged.rowsStaged,
          keyNames: columns.keyNames,
          valueColumns: columns.value,
          metadataColumns: columns.metadata,
          facts: tracker.facts(symbolsPerStatement),
          brought,
        })
        await report.finish(executor, { state: 'READY', message })
        await publish()
        await store.setRanges(executor, await measureRanges(file.groupId, tracker.emptiedSids))
      })
    } finally {
      // Nobody takes points away that are still on their way.
      await publishing?.catch(() => {})
    }
  }

  /**
   * Symbols may be removed, and their group deleted, while a file passes by. Its points of removed symbols are staged under
   * ids that are not used any more, so the file is taken over once more from its beginning.
   */
  async function holdGroup(executor: Executor, { fid, groupId }: IngestFile): Promise<void> {
    if (!(await store.lockGroup(executor, groupId))) throw new Error('The group has been deleted meanwhile.')
    if (await store.hasVanishedSymbol(executor, fid))
      throw new Error('Symbols of the file have been removed meanwhile.')
    const formula = await store.findNotedFormula(executor, fid)
    if (formula !== undefined)
      throw new IngestRefused(
        `The symbol ${symbolText(formula)} is a formula, whose values are computed. Leave it out of the file, or remove the formula first.`,
      )
  }

  /** Tells of the first of the rows that a later one replaced, such as those of an hour that a clock shows twice. */
  async function describeRepeat(fileId: string, repeat: StageResult['firstRepeat']): Promise<string> {
    if (repeat === undefined) return ''
    const shown = symbolText(await store.keysOfNoted(fileId, repeat.sid))
    const row = (repeat.row + 1).toLocaleString('en')
    return ` The first repetition is row ${row} below the header (${shown} at ${isoLocal(repeat.timestamp)} UTC): of rows with one symbol and date the last one counts.`
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

  /**
   * Takes the points of removed files out of the engine, whatever else is done with their groups: an upload that is compared with what
   * is stored meets them or does not, as if it had come before or after.
   */
  async function hideFiles(fileIds: readonly string[]): Promise<void> {
    for (const fileId of fileIds) {
      const entry = await store.ledgerEntryOfFile(fileId)
      if (entry?.state !== 'removing' || entry.rowCount === 0) continue
      try {
        await engine.remove(entry.groupId, entry.version)
      } catch (error) {
        if (!(error instanceof SeriesEngineError)) throw error
        log.error({ error, fileId }, 'the points of a deleted file could not be taken away at once')
        throw symbolErrors.seriesUnavailable()
      }
    }
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

  return {
    ingest,
    /** Begins to read a file while it arrives; undefined if enough are being read. */
    readEarly: (file: IngestFile) => earlyReadings.begin(file),
    hideFiles,
    removeFile,
    reconcile,
    abandon,
    removeGroup,
    forget: (fid: string) => store.forget(fid),
  }
}

/** PARTIAL_UPDATE wins over AVOID_DUPLICATES: a partial row is always a change of what is stored. */
function stageMode({ partialUpdate, avoidDuplicates }: IngestFile['flags']): StageMode {
  if (partialUpdate) return 'partial'
  return avoidDuplicates ? 'changes' : 'replace'
}

/** What to tell about a file that cannot be taken over; undefined when the fault is not in the file. */
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
      ? `; ${left.toLocaleString('en')} repeated or unchanged ${left === 1 ? 'row' : 'rows'} left out`
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
