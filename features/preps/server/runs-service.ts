import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AppError } from '@headwater/contract'
import type { Clock, Executor, Principal } from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import type { JobQueue, RunningJob } from '@headwater/jobs'
import type { JobStatus } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import { dataQuery, formatSymbolParameter, type DataKey, type DataQuery } from '@headwater/symbols/contract'
import type { Symbols } from '@headwater/symbols/server'
import { dataPrepFileType, prepErrors, toDataQuery, type DataPrepQuestion } from '../contract/index.ts'
import type { PrepsService } from './preps-service.ts'
import type { PrepsStore, StoredPrep } from './preps-store.ts'
import { shapeOutput, type OutputProgress } from './run-output.ts'
import type { RunsStore, StoredRun } from './runs-store.ts'

export interface RunsServiceDependencies {
  runs: RunsStore
  store: PrepsStore
  preps: Pick<PrepsService, 'require'>
  symbols: Pick<Symbols, 'data' | 'keys'>
  files: Pick<Files, 'create' | 'putContent' | 'get'>
  statuses: Pick<Statuses, 'joinOrStartJob' | 'addComponent' | 'updateComponent' | 'finishJob'>
  queue: JobQueue
  /** The principal of an active user, for the run that goes on without them. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  clock: Clock
}

export type RunsService = ReturnType<typeof createRunsService>

const runJobKind = 'run-data-prep'
/** Runs at once; some workers of the queue always stay for files that arrive. */
const lanes = 2
const progressEveryMs = 2000
const givenUp = 'The run failed after several attempts. Start it again later.'
/** Missing symbols that a message names. */
const namedMissing = 20

/** The rules of runs: who starts them, what they write, and what is told of them. */
export function createRunsService(dependencies: RunsServiceDependencies) {
  const { runs, store, preps, symbols, files, statuses, queue, findPrincipal, clock } = dependencies

  /**
   * Starts a run and answers with its job.
   * @param note what is to be true when the run has started and only then: takes part in its transaction
   */
  async function start(
    principal: Principal,
    prepId: string,
    version: number | undefined,
    note?: (jobId: string, executor: Executor) => Promise<void>,
  ): Promise<string> {
    const { item: prep, group } = await preps.require(principal, { id: prepId }, 'RW', version)
    if (prep.content.symbols.length === 0) throw prepErrors.prepEmpty({ name: prep.name })
    toDataQuery(prep.content)
    const fileName = fileNameOf(prep)
    const typeThere = await runs.fileType(group.id, fileName)
    if (typeThere !== undefined && typeThere !== dataPrepFileType)
      throw prepErrors.fileInTheWay({ fileName, group: group.name })

    const running = await findRunning(prep.id, principal.userId)
    const started = running === undefined ? await begin(principal, prep, group, note) : undefined
    if (started !== undefined) return started
    const jobId = running ?? (await findRunning(prep.id, principal.userId)) ?? ''
    // Without a run that goes on it was the data prep that went.
    if (jobId === '') await preps.require(principal, { id: prepId }, 'RW', version)
    throw prepErrors.prepRunning({ name: prep.name, jobId })
  }

  /** The run of a user that goes on. One that nobody works on any more, as when giving it up failed too, is ended here. */
  async function findRunning(prepId: string, userId: number): Promise<string | undefined> {
    const active = await runs.findActive(prepId, userId)
    if (active === undefined) return undefined
    const work = active.queueJobId === null ? undefined : await queue.find(active.queueJobId)
    if (work !== undefined && work.state !== 'done' && work.state !== 'failed') return active.id
    // It may have ended well between the two questions; then it is not noted any more.
    const still = await runs.findActive(prepId, userId)
    if (still?.id !== active.id) return still?.id
    await tell(active.id, 'ERROR', givenUp)
    await runs.end(active.id)
    return undefined
  }

  /** Notes a run with its job and has it done; undefined when another one of this user was faster. */
  async function begin(
    principal: Principal,
    prep: StoredPrep,
    group: { id: number; name: string },
    note: (jobId: string, executor: Executor) => Promise<void> = async () => {},
  ): Promise<string | undefined> {
    const id = randomUUID()
    const payload = {
      groupName: group.name,
      version: prep.version,
      fileName: fileNameOf(prep),
      fileType: dataPrepFileType,
    }
    const waiting = { status: 'PENDING', message: 'Waiting for its turn.' } as const
    return runs.transaction(async (executor) => {
      const run = { id, prepId: prep.id, version: prep.version, userId: principal.userId }
      if (!(await runs.start(run, executor))) return undefined
      await statuses.joinOrStartJob(
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
      await statuses.addComponent(id, { eId: id, component: 'Data prep', payload, ...waiting }, executor)
      const serialKey = `${runJobKind} ${principal.userId % lanes}`
      const queueJobId = await queue.enqueue(runJobKind, { runId: id }, { serialKey }, executor)
      await runs.setQueueJob(id, queueJobId, executor)
      await note(id, executor)
      return id
    })
  }

  async function run(job: RunningJob<{ runId: string }>): Promise<void> {
    const { runId } = job.payload
    const found = await runs.find(runId)
    const prep = found && (await store.find({ id: found.prepId }, found.version))
    if (found === undefined || prep === undefined) {
      await tell(runId, 'ERROR', 'The data prep was deleted before the run finished.')
      return
    }
    const end = await outcomeOf(found, prep, job.signal)
    await tell(runId, end.status, end.message)
    await runs.transaction(async (executor) => {
      await runs.end(runId, executor)
      await job.complete(executor)
    })
  }

  /** Does the work of a run. What the user can mend is an outcome; what may be better next time is thrown. */
  async function outcomeOf(found: StoredRun, prep: StoredPrep, signal: AbortSignal): Promise<Outcome> {
    try {
      const principal = await findPrincipal(found.userId)
      if (principal === undefined || !principal.can('Storage/DataPreps', 'RW'))
        return {
          status: 'ERROR',
          message: 'The user who started the run no longer has permission to run data preps.',
        }
      if (found.file !== undefined && (await isThere(principal, found.file.id))) return arrived(prep)
      return await write(principal, found, prep, signal)
    } catch (error) {
      const isForPeople = error instanceof AppError && error.status !== 503
      if (!isForPeople || signal.aborted) throw error
      return { status: 'ERROR', message: error.message }
    }
  }

  async function write(
    principal: Principal,
    found: StoredRun,
    prep: StoredPrep,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const question = prep.content
    const query = dataQuery.parse(toDataQuery(question))
    await tell(found.id, 'RUNNING', 'Reading the data.')
    if (question.failOnMissingSymbols) {
      const missing = await findMissing(principal, query.keys)
      if (missing !== undefined) return { status: 'ERROR', message: missing }
    }
    const progress: OutputProgress = { rows: 0 }
    // An answer that nobody began to read does not end by itself.
    const reading = new AbortController()
    try {
      const { stream } = await symbols.data.answer(principal, query, {
        signal: AbortSignal.any([signal, reading.signal]),
      })
      const content = shapeOutput(stream, shapeOf(principal, question, query), progress)
      await upload(principal, found, prep, telling(found.id, content, progress))
    } finally {
      reading.abort()
    }
    return arrived(prep, progress.rows)
  }

  function shapeOf(principal: Principal, question: DataPrepQuestion, query: DataQuery) {
    const hasRowsOfSymbols = question.ncsvEmptySymbolsInResult && question.outputLayout === 'ROWS'
    return {
      withType: question.withType,
      symbols: hasRowsOfSymbols ? () => symbols.keys.scan(principal, query.keys) : undefined,
    }
  }

  /** Sends the content to the file of the run. A run that is taken up again sends it to the same file, which takes it once. */
  async function upload(
    principal: Principal,
    found: StoredRun,
    prep: StoredPrep,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    const file = await announcedFile(principal, found, prep)
    let cause: unknown
    async function* remembering() {
      try {
        yield* content
      } catch (error) {
        cause = error
        throw error
      }
    }
    const stream = Readable.from(remembering(), { objectMode: false })
    try {
      await files.putContent(file.id, file.permit, {
        stream,
        announcedBytes: undefined,
        announcedHash: undefined,
      })
    } catch (error) {
      await handleRefusal(found, file.id, cause ?? error)
    } finally {
      stream.destroy()
    }
  }

  /** The upload tells of a broken connection only; `cause` is what broke it. */
  async function handleRefusal(found: StoredRun, fileId: string, cause: unknown): Promise<void> {
    const code = cause instanceof AppError ? cause.code : undefined
    // A try that was thought lost has sent it meanwhile.
    if (code === 'contentThere') return
    await statuses.updateComponent(found.id, fileId, { status: 'ERROR', message: 'Nothing was stored.' })
    if (code !== 'linkNotValid') throw cause
    await runs.setFile(found.id, undefined)
    throw new Error('The permit to write the file ran out while the run waited; the next try gets a new one.')
  }

  async function announcedFile(principal: Principal, found: StoredRun, prep: StoredPrep) {
    if (found.file !== undefined) return found.file
    const { fileId, token } = await files.create(
      principal,
      {
        groupName: prep.groupName,
        fileName: fileNameOf(prep),
        fileType: dataPrepFileType,
        fields: [],
        zipped: false,
      },
      found.id,
    )
    const file = { id: fileId, permit: token }
    await runs.setFile(found.id, file)
    return file
  }

  async function isThere(principal: Principal, fid: string): Promise<boolean> {
    try {
      await files.get(principal, fid)
      return true
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return false
      throw error
    }
  }

  /** Tells now and then how many rows have been written. */
  async function* telling(jobId: string, content: AsyncIterable<Buffer>, progress: OutputProgress) {
    let toldAt = clock.now().getTime()
    for await (const chunk of content) {
      yield chunk
      const now = clock.now().getTime()
      if (now - toldAt < progressEveryMs) continue
      toldAt = now
      const message = `${progress.rows.toLocaleString('en')} rows have been written.`
      await statuses.updateComponent(jobId, jobId, { status: 'RUNNING', message })
    }
  }

  /** What to say of symbols that are not there; undefined when all are. */
  async function findMissing(principal: Principal, keys: readonly DataKey[]): Promise<string | undefined> {
    const meanings = await symbols.keys.describe(principal, keys, { perKey: 0, inAll: 0 })
    const missing = keys.filter((_, index) => meanings[index]!.totalSize === 0).map(describeKey)
    if (missing.length === 0) return undefined
    const rest = missing.length - namedMissing
    const named = missing.slice(0, namedMissing).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
    return `Symbols in the basket do not exist: ${named}. Remove them, or let the data prep skip missing symbols.`
  }

  async function tell(jobId: string, status: JobStatus, message: string): Promise<void> {
    await statuses.updateComponent(jobId, jobId, { status, message })
    await statuses.finishJob(jobId, { status, message })
  }

  queue.handle<{ runId: string }>(runJobKind, {
    run,
    async giveUp({ payload: { runId } }) {
      await tell(runId, 'ERROR', givenUp)
      await runs.end(runId)
    },
  })

  return { start }
}

interface Outcome {
  status: JobStatus
  message: string
}

function arrived(prep: StoredPrep, rows?: number): Outcome {
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
