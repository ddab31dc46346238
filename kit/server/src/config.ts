import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseHostPattern, type HostPattern } from '@headwater/contract'
import { isAbsolute } from 'node:path'
import { standardConnectionLimits } from './http/connection-limits.ts'
import { readMailIn, type MailInSettings } from './mail-in-settings.ts'
import { notAllowed, readPort, readWholeNumber } from './setting-values.ts'

/** The settings of a server, read once from the environment. */
export interface Config {
  /** TCP port, HEADWATER_PORT, default 8080; 0 takes any free one. */
  port: number
  /** Address to listen on, HEADWATER_HOST, default all interfaces. */
  host: string
  /** The data folder, HEADWATER_DATA, default `.headwater` in the current folder. */
  dataFolder: string
  /** Address under which users reach the server, HEADWATER_PUBLIC_URL; default the Host header of each request. */
  publicUrl: string | undefined
  /** E-mail address of the first administrator, HEADWATER_ADMIN_EMAIL, default admin@localhost.localdomain. */
  adminEmail: string
  /** Password of the first administrator, HEADWATER_ADMIN_PASSWORD; generated and printed once when absent. */
  adminPassword: string | undefined
  /** Whether the demo workspace is loaded on first start; HEADWATER_DEMO=off switches it off. */
  demo: boolean
  /** URL of an external PostgreSQL, DATABASE_URL; absent for the embedded one. */
  databaseUrl: string | undefined
  /** URLs of an external ClickHouse, HEADWATER_CLICKHOUSE_URL, one server per shard; empty for the embedded engine. */
  clickhouseUrls: string[]
  /** Name of the cluster of these shards, HEADWATER_CLICKHOUSE_CLUSTER; undefined for a single server. */
  clickhouseCluster: string | undefined
  /** Bucket for the bytes of files, HEADWATER_S3_URL; undefined for the data folder. */
  s3: S3Location | undefined
  /**
   * File with the secrets of the installation, HEADWATER_SECRETS_FILE: a copy of `secrets.json` of the first server. Default
   * `secrets.json` in the data folder, which a server creates at its first start.
   */
  secretsFile: string | undefined
  /** Whether a server executes jobs itself, HEADWATER_JOBS, default on; `off` leaves all of them to workers. */
  executesJobs: boolean
  /** Labels of this process in the list of workers, HEADWATER_WORKER_TAGS, separated by blanks. Default none. */
  workerTags: string[]
  /**
   * Time that running jobs have to finish when a server or worker stops, HEADWATER_DRAIN_SECONDS, in seconds; default 10. Then they are
   * released and run again on another process.
   */
  drainSeconds: number
  /** Retention of ended jobs with their runs, statuses and logs, HEADWATER_HISTORY_DAYS, in days, 1 to 9999; default 90. */
  historyDays: number
  /** Days for which deleted groups, files and symbols can be restored, HEADWATER_TRASH_DAYS, 1 to 9999; default 30. */
  trashDays: number
  /** Days for which records of the audit log are stored, HEADWATER_AUDIT_DAYS, 1 to 9999; default 365. */
  auditDays: number
  /** Mail server, HEADWATER_SMTP_URL; e-mails go to the mail log when absent. */
  smtpUrl: string | undefined
  /** Sender of mails, HEADWATER_MAIL_FROM. */
  mailFrom: string
  /** How the server receives e-mails that start pipelines; undefined if it does not. */
  mailIn: MailInSettings | undefined
  /** Origins of other sites whose pages may call the API, HEADWATER_ALLOWED_ORIGINS, separated by blanks. */
  allowedOrigins: string[]
  /**
   * Reverse proxies in front of the server, HEADWATER_TRUSTED_PROXIES, addresses or networks separated by blanks, for
   * example `127.0.0.1 10.0.0.0/8`. The server trusts X-Forwarded headers of these only. Default none.
   */
  trustedProxies: string[]
  /**
   * Maximum open connections of one address without a sign-in, HEADWATER_CONNECTIONS_PER_ADDRESS; default 256, 0 = unlimited.
   * Connections of trusted proxies do not count.
   */
  connectionsPerAddress: number
  /** Maximum concurrent data queries, HEADWATER_QUERIES_AT_ONCE; default the number of processors, at least 4. */
  queriesAtOnce: number
  /** Maximum concurrent data queries of one user, HEADWATER_QUERIES_PER_USER; default half the number of processors, at least 2. */
  queriesPerUser: number
  /**
   * Internal hosts that tasks can connect to, HEADWATER_INTERNAL_HOSTS, hosts with or without a port separated by blanks, for example
   * `files.example.local 10.0.0.5:2222`. All other hosts must have public addresses. Default none.
   */
  internalHosts: HostPattern[]
  /** Python packages of tasks. */
  packages: PackageSettings
  /**
   * Limits of the log of one run: lines, HEADWATER_RUN_LOG_LINES, default 2,000,000; megabytes of text, HEADWATER_RUN_LOG_MB, default
   * 256.
   */
  runLogs: { lines: number; bytes: number }
  /** Level of the server log, HEADWATER_LOG_LEVEL, default info. */
  logLevel: string
  /** The environment, from which features read their own settings. */
  env: Readonly<Record<string, string | undefined>>
}

/** A bucket of an S3 store. */
export interface S3Location {
  /** Name of the bucket. */
  bucket: string
  /** Text before the name of each object: empty, or a path with a slash at its end. */
  prefix: string
  /** Address of a store other than AWS, for example `https://s3.example.com:9000`. */
  endpoint: string | undefined
  /** Region. Default for stores other than AWS `us-east-1`, for AWS that of its environment variables. */
  region: string | undefined
  /** Keys. Default those in the environment variables, the configuration or the role of the machine at AWS. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Source of the Python packages of tasks. */
export type PackageSource =
  | {
      /** A package index. */
      kind: 'index'
      /** URL of its list of packages; can contain user and password. */
      url: string
      /** Other origins from which it delivers files. */
      fileOrigins: string[]
    }
  | {
      /** A folder of wheels. */
      kind: 'folder'
      /** Its absolute path. */
      path: string
    }
  | {
      /** The packages that the system has installed. */
      kind: 'system'
    }

/** Settings of the Python packages of tasks. */
export interface PackageSettings {
  /**
   * Source of packages, HEADWATER_PACKAGES: `system`, the absolute path of a folder of wheels, or the URL of a package index,
   * followed by the other origins from which the index delivers files. Undefined by default: only the standard library.
   */
  source: PackageSource | undefined
  /** Whether scripts can import the base set of packages without declaring it, HEADWATER_BASE_PACKAGES, default off. */
  basePackages: boolean
  /** Maximum size of installed packages in bytes, HEADWATER_PACKAGE_CACHE_MB, default 4096 MB. */
  cacheBytes: number
}

/**
 * Reads the configuration. An invalid value stops the start with a message that contains the value (unless it may hold a
 * password) and what is allowed. An empty value counts as absent.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  return {
    port: readPort('HEADWATER_PORT', env.HEADWATER_PORT) ?? 8080,
    host: env.HEADWATER_HOST || '::',
    dataFolder: env.HEADWATER_DATA || '.headwater',
    publicUrl: readPublicUrl(env.HEADWATER_PUBLIC_URL),
    adminEmail: readAdminEmail(env.HEADWATER_ADMIN_EMAIL || 'admin@localhost.localdomain'),
    adminPassword: env.HEADWATER_ADMIN_PASSWORD || undefined,
    demo: readSwitch('HEADWATER_DEMO', env.HEADWATER_DEMO || 'on'),
    databaseUrl: readDatabaseUrl(env.DATABASE_URL),
    ...readClickhouse(env.HEADWATER_CLICKHOUSE_URL, env.HEADWATER_CLICKHOUSE_CLUSTER),
    s3: readS3(env.HEADWATER_S3_URL),
    secretsFile: env.HEADWATER_SECRETS_FILE || undefined,
    executesJobs: readSwitch('HEADWATER_JOBS', env.HEADWATER_JOBS || 'on'),
    workerTags: readList(env.HEADWATER_WORKER_TAGS),
    drainSeconds: readWholeNumber('HEADWATER_DRAIN_SECONDS', env.HEADWATER_DRAIN_SECONDS || '10', {
      least: 0,
    }),
    historyDays: readWholeNumber('HEADWATER_HISTORY_DAYS', env.HEADWATER_HISTORY_DAYS || '90', {
      least: 1,
      digits: 4,
    }),
    auditDays: readWholeNumber('HEADWATER_AUDIT_DAYS', env.HEADWATER_AUDIT_DAYS || '365', {
      least: 1,
      digits: 4,
    }),
    trashDays: readWholeNumber('HEADWATER_TRASH_DAYS', env.HEADWATER_TRASH_DAYS || '30', {
      least: 1,
      digits: 4,
    }),
    smtpUrl: readSecretUrl('HEADWATER_SMTP_URL', env.HEADWATER_SMTP_URL, ['smtp:', 'smtps:']),
    mailFrom: readMailFrom(env.HEADWATER_MAIL_FROM || 'Headwater <headwater@localhost.localdomain>'),
    mailIn: readMailIn({
      HEADWATER_MAIL_IN_ADDRESS: env.HEADWATER_MAIL_IN_ADDRESS,
      HEADWATER_MAIL_IN_PORT: env.HEADWATER_MAIL_IN_PORT,
      HEADWATER_MAIL_IN_HOST: env.HEADWATER_MAIL_IN_HOST,
      HEADWATER_MAIL_IN_AUTHSERV: env.HEADWATER_MAIL_IN_AUTHSERV,
      HEADWATER_IMAP_URL: env.HEADWATER_IMAP_URL,
      HEADWATER_IMAP_POLL_SECONDS: env.HEADWATER_IMAP_POLL_SECONDS,
    }),
    allowedOrigins: readList(env.HEADWATER_ALLOWED_ORIGINS).map(readOrigin),
    trustedProxies: readList(env.HEADWATER_TRUSTED_PROXIES).map(readProxy),
    connectionsPerAddress: readWholeNumber(
      'HEADWATER_CONNECTIONS_PER_ADDRESS',
      env.HEADWATER_CONNECTIONS_PER_ADDRESS || String(standardConnectionLimits.maxAnonymousPerAddress),
      { least: 0 },
    ),
    queriesAtOnce: readWholeNumber(
      'HEADWATER_QUERIES_AT_ONCE',
      env.HEADWATER_QUERIES_AT_ONCE || String(Math.max(4, availableParallelism())),
      { least: 1 },
    ),
    queriesPerUser: readWholeNumber(
      'HEADWATER_QUERIES_PER_USER',
      env.HEADWATER_QUERIES_PER_USER || String(Math.max(2, Math.floor(availableParallelism() / 2))),
      { least: 1 },
    ),
    internalHosts: readList(env.HEADWATER_INTERNAL_HOSTS).map(readInternalHost),
    packages: {
      source: readPackageSource(env.HEADWATER_PACKAGES),
      basePackages: readSwitch('HEADWATER_BASE_PACKAGES', env.HEADWATER_BASE_PACKAGES || 'off'),
      cacheBytes:
        readWholeNumber('HEADWATER_PACKAGE_CACHE_MB', env.HEADWATER_PACKAGE_CACHE_MB || '4096', {
          least: 1,
        }) * 1_000_000,
    },
    runLogs: {
      lines: readWholeNumber('HEADWATER_RUN_LOG_LINES', env.HEADWATER_RUN_LOG_LINES || '2000000', {
        least: 1,
        digits: 9,
      }),
      bytes:
        readWholeNumber('HEADWATER_RUN_LOG_MB', env.HEADWATER_RUN_LOG_MB || '256', { least: 1 }) * 1_000_000,
    },
    logLevel: readLogLevel(env.HEADWATER_LOG_LEVEL || 'info'),
    env,
  }
}

function readSwitch(name: string, text: string): boolean {
  if (/^(on|true|yes|1)$/i.test(text)) return true
  if (/^(off|false|no|0)$/i.test(text)) return false
  throw notAllowed(name, text, 'on or off')
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  if (url && isWebUrl(url) && url.search === '' && url.hash === '') return text.replace(/\/+$/, '')
  throw notAllowed('HEADWATER_PUBLIC_URL', text, 'an address such as https://data.example.com')
}

function isWebUrl({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

function readAdminEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text.toLowerCase()
  throw notAllowed('HEADWATER_ADMIN_EMAIL', text, 'an e-mail address')
}

/** Checks the scheme only, because a PostgreSQL URL can name a unix socket instead of a host and then does not parse as a URL. */
function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/^postgres(ql)?:\/\//.test(text)) return text
  throw new Error('DATABASE_URL must begin with postgres:// or postgresql://.')
}

/** Parses a URL that may contain a password; the error does not repeat it. */
function readSecretUrl(name: string, text: string | undefined, schemes: string[]): string | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  if (url && schemes.includes(url.protocol) && url.hostname !== '') return text
  throw new Error(
    `${name} must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`,
  )
}

/** The error does not repeat the value, because the URL can contain a password. */
function readPackageSource(text: string | undefined): PackageSource | undefined {
  if (text === undefined || text === '') return undefined
  if (/^system$/i.test(text)) return { kind: 'system' }
  if (isAbsolute(text)) return { kind: 'folder', path: text }
  const [url = '', ...others] = readList(text)
  const origins = others.map((other) => URL.parse(other))
  const isIndex = URL.parse(url) !== null && isWebUrl(new URL(url))
  if (isIndex && origins.every((origin) => origin !== null && isWebUrl(origin) && isOrigin(origin)))
    return { kind: 'index', url, fileOrigins: origins.map((origin) => origin!.origin) }
  throw new Error(
    'HEADWATER_PACKAGES must be system, the absolute path of a folder of wheels, or the URL of a package index, followed by the origins of its files.',
  )
}

function isOrigin({ pathname, search, hash, username }: URL): boolean {
  return pathname === '/' && search === '' && hash === '' && username === ''
}

function readClickhouse(
  addresses: string | undefined,
  cluster: string | undefined,
): Pick<Config, 'clickhouseUrls' | 'clickhouseCluster'> {
  const clickhouseUrls = readList(addresses).flatMap(
    (address) => readSecretUrl('HEADWATER_CLICKHOUSE_URL', address, ['http:', 'https:']) ?? [],
  )
  const clickhouseCluster = cluster || undefined
  if (clickhouseUrls.length > 1 && clickhouseCluster === undefined)
    throw new Error(
      'HEADWATER_CLICKHOUSE_URL names several servers; HEADWATER_CLICKHOUSE_CLUSTER must name the cluster they are the shards of.',
    )
  if (clickhouseUrls.length === 0 && clickhouseCluster !== undefined)
    throw new Error(
      'HEADWATER_CLICKHOUSE_CLUSTER names a cluster; HEADWATER_CLICKHOUSE_URL must name a server of each of its shards.',
    )
  return { clickhouseUrls, clickhouseCluster }
}

/** Parses `s3://bucket/prefix?region=…` or `https://key:secret@host/bucket/prefix?region=…`; the error does not repeat the secret. */
function readS3(text: string | undefined): S3Location | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  const isAws = url?.protocol === 's3:'
  const [bucket = '', ...prefix] = url
    ? (isAws ? `${url.host}${url.pathname}` : url.pathname.slice(1)).split('/')
    : []
  const hasKeys = url !== null && url.username !== '' && url.password !== ''
  const isKnown =
    url !== null && (isAws || isWebUrl(url)) && (hasKeys || (url.username === '' && url.password === ''))
  if (!isKnown || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new Error(
      'HEADWATER_S3_URL must be s3://bucket/prefix for AWS, or https://key:secret@host/bucket/prefix for another store. ' +
        'Encode special characters of the keys, for example / as %2F.',
    )
  const path = prefix.filter((part) => part !== '').join('/')
  return {
    bucket,
    prefix: path === '' ? '' : `${decodeURIComponent(path)}/`,
    endpoint: isAws ? undefined : url.origin,
    region: url.searchParams.get('region') ?? (isAws ? undefined : 'us-east-1'),
    credentials: hasKeys
      ? { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
      : undefined,
  }
}

function readMailFrom(text: string): string {
  const address = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(text)?.[1] ?? text
  if (/^[^\s@<>,]+@[^\s@<>,]+$/.test(address)) return text
  throw notAllowed('HEADWATER_MAIL_FROM', text, 'an e-mail address, or a name and one in angle brackets')
}

function readList(text = ''): string[] {
  return text.split(/\s+/).filter((item) => item !== '')
}

function readOrigin(text: string): string {
  const url = URL.parse(text)
  if (url && isWebUrl(url) && url.origin === text.toLowerCase().replace(/\/$/, '')) return url.origin
  throw notAllowed(
    'HEADWATER_ALLOWED_ORIGINS',
    text,
    'scheme, host and port only, such as https://example.com, several separated by blanks',
  )
}

function readProxy(text: string): string {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  const isNetwork =
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  if (version !== 0 && isNetwork && more.length === 0) return text
  throw notAllowed(
    'HEADWATER_TRUSTED_PROXIES',
    text,
    'an address or a network such as 10.0.0.0/8, several separated by blanks',
  )
}

function readInternalHost(text: string): HostPattern {
  const pattern = parseHostPattern(text)
  if (pattern !== undefined) return pattern
  throw notAllowed(
    'HEADWATER_INTERNAL_HOSTS',
    text,
    'a host such as files.example.local, *.example.local or 10.0.0.5:2222, several separated by blanks',
  )
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function readLogLevel(text: string): string {
  if (logLevels.includes(text.toLowerCase())) return text.toLowerCase()
  throw notAllowed('HEADWATER_LOG_LEVEL', text, `one of ${logLevels.join(', ')}`)
}
