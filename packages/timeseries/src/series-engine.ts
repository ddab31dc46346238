import type { QueryResult, SeriesStatistics } from './query-result.ts'
import type { PointLimits, SeriesQuery } from './series-query.ts'
import type {
  CollectRequest,
  CollectedPoints,
  StageRequest,
  StageResult,
  VersionFact,
} from './series-upload.ts'

/** Options of publishing a version. */
export interface PublishOptions {
  /** Whether the version was removed before, so that newer versions can be visible. */
  isRestored?: boolean
}

/**
 * The series engine: stores and queries points. It does not know files, groups or users. Its terms are
 *
 * - **dataset**: a separate table, identified by a positive integer that the caller chooses;
 * - **series**: the points of one time series in a dataset, identified by `sid`, a positive integer below 2^32 that the
 * caller chooses;
 * - **column**: a typed value of a point, identified by a positive integer unique within its dataset;
 * - **version**: one upload that became visible atomically, identified by its UTC commit time in whole microseconds,
 * strictly ascending within a dataset;
 * - **point**: the values of one series at one timestamp in one version.
 * A newer version never destroys an older one. User input never becomes SQL text.
 */
export interface SeriesEngine {
  /**
   * Collects rows to be staged later, with constant memory for any size. They belong to no dataset yet, and are lost
   * when the engine stops. Drop them if you do not stage them.
   *
   * @throws SeriesEngineError as `stage` does
   */
  collect(request: CollectRequest): Promise<CollectedPoints>

  /**
   * Writes the points of one upload beside the dataset, invisible to every query, with constant memory for any size. If
   * an upload repeats a series and timestamp, the last row wins. Staging the same version again replaces the staged
   * rows. The modes `partial` and `changes` compare the upload with the currently stored points, so run only one upload
   * per dataset between `stage` and `publish`.
   *
   * @throws SeriesEngineError `invalid` if ids, types or array lengths do not fit; `unavailable` if the engine died
   * (stage again)
   */
  stage(request: StageRequest): Promise<StageResult>

  /**
   * Makes a staged version visible, atomically and durably. Does nothing for a visible version. Publish the versions of a
   * dataset one at a time.
   * @param options `isRestored`: the version was removed before, and newer ones may be visible; default false
   * @throws SeriesEngineError `not-staged` if nothing was staged under this version
   */
  publish(dataset: number, version: number, options?: PublishOptions): Promise<void>

  /** Discards a staged version that was not published. Does nothing if there is none. */
  discard(dataset: number, version: number): Promise<void>

  /**
   * Removes one published version permanently, for example because its file was deleted. Older versions of its points become
   * current again.
   */
  remove(dataset: number, version: number): Promise<void>

  /**
   * Removes all points of some series permanently, in every published version. Idempotent. Staged versions are
   * unaffected.
   */
  removeSeries(dataset: number, sids: readonly number[]): Promise<void>

  /**
   * Returns all published versions of a dataset, oldest first. After a crash, callers can compare them with their own
   * records.
   */
  listVersions(dataset: number): Promise<VersionFact[]>

  /** Removes a dataset with all its versions. Does nothing if there is none. */
  dropDataset(dataset: number): Promise<void>

  /**
   * Runs a query and streams its result as text. The promise resolves once the first bytes are available, so an error
   * in the query is thrown here and not in the middle of the stream. Abandoning the iteration or aborting cancels the
   * engine's work.
   * @throws SeriesEngineError `invalid` for an invalid query, `too-large` if it needs more memory than allowed
   */
  query(query: SeriesQuery, options?: { signal?: AbortSignal }): Promise<QueryResult>

  /**
   * Returns first and last timestamp and number of current points per series, in `sid` order; series without points are
   * absent. With `limits`, only points within them are counted.
   */
  statistics(
    dataset: number,
    sids: readonly number[] | 'all',
    limits?: PointLimits,
  ): Promise<SeriesStatistics[]>

  /**
   * Updates the roll-up of a dataset, a table of its UTC days. Queries for spans of whole days read the roll-up instead of
   * points that have not changed since. If there are many points per day, the engine updates the roll-up automatically some
   * time after an upload; this method does so immediately and for any dataset. Results are the same with and without it.
   * Does nothing in a cluster, which has no roll-ups.
   */
  rollUp(dataset: number): Promise<void>

  /** Stops the engine, and its process if it is embedded. */
  close(): Promise<void>
}
