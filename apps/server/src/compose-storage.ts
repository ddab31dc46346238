import { createKeyRing, createLateFunction, type RunAttempt } from '@headwater/server-kit'
import { createAccounts, type Accounts } from '@headwater/accounts/server'
import { createFiles, type Files } from '@headwater/files/server'
import { createGroups, type Groups } from '@headwater/groups/server'
import { createItems, type Items } from '@headwater/items/server'
import { createLogs, type Logs } from '@headwater/logs/server'
import { createPreps, type Preps } from '@headwater/preps/server'
import { createSchedules, type Schedules } from '@headwater/schedules/server'
import { createSecrets, type Secrets } from '@headwater/secrets/server'
import { createStatuses, type Statuses } from '@headwater/statuses/server'
import { createSymbols, type Symbols } from '@headwater/symbols/server'
import { hasTrash } from './connect-features.ts'
import type { Parts } from './platform.ts'
import type { Services } from './services.ts'

/** The features from accounts to data preps. */
export interface StorageFeatures {
  accounts: Accounts
  groups: Groups
  statuses: Statuses
  logs: Logs
  files: Files
  /** Defined by runs: whether an attempt at a step of a run is running. */
  isAttemptRunning: ReturnType<typeof createLateFunction<[run: RunAttempt], Promise<boolean>>>
  /** Defined by tasks: replaces the secrets that tasks of a user are using, in a string. */
  secretsInUse: ReturnType<typeof createLateFunction<[userId: number, text: string], string>>
  items: Items
  secrets: Secrets
  schedules: Schedules
  symbols: Symbols
  preps: Preps
}

/** Creates the features from accounts to data preps. */
export function createStorageFeatures(parts: Parts, { mailer, contents, jobs }: Services): StorageFeatures {
  const { config, clock, log, database, dataFolder, engine, passwordHasher } = parts
  const signingSecret = dataFolder.secrets.tokenSigningKey
  const storedBytes = createLateFunction<[owner: number | 'everybody'], Promise<number>>('stored bytes')
  const isAttemptRunning = createLateFunction<[run: RunAttempt], Promise<boolean>>('running attempts')

  const accounts = createAccounts({
    database,
    clock,
    log,
    mailer,
    config,
    tokenSigningKey: signingSecret,
    storageUsage: { storedBytes: storedBytes.call, freeDiskBytes: () => contents.freeBytes() },
    passwordHasher,
  })
  const findPrincipal = (userId: number) => accounts.findPrincipal(userId)

  const groups = createGroups({
    database,
    clock,
    favoriteGroupNames: (userId) => accounts.favoriteNames(userId, 'favoriteGroups'),
    jobs,
    keepsDeleted: hasTrash(accounts),
    sharing: { accounts, mailer, publicUrl: config.publicUrl },
  })
  accounts.userCreated.subscribe((user, executor) => groups.createHome(user, executor))

  const secretsInUse = createLateFunction<[userId: number, text: string], string>('secrets in use')
  const statusOptions = { historyDays: config.historyDays, hideSecrets: secretsInUse.call }
  const statuses = createStatuses({ database, clock, groups: groups.access, queue: jobs, ...statusOptions })

  const logs = createLogs({ database, clock, log, statuses, limits: config.runLogs })

  const files = createFiles({
    database,
    clock,
    log,
    contents,
    storageLimits: () => accounts.storageLimits(),
    jobs,
    groups: groups.access,
    statuses,
    logs,
    findUserId: async (userName) => (await accounts.findUserByName(userName))?.userId,
    findPrincipal,
    isAttemptRunning: isAttemptRunning.call,
    signingSecret,
    publicUrl: config.publicUrl,
    keepsDeleted: hasTrash(accounts),
  })
  storedBytes.define((owner) => files.storedBytes(owner))

  const items = createItems({ database, jobs })
  const keyRing = createKeyRing({
    keys: () => dataFolder.secrets.encryptionKeys,
    addKey: () => dataFolder.addEncryptionKey(),
    reload: () => dataFolder.reloadSecrets(),
  })
  const secrets = createSecrets({ database, groups: groups.access, keyRing, clock })
  const findHolidays = createLateFunction<
    Parameters<Symbols['findHolidays']>,
    ReturnType<Symbols['findHolidays']>
  >('non-working days of a holiday calendar')
  const schedules = createSchedules({ database, clock, log, findHolidays: findHolidays.call })

  const symbols = createSymbols({
    database,
    queryLimits: { concurrency: config.queriesAtOnce, perOwner: config.queriesPerUser },
    clock,
    log,
    engine,
    // The embedded engine allows one server per data folder; an external one can serve many.
    isOnlyServer: config.clickhouseUrls.length === 0,
    queue: jobs,
    access: groups.access,
    signingSecret,
    files,
    createGroup: (principal, group) => groups.create(principal, group),
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    findAdministrator: () => accounts.findAdministrator(),
    environment: accounts.product.environment,
    keepsDeleted: hasTrash(accounts),
  })
  findHolidays.define((calendar, years) => symbols.findHolidays(calendar, years))

  const preps = createPreps({
    database,
    clock,
    groups: groups.access,
    items,
    symbols,
    files,
    statuses,
    logs,
    schedules,
    queue: jobs,
    findPrincipal,
  })

  return {
    accounts,
    groups,
    statuses,
    logs,
    files,
    isAttemptRunning,
    secretsInUse,
    items,
    secrets,
    schedules,
    symbols,
    preps,
  }
}
