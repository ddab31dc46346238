import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@headwater/contract'
import {
  createStopSignals,
  type Clock,
  type Executor,
  type Principal,
  type StopSignals,
} from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import type { JobQueue, RunningJob } from '@headwater/jobs'
import { writeMessage, type Logs } from '@headwater/logs/server'
import { visibleStatus, type JobStatus } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import { dataQuery, formatSymbolParameter, type DataKey, type DataQuery } from '@headwater/symbols/contract'
import type { Symbols } from '@headwater/symbols/server'
import { dataPrepFileType, prepErrors, toDataQuery, type DataPrepContent } from '../contract/index.ts'
import type { PrepsService } from './preps-service.ts'
import type { PrepsStore, StoredPrep } from './preps-store.ts'
import { findRunOfStep } from './run-of-step.ts'
import { shapeOutput, type OutputProgress } from './run-output.ts'
import type { RunsStore, StoredRun } from './runs-store.ts'
import { stopRun } from './stop-run.ts'

/** Dependencies of the runs service. */
export interface RunsServiceDependencies {
  /** Stores runs. */
  runs: RunsStore
  /** Stores data preps. */
  store: PrepsStore
  /** Checks access to data preps. */
  preps: Pick<PrepsService, 'require'>
  /** Runs data queries. */
  symbols: Pick<Symbols, 'data' | 'keys'>
  /** Writes files. */
  files: Pick<Files, 'create' | 'putContent' | 'get'>
  /** Reports statuses. */
  statuses: Pick<
    Statuses,
    'joinOrStartJob' | 'addComponent' | 'updateComponent' | 'finishJob' | 'statusesOfComponents'
  >
  /** Stores the messages of runs. */
  logs: Pick<Logs, 'open'>
  /** Queue of jobs. */
  queue: JobQueue
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Time. */
  clock: Clock
}

/** Runs data preps and reports their status. */
export interface RunsService {
  /**
   * Starts a run and returns its job.
   * @param inSameTransaction called in the transaction that starts the run
   */
  start(
    principal: Principal,
    prepId: string,
    version: number | undefined,
    inSameTransaction?: (jobId: string, executor: Executor) => Promise<void>,
  ): Promise<string>
  /** Stops a run of the caller, or of a data prep that the caller can change. It writes no file. */
  stop(principal: Principal, jobId: string): Promise<void>
}

type StoppableDependencies = RunsServiceDependencies & { stops: StopSignals }

const runJobKind = 'run-data-prep'
/** Lane of the job queue for runs of data preps, so that they leave capacity for uploads. */
export const dataPrepLane = 'data-preps'
const progressEveryMs = 2000
const givenUp = 'The run failed after several attempts. Start it again later.'
/** Maximum number of missing symbols in a message. */
const namedMissing = 20

/** Creates the service that runs data preps. Registers its job handler at the queue. */
export function createRunsService(dependencies: RunsServiceDependencies): RunsService {
  const deps = { ...dependencies, stops: createStopSignals(dependencies.runs) }
  deps.queue.handle<{ runId: string }>(runJobKind, {
    lane: dataPrepLane,
    run: (job) => run(deps, job),
    async giveUp({ payload: { runId } }) {
      await setStatus(deps, runId, 'ERROR', givenUp)
      await deps.runs.end(runId)
    },
  })
  return {
    start: (...input) => start(deps, ...input),
    stop: (principal, jobId) => stopRun(deps, principal, jobId),
  }
}

/**
 * Starts a run and returns its job. An attempt at a step of a pipeline receives the run that an earlier attempt has started.
 * @param inSameTransaction called in the transaction that starts the run
 */
async function start(
  deps: RunsServiceDependencies,
  principal: Principal,
  prepId: string,
  version: number | undefined,
  inSameTransaction?: (jobId: string, executor: Executor) => Promise<void>,
): Promise<string> {
  const ofStep = principal.run && (await findRunOfStep(deps.statuses, principal.run, prepId))
  if (ofStep?.isStarted) return ofStep.id
  const { item: prep, group } = await deps.preps.require(principal, { id: prepId }, 'RW', version)
  if (prep.content.symbols.length === 0) throw prepErrors.prepEmpty({ name: prep.name })
  toDataQuery(prep.content)
  const fileName = fileNameOf(prep)
  const typeThere = await deps.runs.fileType(group.id, fileName)
  if (typeThere !== undefined && typeThere !== dataPrepFileType)
    throw prepErrors.fileInTheWay({ fileName, group: group.name })

  const running = await findRunning(deps, prep.id, principal.userId)
  const id = ofStep?.id ?? randomUUID()
  const started =
    running === undefined ? await begin(deps, principal, id, { prep, group }, inSameTransaction) : undefined
  if (started !== undefined) return started
  const jobId = running ?? (await findRunning(deps, prep.id, principal.userId)) ?? ''
  // Without a run in progress, the data prep was deleted.
  if (jobId === '') await deps.preps.require(principal, { id: prepId }, 'RW', version)
  throw prepErrors.prepRunning({ name: prep.name, jobId })
}

/** Returns the run in progress of a user. Ends a run whose job no longer exists, for example because giving it up failed. */
async function findRunning(
  deps: RunsServiceDependencies,
  prepId: string,
  userId: number,
): Promise<string | undefined> {
  const active = await deps.runs.findActive(prepId, userId)
  if (active === undefined) return undefined
  const work = active.queueJobId === null ? undefined : await deps.queue.find(active.queueJobId)
  if (work !== undefined && work.state !== 'done' && work.state !== 'failed') return active.id
  // The run can have finished between the two queries; then it is no longer stored.
  const still = await deps.runs.findActive(prepId, userId)
  if (still?.id !== active.id) return still?.id
  await setStatus(deps, active.id, 'ERROR', givenUp)
  await deps.runs.end(active.id)
  return undefined
}

/** Stores a run and enqueues its job; returns undefined if the user started another run at the same time. */
async function begin(
  deps: RunsServiceDependencies,
  principal: Principal,
  id: string,
  { prep, group }: { prep: StoredPrep; group: { id: number; name: string } },
  inSameTransaction: (jobId: string, executor: Executor) => Promise<void> = async () => {},
): Promise<string | undefined> {
  const payload = {
    groupName: group.name,
    version: prep.version,
    fileName: fileNameOf(prep),
    fileType: dataPrepFileType,
  }
  const waiting = { status: 'PENDING', message: 'Waiting to start.' } as const
  return deps.runs.transaction(async (executor) => {
    const run = { id, prepId: prep.id, version: prep.version, userId: principal.userId }
    if (!(await deps.runs.start(run, executor))) return undefined
    await deps.statuses.joinOrStartJob(
      principal,
      id,
      {
        type: 'DATAPREP',
        name: prep.name,
        group,
        ownerId: principal.userId,
        payload,
        version: prep.version,
        rootId: prep.id,
        ...waiting,
      },
      executor,
    )
    await deps.statuses.addComponent(id, { eId: id, component: 'Data prep', payload, ...waiting }, executor)
    const fairKey = String(principal.userId)
    const queueJobId = await deps.queue.enqueue(runJobKind, { runId: id }, { fairKey }, executor)
    await deps.runs.setQueueJob(id, queueJobId, executor)
    await inSameTransaction(id, executor)
    return id
  })
}

async function run(deps: StoppableDependencies, job: RunningJob<{ runId: string }>): Promise<void> {
  const { runId } = job.payload
  const storedRun = await deps.runs.find(runId)
  const prep = storedRun && (await deps.store.find({ id: storedRun.prepId }, storedRun.version))
  if (storedRun === undefined || prep === undefined) {
    await reportMissingRun(deps, runId)
    return
  }
  const stopping = deps.stops.watch(runId)
  let end: Outcome
  try {
    end = await outcomeOf(deps, storedRun, prep, AbortSignal.any([job.signal, stopping.signal]))
  } catch (error) {
    if (!stopping.signal.aborted || job.signal.aborted) throw error
    await reportMissingRun(deps, runId)
    return
  } finally {
    stopping.release()
  }
  await setStatus(deps, runId, end.status, end.message)
  await deps.runs.transaction(async (executor) => {
    await deps.runs.end(runId, executor)
    await job.complete(executor)
  })
}

/** Sets the final status of a run that is no longer stored: a user stopped it or deleted its data prep. */
async function reportMissingRun(deps: RunsServiceDependencies, runId: string): Promise<void> {
  const known = await deps.statuses.statusesOfComponents([{ jobId: runId, eId: runId }])
  const { status = 'PENDING', message = '' } = known.get(runId) ?? {}
  if (visibleStatus({ status, message }) !== 'STOPPED') {
    await setStatus(deps, runId, 'ERROR', 'The data prep was deleted before the run finished.')
    return
  }
  // The status of the file of a run in progress changes after the stop.
  await deps.statuses.updateComponent(runId, runId, { status, message })
  await deps.statuses.finishJob(runId, { status, message })
}

/** Does the work of a run. Errors that the user can fix become an outcome; errors that a retry can fix are thrown. */
async function outcomeOf(
  deps: RunsServiceDependencies,
  storedRun: StoredRun,
  prep: StoredPrep,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const principal = await deps.findPrincipal(storedRun.userId)
    if (principal === undefined || !principal.can('Storage/DataPreps', 'RW'))
      return {
        status: 'ERROR',
        message: 'The user who started the run no longer has permission to run data preps.',
      }
    if (storedRun.file !== undefined && (await fileExists(deps, principal, storedRun.file.id)))
      return finished(prep)
    return await write(deps, principal, storedRun, prep, signal)
  } catch (error) {
    const isForPeople = error instanceof AppError && error.status !== 503
    if (!isForPeople || signal.aborted) throw error
    return { status: 'ERROR', message: error.message }
  }
}

async function write(
  deps: RunsServiceDependencies,
  principal: Principal,
  storedRun: StoredRun,
  prep: StoredPrep,
  signal: AbortSignal,
): Promise<Outcome> {
  const definition = prep.content
  const query = dataQuery.parse(toDataQuery(definition))
  await setStatus(deps, storedRun.id, 'RUNNING', 'Reading the data.')
  if (definition.failOnMissingSymbols) {
    const missing = await findMissing(deps, principal, query.keys)
    if (missing !== undefined) return { status: 'ERROR', message: missing }
  }
  const progress: OutputProgress = { rows: 0 }
  // A result that is never read must be aborted.
  const reading = new AbortController()
  try {
    const { stream } = await deps.symbols.data.run(principal, query, {
      signal: AbortSignal.any([signal, reading.signal]),
    })
    const content = shapeOutput(stream, shapeOf(deps, principal, definition, query), progress)
    await upload(deps, principal, storedRun, prep, withProgress(deps, storedRun.id, content, progress))
  } finally {
    reading.abort()
  }
  return finished(prep, progress.rows)
}

function shapeOf(
  deps: RunsServiceDependencies,
  principal: Principal,
  definition: DataPrepContent,
  query: DataQuery,
) {
  const hasRowsOfSymbols = definition.ncsvEmptySymbolsInResult && definition.outputLayout === 'ROWS'
  return {
    withType: definition.withType,
    symbols: hasRowsOfSymbols ? () => deps.symbols.keys.scan(principal, query.keys) : undefined,
  }
}

/** Uploads the content to the file of the run. A retry uploads to the same file, which accepts content once. */
async function upload(
  deps: RunsServiceDependencies,
  principal: Principal,
  storedRun: StoredRun,
  prep: StoredPrep,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const file = await announcedFile(deps, principal, storedRun, prep)
  let cause: unknown
  async function* withCause() {
    try {
      yield* content
    } catch (error) {
      cause = error
      throw error
    }
  }
  const stream = Readable.from(withCause(), { objectMode: false })
  try {
    await deps.files.putContent(file.id, file.permit, {
      stream,
      announcedBytes: undefined,
      announcedHash: undefined,
    })
  } catch (error) {
    await handleRefusal(deps, storedRun, file.id, cause ?? error)
  } finally {
    stream.destroy()
  }
}

/** Handles a failed upload. The upload error is only a broken connection; `cause` is the reason. */
async function handleRefusal(
  deps: RunsServiceDependencies,
  storedRun: StoredRun,
  fileId: string,
  cause: unknown,
): Promise<void> {
  const code = cause instanceof AppError ? cause.code : undefined
  // An earlier attempt that seemed lost has uploaded the content.
  if (code === 'contentThere') return
  await deps.statuses.updateComponent(storedRun.id, fileId, {
    status: 'ERROR',
    message: 'Nothing was stored.',
  })
  if (code !== 'linkNotValid') throw cause
  await deps.runs.setFile(storedRun.id, undefined)
  throw new Error('The upload permit expired while the run waited; the next attempt gets a new one.')
}

async function announcedFile(
  deps: RunsServiceDependencies,
  principal: Principal,
  storedRun: StoredRun,
  prep: StoredPrep,
) {
  if (storedRun.file !== undefined) return storedRun.file
  const { fileId, token } = await deps.files.create(
    principal,
    {
      groupName: prep.groupName,
      fileName: fileNameOf(prep),
      fileType: dataPrepFileType,
      fields: [],
      zipped: false,
    },
    storedRun.id,
  )
  const file = { id: fileId, permit: token }
  await deps.runs.setFile(storedRun.id, file)
  return file
}

async function fileExists(
  deps: RunsServiceDependencies,
  principal: Principal,
  fid: string,
): Promise<boolean> {
  try {
    await deps.files.get(principal, fid)
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return false
    throw error
  }
}

/** Passes content on and reports the number of written rows at intervals. */
async function* withProgress(
  deps: RunsServiceDependencies,
  jobId: string,
  content: AsyncIterable<Buffer>,
  progress: OutputProgress,
) {
  let reportedAt = deps.clock.now().getTime()
  for await (const chunk of content) {
    yield chunk
    const now = deps.clock.now().getTime()
    if (now - reportedAt < progressEveryMs) continue
    reportedAt = now
    const message = `${progress.rows.toLocaleString('en')} rows have been written.`
    await deps.statuses.updateComponent(jobId, jobId, { status: 'RUNNING', message })
  }
}

/** Returns a message with missing symbols; undefined if all exist. */
async function findMissing(
  deps: RunsServiceDependencies,
  principal: Principal,
  keys: readonly DataKey[],
): Promise<string | undefined> {
  const meanings = await deps.symbols.keys.describe(principal, keys, { perKey: 0, inAll: 0 })
  const missing = keys.filter((_, index) => meanings[index]!.totalSize === 0).map(describeKey)
  if (missing.length === 0) return undefined
  const rest = missing.length - namedMissing
  const named = missing.slice(0, namedMissing).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
  return `Symbols in the basket do not exist: ${named}. Remove them, or let the data prep skip missing symbols.`
}

async function setStatus(
  deps: RunsServiceDependencies,
  jobId: string,
  status: JobStatus,
  message: string,
): Promise<void> {
  await deps.statuses.updateComponent(jobId, jobId, { status, message })
  await writeMessage(deps.logs, { jobId, eId: jobId, component: 'Data prep' }, { status, message })
  await deps.statuses.finishJob(jobId, { status, message })
}

interface Outcome {
  status: JobStatus
  message: string
}

function finished(prep: StoredPrep, rows?: number): Outcome {
  const count = rows === undefined ? '' : ` with ${rows.toLocaleString('en')} rows`
  const message = `The file ${fileNameOf(prep)} was saved in ${prep.groupName}${count}.`
  return { status: rows === 0 ? 'WARN' : 'INFO', message }
}

function fileNameOf({ name }: StoredPrep): string {
  return `${name}.csv`
}

function describeKey({ groupName = '', symbols }: DataKey): string {
  const named = formatSymbolParameter(symbols)
  return `${named === '' ? 'any symbol' : named} in “${groupName}”`
}
