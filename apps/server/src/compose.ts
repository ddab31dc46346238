import type { FastifyInstance } from 'fastify'
import {
  createApp,
  createMailer,
  createRouter,
  openFolderContentStore,
  type Clock,
  type Config,
  type ConnectionLimits,
  type DataFolder,
  type Database,
  type Log,
  type Router,
} from '@headwater/server-kit'
import {
  createAccounts,
  migrationsFolder as accountsMigrations,
  type Accounts,
  type PasswordHasher,
} from '@headwater/accounts/server'
import { createGroups, migrationsFolder as groupsMigrations } from '@headwater/groups/server'
import { createInsights, migrationsFolder as insightsMigrations } from '@headwater/insights/server'
import { createPublishing, migrationsFolder as publishingMigrations } from '@headwater/publishing/server'
import { createReports, migrationsFolder as reportsMigrations } from '@headwater/reports/server'
import { createJobQueue, migrationsFolder as jobsMigrations, type JobQueue } from '@headwater/jobs'
import {
  createFiles,
  migrationsFolder as filesMigrations,
  seriesSerialKey,
  type Files,
} from '@headwater/files/server'
import { createItems, migrationsFolder as itemsMigrations } from '@headwater/items/server'
import { createSchedules, migrationsFolder as schedulesMigrations } from '@headwater/schedules/server'
import {
  createStatuses,
  migrationsFolder as statusesMigrations,
  type Statuses,
} from '@headwater/statuses/server'
import { createSymbols, migrationsFolder as symbolsMigrations, type Symbols } from '@headwater/symbols/server'
import { createPipelines, migrationsFolder as pipelinesMigrations } from '@headwater/pipelines/server'
import { createPreps, migrationsFolder as prepsMigrations } from '@headwater/preps/server'
import { createDemo, migrationsFolder as demoMigrations, type Demo } from '@headwater/demo/server'
import { findSandbox } from '@headwater/sandbox'
import { createTasks, migrationsFolder as tasksMigrations } from '@headwater/tasks/server'
import { createTiles } from '@headwater/tiles/server'
import type { SeriesEngine } from '@headwater/timeseries'
import packageJson from '../package.json' with { type: 'json' }
import { openRunSocket } from './run-socket.ts'
import { registerServiceRoutes } from './service-routes.ts'

/** The migrations of all features. */
export const migrationsFolders: readonly string[] = [
  accountsMigrations,
  jobsMigrations,
  statusesMigrations,
  groupsMigrations,
  filesMigrations,
  itemsMigrations,
  schedulesMigrations,
  symbolsMigrations,
  prepsMigrations,
  tasksMigrations,
  pipelinesMigrations,
  insightsMigrations,
  publishingMigrations,
  reportsMigrations,
  demoMigrations,
]

/** Version of the product, from package.json. */
const version = packageJson.version

/** Parts of the composition. */
export interface Parts {
  config: Config
  clock: Clock
  log: Log
  database: Database
  dataFolder: DataFolder
  engine: SeriesEngine
  /** Folder of the built web application; without it the server offers the API only. */
  webFolder?: string | undefined
  /** Limits that replace those of a server and of the configuration; for tests. */
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** Hashes passwords; default as `createAccounts`. For tests. */
  passwordHasher?: PasswordHasher | undefined
  /** Whether every response is validated against its schema; for tests and development. */
  checkOutput?: boolean
}

/** Everything that runs in one server. */
export interface Platform {
  app: FastifyInstance
  router: Router
  database: Database
  accounts: Accounts
  jobs: JobQueue
  statuses: Statuses
  files: Files
  symbols: Symbols
  demo: Demo
  /** Resumes work that an earlier process left. Called once, before requests are accepted. */
  resume(): Promise<void>
  close(): Promise<void>
}

/** Creates every feature and connects it with the ones before it. No other code creates stores and engines. */
export async function compose(parts: Parts): Promise<Platform> {
  const { config, clock, log, database, dataFolder, engine, webFolder, connectionLimits, passwordHasher } =
    parts
  const { checkOutput = false } = parts
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
    // A frame of another site shows insights only; the start page leads to them.
    framedPaths: /^\/(?:$|insight(?:\/|$)|public(?:\/|$))/i,
  })

  const contents = await openFolderContentStore(dataFolder.folders.content)
  const jobs = createJobQueue({
    pool: database.pool,
    owner: `${dataFolder.id} files`,
    warn: (message, error) => log.warn({ error }, message),
  })
  // Separate workers: uploaded files and data preps never wait for code of users.
  const runJobs = createJobQueue({
    pool: database.pool,
    owner: `${dataFolder.id} runs`,
    lanes: { default: { capacity: 3 } },
    warn: (message, error) => log.warn({ error }, message),
  })
  const accounts = createAccounts({
    database,
    clock,
    log,
    mailer,
    config,
    tokenSigningKey: dataFolder.secrets.tokenSigningKey,
    onUserCreated: (user, executor) => groups.createHome(user, executor),
    storageUsage: {
      storedBytes: (owner) => files.storedBytes(owner),
      freeDiskBytes: () => contents.freeBytes(),
    },
    passwordHasher,
  })
  const groups = createGroups({
    database,
    clock,
    favoriteGroupNames: (userId) => accounts.favoriteNames(userId, 'favoriteGroups'),
    jobs,
    contents: {
      groupIdsWithSymbols: () => symbols.groupIdsWithSymbols(),
      count: async ({ id, name, scope }) => ({
        files: await files.countIn(id),
        insights: await insights.countIn(scope),
        emailExports: await reports.countIn(scope),
        symbols: await symbols.countIn(id),
        dataPreps: await preps.countIn(scope),
        publicViews: await publishing.countPublicViews(name),
      }),
      async onGroupDeleted(groupId, executor) {
        await pipelines.onGroupDeleted(groupId, executor)
        await files.abandonGroup(groupId, executor)
      },
      clear: (groupId) => symbols.removeGroup(groupId),
      serialKey: seriesSerialKey,
    },
  })
  const statuses = createStatuses({ database, clock, groups: groups.access, queue: jobs })
  const files = createFiles({
    database,
    clock,
    log,
    contents,
    storageLimits: () => accounts.storageLimits(),
    jobs,
    groups: groups.access,
    statuses,
    findUserId: async (userName) => (await accounts.findUserByName(userName))?.userId,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    isRunning: (runId) => tasks.isRunning(runId),
    signingSecret: dataFolder.secrets.tokenSigningKey,
    publicUrl: config.publicUrl,
    events: {
      onFileArrived: (file, executor) => insights.onFileArrived(file, executor),
      onFileMoved: (from, to, executor) => insights.onFileMoved(from, to, executor),
      async onFileDeleted(file, executor) {
        await symbols.removeFiles([file.id], executor)
        await insights.onFileDeleted(file, executor)
      },
    },
    afterFilesDeleted: (fileIds) => symbols.hideFiles(fileIds),
  })
  const items = createItems({ database })
  const schedules = createSchedules({ database, clock, log })
  const symbols = createSymbols({
    database,
    queryLimits: { atOnce: config.queriesAtOnce, perTaker: config.queriesPerUser },
    clock,
    log,
    engine,
    // The embedded engine allows one server per data folder; an external one can serve many.
    isOnlyServer: config.clickhouseUrls.length === 0,
    queue: jobs,
    access: groups.access,
    signingSecret: dataFolder.secrets.tokenSigningKey,
    files,
    createGroup: groups.create,
    findAdministrator: () => accounts.findAdministrator(),
    environment: accounts.product.environment,
  })
  const preps = createPreps({
    database,
    clock,
    groups: groups.access,
    items,
    symbols,
    files,
    statuses,
    schedules,
    queue: jobs,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
  })
  const runSocket = await openRunSocket(app, dataFolder.folders.run)
  // Searched when first needed, because the search starts a process.
  let sandbox: ReturnType<typeof findSandbox> | undefined
  const findSandboxOnce = async () => {
    const result = await (sandbox ??= findSandbox({ hiddenFolders: [dataFolder.path] }))
    // The failure can be temporary, or somebody can install what is missing.
    if (!result.available) sandbox = undefined
    return result
  }
  const tasks = createTasks({
    clock,
    groups: groups.access,
    items,
    files,
    mailer,
    findSandbox: findSandboxOnce,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    server: { socketPath: runSocket.path, port: 8000 },
  })
  const pipelines = createPipelines({
    database,
    clock,
    groups: groups.access,
    items,
    tasks,
    statuses,
    schedules,
    queue: runJobs,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
  })
  const tiles = createTiles({
    data: symbols.data,
    takeTurn: symbols.acquireSlot,
    groups,
    preps,
    findSandbox: findSandboxOnce,
    clock,
    log,
  })
  const insights = createInsights({
    database,
    clock,
    log,
    files,
    groups,
    items,
    tasks,
    tiles,
    audiences: {
      find: (ids) => publishing.audiences.find(ids),
      publicIds: () => publishing.audiences.publicIds(),
    },
    groupsNotAllowed: (principal, content) => publishing.groupsNotAllowed(principal, content),
  })
  const publishing = createPublishing({
    database,
    clock,
    log,
    files,
    groups,
    lists: symbols.lists,
    preps,
    accounts,
    tiles,
    insights,
    signingSecret: dataFolder.secrets.tokenSigningKey,
  })
  const reports = createReports({
    clock,
    log,
    files,
    groups,
    tasks,
    pipelines,
    accounts,
    tiles,
    insights,
    publicUrl: config.publicUrl,
  })
  const demo = createDemo({ database, log, groups, files, preps })

  const router = createRouter(app, { authenticate: tasks.authenticate(accounts.authenticate), checkOutput })
  accounts.registerRoutes(router)
  groups.registerRoutes(router)
  statuses.registerRoutes(router)
  files.registerRoutes(router)
  symbols.registerRoutes(router)
  preps.registerRoutes(router)
  tasks.registerRoutes(router)
  pipelines.registerRoutes(router)
  tiles.registerRoutes(router)
  insights.registerRoutes(router)
  publishing.registerRoutes(router)
  reports.registerRoutes(router)
  demo.registerRoutes(router)
  registerServiceRoutes(router, {
    version,
    checks: {
      database: () => database.pool.query('select 1'),
      series: () => engine.listVersions(1),
    },
  })

  return {
    app,
    router,
    database,
    accounts,
    jobs,
    statuses,
    files,
    symbols,
    demo,
    async resume() {
      await statuses.resume()
      await files.resume()
      await symbols.resume()
      await schedules.start()
      await runSocket.listen()
      jobs.start()
      runJobs.start()
    },
    async close() {
      await app.close()
      await schedules.stop()
      await Promise.all([jobs.stop(), runJobs.stop()])
      await runSocket.close()
      await accounts.settled()
      mailer.close()
    },
  }
}
