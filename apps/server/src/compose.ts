import { createApprovals, type Approvals } from '@headwater/approvals/server'
import { createMonitor, type Monitor } from '@headwater/monitor/server'
import { createLateFunction, createRouter } from '@headwater/server-kit'
import { createAudit } from '@headwater/audit/server'
import { createDemo } from '@headwater/demo/server'
import { createEvents } from '@headwater/events/server'
import { createInsights, type InsightsDependencies } from '@headwater/insights/server'
import { createPipelines, type Pipelines } from '@headwater/pipelines/server'
import { createPublishing } from '@headwater/publishing/server'
import { createReports } from '@headwater/reports/server'
import { createRuns, stepLanes, type Runs, type StepKind } from '@headwater/runs/server'
import { createTasks, type Tasks } from '@headwater/tasks/server'
import { createTileData } from '@headwater/tile-data/server'
import { createTrash } from '@headwater/trash/server'
import { createUsage } from '@headwater/usage/server'
import { createWorkers } from '@headwater/workers/server'
import packageJson from '../package.json' with { type: 'json' }
import { connectFiles, connectGroups, hasTrash, trashSources } from './connect-features.ts'
import { createStorageFeatures, type StorageFeatures } from './compose-storage.ts'
import { groupsOfObject } from './groups-of-object.ts'
import type { Parts, Platform } from './platform.ts'
import type { RunSocket } from './run-socket.ts'
import { registerServiceRoutes } from './service-routes.ts'
import { createServices, type Services } from './services.ts'
import { createWorkQueue, describeSteps } from './work-queue.ts'
import { createSandboxFinder, openUserCodeNetwork, type SandboxFinder } from './user-code.ts'

export { migrationsFolders } from './migrations.ts'
export type { Parts, Platform } from './platform.ts'

/** Version of the product, from package.json. */
const version = packageJson.version

/** Creates every feature and connects it with the ones before it. Only this file and compose-storage.ts create features. */
export async function compose(parts: Parts): Promise<Platform> {
  const { config, log, database, engine, dataFolder, kind = 'server' } = parts
  const services = await createServices(parts)
  const { app, mailer, contents, jobs, runJobs } = services
  const executesJobs = kind === 'worker' || config.executesJobs
  const storage = createStorageFeatures(parts, services)
  const { accounts, groups, statuses, logs, files, items, secrets, schedules, symbols, preps } = storage
  const science = await createScienceFeatures(parts, services, storage)
  const { runSocket, tasks, runs, approvals, pipelines, monitor } = science
  const { tiles, insights, publishing, reports } = createInsightFeatures(parts, { ...storage, ...science })
  const all = { ...storage, ...science, insights, publishing, reports }
  connectFiles(all)
  connectGroups(all)
  accounts.connectInsights(insights.favourites)
  const trash = createTrash({
    sources: trashSources(storage),
    retentionDays: config.trashDays,
    isEnabled: hasTrash(accounts),
    clock: parts.clock,
    jobs,
    log,
  })
  const demo = createDemo({ database, log, groups, files, preps, pipelines })
  const workers = createWorkers({
    database,
    log,
    self: {
      kind,
      tags: config.workerTags,
      version,
      secret: dataFolder.secrets.tokenSigningKey,
      queueOwner: dataFolder.id,
      executesJobs,
    },
    queue: createWorkQueue(services),
    describeJobs: describeSteps(runs),
  })

  const events = createEvents({
    database,
    clock: parts.clock,
    log,
    groups: groups.access,
    findPrincipal: (userId) => accounts.findPrincipal(userId),
  })
  const authenticate = tasks.authenticate(accounts.authenticate)
  const audit = createAudit({ database, jobs, clock: parts.clock, log, retentionDays: config.auditDays })
  const router = createRouter(app, {
    authenticate,
    audit: { record: audit.record, clock: parts.clock },
    checkOutput: parts.checkOutput ?? false,
  })
  const usage = createUsage({ groups: groups.access, items, files, symbols })
  const storing = [accounts, groups, statuses, logs, files, secrets, symbols, preps]
  const operating = [trash, usage, demo, workers]
  const showing = [tasks, approvals, pipelines, monitor, tiles, insights, publishing, reports, ...operating]
  for (const feature of [audit, ...storing, ...showing]) feature.registerRoutes(router)
  events.registerRoutes(router, authenticate)
  registerServiceRoutes(router, {
    version,
    checks: { database: () => database.pool.query('select 1'), series: () => engine.listVersions(1) },
  })

  return {
    app,
    router,
    audit,
    database,
    accounts,
    jobs,
    statuses,
    logs,
    files,
    secrets,
    symbols,
    preps,
    trash,
    demo,
    async resume() {
      for (const each of [statuses, items.pendingLinks, files, symbols, trash, audit]) await each.resume()
      await schedules.start()
      await pipelines.mail.start()
      events.start()
      await work()
    },
    work,
    async close() {
      // The list of workers is only for display, so a stop does not depend on it.
      await workers.drain().catch((error: unknown) => log.warn({ error }, 'stopping'))
      await events.close()
      tasks.stopTestRuns()
      await app.close()
      await audit.flush()
      await Promise.all([schedules.stop(), pipelines.mail.stop()])
      const graceMs = config.drainSeconds * 1000
      await Promise.all([jobs.stop(graceMs), runJobs.stop(graceMs)])
      await runs.close()
      await runSocket.close()
      await accounts.settled()
      mailer.close()
      await contents.close()
      await workers.leave().catch((error: unknown) => log.warn({ error }, 'stopping'))
    },
  }

  async function work(): Promise<void> {
    await workers.join()
    await runSocket.listen()
    if (!executesJobs) return
    jobs.start()
    runJobs.start()
  }
}

interface ScienceFeatures {
  runSocket: RunSocket
  findSandbox: SandboxFinder
  tasks: Tasks
  runs: Runs
  approvals: Approvals
  pipelines: Pipelines
  monitor: Monitor
}

/** Creates tasks, approvals, pipelines and the monitor, and the socket that user code in runs calls. */
async function createScienceFeatures(
  { config, clock, log, database, dataFolder }: Parts,
  { app, mailer, runJobs }: Services,
  storage: StorageFeatures,
): Promise<ScienceFeatures> {
  const { accounts, groups, statuses, logs, files, items, secrets, schedules } = storage
  const findPrincipal = (userId: number) => accounts.findPrincipal(userId)
  const { runSocket, ...network } = await openUserCodeNetwork(app, config, dataFolder.folders.run)
  const findSandbox = createSandboxFinder(dataFolder.path)

  const tasks = createTasks({
    database,
    clock,
    groups: groups.access,
    items,
    files,
    logs,
    mailer,
    findSandbox,
    findPrincipal,
    isAttemptRunning: storage.isAttemptRunning.call,
    signingSecret: dataFolder.secrets.tokenSigningKey,
    ...network,
    internalHosts: config.internalHosts,
    packages: config.packages,
    packagesFolder: dataFolder.folders.packages,
    symbols: storage.symbols,
    secrets,
    acquireScriptSlot: (signal) => runJobs.occupy(stepLanes.userCode, signal),
  })
  storage.secretsInUse.define((userId, text) => tasks.hideSecrets(userId, text))

  const runs = createRuns({
    database,
    clock,
    statuses,
    logs,
    queue: runJobs,
    findKind: (name): StepKind | undefined => tasks.findKind(name),
    findPrincipal,
  })
  storage.isAttemptRunning.define(
    async (run) => tasks.isTestRunning(run) || runs.isAttemptRunning(run.runId, run.eId, run.attempt),
  )
  const approvals = createApprovals({
    database,
    clock,
    tasks,
    runs,
    queue: runJobs,
    accounts,
    mailer,
    config,
  })
  const pipelines = createPipelines({
    database,
    clock,
    groups: groups.access,
    grants: groups.grants,
    groupsOfObject: (principal, type, id) => groupsOfObject(storage, principal, type, id),
    items,
    files,
    runs,
    approvals,
    tasks,
    statuses,
    schedules,
    queue: runJobs,
    accounts,
    signingSecret: dataFolder.secrets.tokenSigningKey,
    config,
    mailer,
    log,
  })

  const monitor = createMonitor({
    database,
    clock,
    groups: groups.access,
    pipelines,
    runs,
    approvals,
    queue: runJobs,
    findPrincipal,
  })

  return { runSocket, findSandbox, tasks, runs, approvals, pipelines, monitor }
}

/** Creates tiles, insights, publishing and reports. */
function createInsightFeatures(
  { config, clock, log, database, dataFolder }: Parts,
  features: StorageFeatures & ScienceFeatures,
) {
  const { accounts, groups, files, items, symbols, preps, tasks, pipelines } = features
  type Audiences = InsightsDependencies['audiences']
  const findAudiences = createLateFunction<Parameters<Audiences['find']>, ReturnType<Audiences['find']>>(
    'audiences of insights',
  )
  const publicIds = createLateFunction<[], ReturnType<Audiences['publicIds']>>('ids of public insights')
  type GroupsNotAllowed = InsightsDependencies['groupsNotAllowed']
  const groupsNotAllowed = createLateFunction<Parameters<GroupsNotAllowed>, ReturnType<GroupsNotAllowed>>(
    'groups that a save cannot publish',
  )

  const tiles = createTileData({
    data: symbols.data,
    takeTurn: symbols.acquireSlot,
    groups,
    preps,
    findSandbox: features.findSandbox,
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
    audiences: { find: findAudiences.call, publicIds: publicIds.call },
    groupsNotAllowed: groupsNotAllowed.call,
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
  findAudiences.define((ids) => publishing.audiences.find(ids))
  publicIds.define(() => publishing.audiences.publicIds())
  groupsNotAllowed.define((principal, content) => publishing.groupsNotAllowed(principal, content))

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

  return { tiles, insights, publishing, reports }
}
