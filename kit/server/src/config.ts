import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseHostPattern, type HostPattern } from '@headwater/contract'
import { isAbsolute } from 'node:path'
import { standardConnectionLimits } from './http/connection-limits.ts'
import { readMailIn, type MailInSettings } from './mail-in-settings.ts'
import { notAllowed, readPort, readWholeNumber } from './setting-values.ts'

/** The settings of a server, read once from the environment. */
export interface Config {
  /** TCP port, HEADWATER_PORT, default 8080; 0: any free port. */
  port: number
  /** Address to listen on, HEADWATER_HOST, default all interfaces. */
  host: string
  /** The data folder, HEADWATER_DATA, default `.headwater` in the current folder. */
  dataFolder: string
  /** Address at which users reach the server, HEADWATER_PUBLIC_URL; default the Host header of each request. */
  publicUrl: string | undefined
  /** E-mail address of the first administrator, HEADWATER_ADMIN_EMAIL, default admin@localhost.localdomain. */
  adminEmail: string
  /** Password of the first administrator, HEADWATER_ADMIN_PASSWORD; generated and printed once when absent. */
  adminPassword: string | undefined
  /** Whether to load the demo workspace on the first start, HEADWATER_DEMO, default on. */
  demo: boolean
  /** URL of an external PostgreSQL, DATABASE_URL; absent for the embedded one. */
  databaseUrl: string | undefined
  /** URLs of an external ClickHouse, HEADWATER_CLICKHOUSE_URL, one server per shard; empty for the embedded engine. */
  clickhouseUrls: string[]
  /** Name of the cluster of these shards, HEADWATER_CLICKHOUSE_CLUSTER; undefined for a single server. */
  clickhouseCluster: string | undefined
  /** Bucket for file contents, HEADWATER_S3_URL; undefined: the data folder. */
  s3: S3Location | undefined
  /**
   * File with the secrets of the installation, HEADWATER_SECRETS_FILE: a copy of `secrets.json` of the first server. Default
   * `secrets.json` in the data folder, which a server creates at its first start.
   */
  secretsFile: string | undefined
  /** Whether the server executes jobs, HEADWATER_JOBS, default on; with `off`, only workers execute them. */
  executesJobs: boolean
  /** Labels of this process in the list of workers, HEADWATER_WORKER_TAGS, separated by spaces. Default: none. */
  workerTags: string[]
  /**
   * Time in seconds in which running jobs must finish when a server or worker stops, HEADWATER_DRAIN_SECONDS; default 10.
   * Jobs that do not finish are released, and another process runs them again.
   */
  drainSeconds: number
  /**
   * Retention of finished jobs with their runs, statuses and logs in days, HEADWATER_HISTORY_DAYS, 1 to 9999; default
   * 90.
   */
  historyDays: number
  /**
   * Number of days for which deleted groups, files and symbols can be restored, HEADWATER_TRASH_DAYS, 1 to 9999;
   * default 30.
   */
  trashDays: number
  /** Retention of audit log records in days, HEADWATER_AUDIT_DAYS, 1 to 9999; default 365. */
  auditDays: number
  /** Mail server, HEADWATER_SMTP_URL; if absent, e-mails are written to the mail log. */
  smtpUrl: string | undefined
  /** Sender of mails, HEADWATER_MAIL_FROM. */
  mailFrom: string
  /** How the server receives e-mails that start pipelines; undefined if it receives none. */
  mailIn: MailInSettings | undefined
  /** Origins of other sites whose pages can call the API, HEADWATER_ALLOWED_ORIGINS, separated by spaces. */
  allowedOrigins: string[]
  /**
   * Reverse proxies in front of the server, HEADWATER_TRUSTED_PROXIES, addresses or networks separated by spaces, for
   * example `127.0.0.1 10.0.0.0/8`. The server trusts X-Forwarded headers only from these. Default: none.
   */
  trustedProxies: string[]
  /**
   * Maximum number of open unauthenticated connections per address, HEADWATER_CONNECTIONS_PER_ADDRESS; default 256, 0 =
   * unlimited. Connections of trusted proxies do not count.
   */
  connectionsPerAddress: number
  /**
   * Maximum number of concurrent data queries, HEADWATER_QUERIES_AT_ONCE; default the number of processors, at least 4.
   */
  queriesAtOnce: number
  /**
   * Maximum number of concurrent data queries per user, HEADWATER_QUERIES_PER_USER; default half the number of
   * processors, at least 2.
   */
  queriesPerUser: number
  /**
   * Internal hosts that tasks can connect to, HEADWATER_INTERNAL_HOSTS, hosts with or without a port, separated by
   * spaces, for example `files.example.local 10.0.0.5:2222`. All other hosts must have public addresses. Default: none.
   */
  internalHosts: HostPattern[]
  /** Settings of the Python packages that tasks can use. */
  packages: PackageSettings
  /**
   * Limits of the log of one run: lines, HEADWATER_RUN_LOG_LINES, default 2,000,000; megabytes of text, HEADWATER_RUN_LOG_MB, default
   * 256.
   */
  runLogs: { lines: number; bytes: number }
  /** Level of the server log, HEADWATER_LOG_LEVEL, default info. */
  logLevel: string
  /** The environment variables. Features read their own settings from them. */
  env: Readonly<Record<string, string | undefined>>
}

/** A bucket of an S3 store. */
export interface S3Location {
  /** Name of the bucket. */
  bucket: string
  /** Prefix of all object names: empty, or a path that ends with a slash. */
  prefix: string
  /** Address of an S3-compatible store other than AWS, for example `https://s3.example.com:9000`. */
  endpoint: string | undefined
  /** Region. Default `us-east-1` for stores other than AWS; on AWS the region from the environment variables. */
  region: string | undefined
  /** Access keys. Default: the keys in the AWS environment variables or configuration file, or the machine role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Source of the Python packages that tasks can use. */
export type PackageSource =
  | {
      /** A package index. */
      kind: 'index'
      /** URL of the package index; can contain a user and password. */
      url: string
      /** Other origins that serve files of the index. */
      fileOrigins: string[]
    }
  | {
      /** A folder that contains wheels. */
      kind: 'folder'
      /** Absolute path of the folder. */
      path: string
    }
  | {
      /** The packages installed on the system. */
      kind: 'system'
    }

/** Settings of the Python packages that tasks can use. */
export interface PackageSettings {
  /**
   * Source of packages, HEADWATER_PACKAGES: `system`, the absolute path of a folder of wheels, or the URL of a package
   * index, followed by other origins that serve its files. Default undefined: scripts can use the standard library
   * only.
   */
  source: PackageSource | undefined
  /** Whether scripts can import the base packages without declaring them, HEADWATER_BASE_PACKAGES, default off. */
  basePackages: boolean
  /** Maximum total size of installed packages in bytes; HEADWATER_PACKAGE_CACHE_MB in megabytes, default 4096. */
  cacheBytes: number
}

/**
 * Reads the configuration. Throws for an invalid value. The message states what is allowed, and contains the value
 * unless it can contain a password. An empty value counts as absent.
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

/** Checks the scheme only. A PostgreSQL URL that names a Unix socket instead of a host does not parse as a URL. */
function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/^postgres(ql)?:\/\//.test(text)) return text
  throw new Error('DATABASE_URL must begin with postgres:// or postgresql://.')
}

/** Parses a URL that can contain a password. The error message does not contain the URL. */
function readSecretUrl(name: string, text: string | undefined, schemes: string[]): string | undefined {
  if (text === undefined || text === '') return undefined
  const url = URL.parse(text)
  if (url && schemes.includes(url.protocol) && url.hostname !== '') return text
  throw new Error(
    `${name} must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`,
  )
}

/** The error message omits the value, because the URL can contain a password. */
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
    'HEADWATER_PACKAGES must be system, the absolute path of a folder of wheels, or the URL of a package index followed by other origins that serve its files.',
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
      'HEADWATER_CLICKHOUSE_URL lists several servers. Set HEADWATER_CLICKHOUSE_CLUSTER to the name of the cluster that contains these shards.',
    )
  if (clickhouseUrls.length === 0 && clickhouseCluster !== undefined)
    throw new Error(
      'HEADWATER_CLICKHOUSE_CLUSTER is set. Set HEADWATER_CLICKHOUSE_URL to one server of each shard of this cluster.',
    )
  return { clickhouseUrls, clickhouseCluster }
}

/**
 * Parses `s3://bucket/prefix?region=…` or `https://key:secret@host/bucket/prefix?region=…`; the error message does not
 * contain the secret.
 */
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
  throw notAllowed(
    'HEADWATER_MAIL_FROM',
    text,
    'an e-mail address, or a name followed by an address in angle brackets',
  )
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
    'scheme, host and port only, such as https://example.com; separate several with spaces',
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
    'an address or a network such as 10.0.0.0/8; separate several with spaces',
  )
}

function readInternalHost(text: string): HostPattern {
  const pattern = parseHostPattern(text)
  if (pattern !== undefined) return pattern
  throw notAllowed(
    'HEADWATER_INTERNAL_HOSTS',
    text,
    'a host such as files.example.local, *.example.local or 10.0.0.5:2222; separate several with spaces',
  )
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function readLogLevel(text: string): string {
  if (logLevels.includes(text.toLowerCase())) return text.toLowerCase()
  throw notAllowed('HEADWATER_LOG_LEVEL', text, `one of ${logLevels.join(', ')}`)
}
