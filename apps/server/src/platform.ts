import type { FastifyInstance } from 'fastify'
import type {
  Clock,
  Config,
  ConnectionLimits,
  DataFolder,
  Database,
  Log,
  Router,
} from '@headwater/server-kit'
import type { Accounts, PasswordHasher } from '@headwater/accounts/server'
import type { Demo } from '@headwater/demo/server'
import type { Files } from '@headwater/files/server'
import type { JobQueue } from '@headwater/jobs'
import type { Logs } from '@headwater/logs/server'
import type { Secrets } from '@headwater/secrets/server'
import type { Statuses } from '@headwater/statuses/server'
import type { Preps } from '@headwater/preps/server'
import type { Symbols } from '@headwater/symbols/server'
import type { Audit } from '@headwater/audit/server'
import type { Trash } from '@headwater/trash/server'
import type { SeriesEngine } from '@headwater/timeseries'

/** Parts of a server. */
export interface Parts {
  /** Whether the process has a web port and starts runs on schedule, or executes jobs only. Default server. */
  kind?: 'server' | 'worker'
  /** Configuration from the environment. */
  config: Config
  /** Clock of all features. */
  clock: Clock
  /** Log of the server. */
  log: Log
  /** PostgreSQL. */
  database: Database
  /** Folder of contents, logs and secrets. */
  dataFolder: DataFolder
  /** Engine of time series. */
  engine: SeriesEngine
  /** Folder of the built web application; without it the server offers the API only. */
  webFolder?: string | undefined
  /** Limits that override the defaults of the server and the configuration; for tests. */
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** Hashes passwords. Default: that of `createAccounts`. For tests. */
  passwordHasher?: PasswordHasher | undefined
  /** Whether every response is validated against its schema; for tests and development. */
  checkOutput?: boolean
}

/** Everything that runs in one server. */
export interface Platform {
  /** HTTP server. */
  app: FastifyInstance
  /** Routes of all features. */
  router: Router
  /** PostgreSQL. */
  database: Database
  /** The accounts feature. */
  accounts: Accounts
  /** Queue of uploaded files and data preps. */
  jobs: JobQueue
  /** The statuses feature. */
  statuses: Statuses
  /** The logs feature. */
  logs: Logs
  /** The files feature. */
  files: Files
  /** The secrets feature. */
  secrets: Secrets
  /** The symbols feature. */
  symbols: Symbols
  /** The data preps feature. */
  preps: Preps
  /** The audit log. */
  audit: Audit
  /** The trash feature. */
  trash: Trash
  /** The demo feature. */
  demo: Demo
  /**
   * Resumes unfinished work of an earlier process and starts new work. Called once, before a server accepts requests.
   */
  resume(): Promise<void>
  /**
   * Starts to execute jobs and to accept requests of their code. Called once.
   * @throws if a running process has another installation key
   */
  work(): Promise<void>
  /** Stops accepting requests, waits for running work and closes the server. */
  close(): Promise<void>
}
