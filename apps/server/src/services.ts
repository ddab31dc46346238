import { availableParallelism, totalmem } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { createJobQueue, type JobQueue } from '@headwater/jobs'
import { dataPrepLane } from '@headwater/preps/server'
import { stepLanes } from '@headwater/runs/server'
import {
  createApp,
  createMailer,
  openContentStore,
  type ContentStore,
  type Mailer,
} from '@headwater/server-kit'
import type { Parts } from './platform.ts'

/** Values that the features share. */
export interface Services {
  /** HTTP server, without routes. */
  app: FastifyInstance
  /** Sends mail. */
  mailer: Mailer
  /** Bytes of files. */
  contents: ContentStore
  /** Queue of uploads, data preps and housekeeping. */
  jobs: JobQueue
  /** Queue of runs. */
  runJobs: JobQueue
}

/** Creates the services that the features share: HTTP server, mail, contents of files, and job queues. */
export async function createServices(parts: Parts): Promise<Services> {
  const { config, clock, log, database, dataFolder, webFolder, connectionLimits } = parts
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    logFile: `${dataFolder.folders.logs}/mails.log`,
    from: config.mailFrom,
    clock,
    log,
  })
  const app = await createApp({
    log,
    clock,
    publicUrl: config.publicUrl,
    allowedOrigins: config.allowedOrigins,
    trustedProxies: config.trustedProxies,
    connectionLimits: { maxAnonymousPerAddress: config.connectionsPerAddress, ...connectionLimits },
    webFolder,
    // Other sites can show only insights in a frame. The start page redirects to them.
    framedPaths: /^\/(?:$|insight(?:\/|$)|public(?:\/|$))/i,
  })
  const contents = await openContentStore({ s3: config.s3, folder: dataFolder.folders.content })
  const warn = (message: string, error: unknown) => log.warn({ error }, message)
  const jobs = createJobQueue({
    pool: database.pool,
    owner: `${dataFolder.id} files`,
    lanes: { default: { capacity: 4 }, [dataPrepLane]: { capacity: 2 } },
    warn,
  })
  // Separate workers: uploaded files and data preps never wait for user code.
  const runJobs = createJobQueue({
    pool: database.pool,
    owner: `${dataFolder.id} runs`,
    lanes: {
      default: { capacity: 2 },
      [stepLanes.userCode]: { capacity: userCodeSlots(), reserve: true },
      [stepLanes.builtIn]: { capacity: 16 },
    },
    warn,
  })
  return { app, mailer, contents, jobs, runJobs }
}

/**
 * Returns the number of scripts that run concurrently: as many as fit into memory, at least two and at most four per
 * processor.
 */
function userCodeSlots(): number {
  const bytesOfScript = 1024 ** 3
  return Math.max(2, Math.min(Math.floor(totalmem() / bytesOfScript), 4 * availableParallelism()))
}
