import { createGroup } from '@headwater/groups/contract'
import { startMailServer, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import {
  createPipeline,
  getPipelineSchedule,
  setPipelineSchedule,
  type PipelineTrigger,
  type TriggerInput,
} from '../../../contract/index.ts'

/** A trigger in a request; defaults can be omitted. */
export type GivenTrigger = { type: TriggerInput['type'] } & Record<string, unknown>

/** A server with a user who builds pipelines in the group “Flows”. */
export interface TriggerWorld {
  server: TestServer
  owner: Session
  /**
   * Saves a pipeline with one task that sends an e-mail with this text, and returns its id. The mail server has no mailbox
   * “nobody”.
   */
  pipeline(name: string, text?: string, options?: { groupName?: string; recipient?: string }): Promise<string>
  /** Sets the triggers of a pipeline. */
  set(pipelineId: string, triggers: readonly GivenTrigger[], caller?: Session): Promise<PipelineTrigger[]>
  /** Returns the triggers of a pipeline. */
  list(pipelineId: string, caller?: Session): Promise<PipelineTrigger[]>
  /** Returns the jobs of a pipeline, newest first. */
  jobs(pipelineId: string, caller?: Session): Promise<Job[]>
  /** Waits until a pipeline has `count` jobs and all of them have ended; returns the jobs, newest first. */
  ended(pipelineId: string, count: number, caller?: Session): Promise<Job[]>
  /** Returns the texts of the e-mails with a subject. */
  mails(subject: string): string[]
  /** Stops the server. */
  stop(): Promise<void>
  /** Waits until no event waits for its run and the queue has no unfinished jobs. */
  settled(): Promise<void>
}

/** Starts the server. */
export async function startTriggerWorld(env: Record<string, string> = {}): Promise<TriggerWorld> {
  const mailServer = await startMailServer({ refuses: (address) => address.startsWith('nobody@') })
  const server = await startTestServer({ env: { HEADWATER_SMTP_URL: mailServer.url, ...env } })
  const owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  const { pool } = server.running.platform.database

  async function poll<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
    const deadline = Date.now() + 30_000
    for (;;) {
      const value = await read()
      if (isDone(value)) return value
      if (Date.now() > deadline)
        throw new Error(`The condition was not met: ${JSON.stringify(value).slice(0, 1000)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const jobs = async (pipelineId: string, caller = owner) =>
    (await caller.call(searchStatuses, { query: { pipelineRootIds: pipelineId, size: 1000 } as never })).items

  return {
    server,
    owner,
    async pipeline(name, text = 'done', { groupName = 'Flows', recipient = 'anna@example.com' } = {}) {
      const params = [
        { name: 'subject', value: name },
        { name: 'recipients', value: recipient },
        { name: 'text', value: text },
      ]
      const { pipeline } = await owner.call(createPipeline, {
        body: {
          name,
          groupName,
          tasks: [
            { id: 'mail', taskReadableName: 'mail', taskName: 'email-sender', taskOverrides: { params } },
          ],
        },
      })
      return pipeline.id
    },
    async set(pipelineId, triggers, caller = owner) {
      const { schedulerTriggers } = await caller.call(setPipelineSchedule, {
        params: { pipelineId },
        body: { schedulerTriggers: triggers as never },
      })
      return schedulerTriggers
    },
    async list(pipelineId, caller = owner) {
      return (await caller.call(getPipelineSchedule, { params: { pipelineId } })).schedulerTriggers
    },
    jobs,
    ended: (pipelineId, count, caller = owner) =>
      poll(
        () => jobs(pipelineId, caller),
        (all) => all.length >= count && all.every(({ endTime }) => endTime !== undefined),
      ),
    mails: (subject) =>
      mailServer.mails
        .filter(({ text }) => text.includes(`Subject: ${subject}\r\n`))
        .map(({ text }) => text.slice(text.indexOf('\r\n\r\n')).trim()),
    async stop() {
      await server.stop()
      await mailServer.stop()
    },
    async settled() {
      await poll(
        async () => {
          const { rows } = await pool.query(
            `select (select count(*) from pipeline_trigger_firings where job_id is null)
               + (select count(*) from queue_jobs where state in ('waiting', 'running')) as count`,
          )
          return Number(rows[0].count)
        },
        (count) => count === 0,
      )
    },
  }
}
