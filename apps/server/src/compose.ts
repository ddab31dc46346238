import type { FastifyInstance } from 'fastify'
import {
  createApp,
  createMailer,
  createRouter,
  type Clock,
  type Config,
  type DataFolder,
  type Database,
  type Log,
  type Router,
} from '@headwater/server-kit'
import {
  createAccounts,
  migrationsFolder as accountsMigrations,
  type Accounts,
} from '@headwater/accounts/server'
import { createGroups, migrationsFolder as groupsMigrations } from '@headwater/groups/server'
import packageJson from '../package.json' with { type: 'json' }
import { registerServiceRoutes } from './service-routes.ts'

/** The migrations of every room. */
export const migrationsFolders: readonly string[] = [accountsMigrations, groupsMigrations]

/** Version of the product, as package.json has it. */
const version = packageJson.version

/** How often expired sessions, links and counters are removed, in milliseconds. */
const cleanUpEveryMs = 3_600_000

/** What the composition is made of. */
export interface Parts {
  config: Config
  clock: Clock
  log: Log
  database: Database
  dataFolder: DataFolder
  /** Folder of the built web application; without it only the API is served. */
  webFolder?: string | undefined
  /** Whether every answer is parsed against its schema; for tests and development. */
  checkOutput?: boolean
}

/** Everything that runs in one server. */
export interface Platform {
  app: FastifyInstance
  router: Router
  database: Database
  accounts: Accounts
  /** Takes up work that was left by an earlier process. Called once, before requests are accepted. */
  resume(): Promise<void>
  close(): Promise<void>
}

/** Makes every room and connects it with the ones before it. The only place where real things are made. */
export async function compose(parts: Parts): Promise<Platform> {
  const { config, clock, log, database, dataFolder, webFolder, checkOutput = false } = parts
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
    allowedOrigins: config.allowedOrigins,
    trustedProxies: config.trustedProxies,
    webFolder,
  })

  const accounts = createAccounts({
    database,
    clock,
    log,
    mailer,
    config,
    tokenSigningKey: dataFolder.secrets.tokenSigningKey,
    onUserCreated: (user) => groups.createHome(user),
  })
  const groups = createGroups({
    database,
    favoriteGroupNames: (userId) => accounts.favoriteNames(userId, 'favoriteGroups'),
    groupIdsWithSymbols: async () => [],
    emitGroupDeleted: async () => {},
  })

  const router = createRouter(app, { authenticate: accounts.authenticate, checkOutput })
  accounts.registerRoutes(router)
  groups.registerRoutes(router)
  registerServiceRoutes(router, {
    version,
    checks: { database: () => database.pool.query('select 1') },
  })

  const cleaning = setInterval(() => {
    accounts.cleanUp().catch((error) => log.warn({ error }, 'expired sessions could not be removed'))
  }, cleanUpEveryMs)

  return {
    app,
    router,
    database,
    accounts,
    async resume() {},
    async close() {
      clearInterval(cleaning)
      await app.close()
      await accounts.settled()
      mailer.close()
    },
  }
}
