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
  /** An external PostgreSQL, DATABASE_URL; the embedded one when absent. */
  databaseUrl: string | undefined
  /** An external ClickHouse, HEADWATER_CLICKHOUSE_URL; the embedded engine when absent. */
  clickhouseUrl: string | undefined
  /** Mail server, HEADWATER_SMTP_URL; mails go to the log of mails when absent. */
  smtpUrl: string | undefined
  /** Sender of mails, HEADWATER_MAIL_FROM. */
  mailFrom: string
  /** Origins of other sites whose pages may call the API, HEADWATER_ALLOWED_ORIGINS, separated by blanks. */
  allowedOrigins: string[]
  /**
   * Reverse proxies in front of the server, HEADWATER_TRUSTED_PROXIES, addresses or networks separated by blanks, for
   * example `127.0.0.1 10.0.0.0/8`. Only theirs are the X-Forwarded headers that are believed. Default none.
   */
  trustedProxies: string[]
  /** Level of the server log, HEADWATER_LOG_LEVEL, default info. */
  logLevel: string
  /** The whole environment, from which features read settings of their own. */
  env: Readonly<Record<string, string | undefined>>
}

/** Reads the configuration; a value that makes no sense stops the start with a message that names it. */
export function readConfig(env: Record<string, string | undefined>): Config {
  return {
    port: readPort(env.HEADWATER_PORT),
    host: env.HEADWATER_HOST || '::',
    dataFolder: env.HEADWATER_DATA || '.headwater',
    publicUrl: readUrl('HEADWATER_PUBLIC_URL', env.HEADWATER_PUBLIC_URL)?.replace(/\/$/, ''),
    adminEmail: (env.HEADWATER_ADMIN_EMAIL || 'admin@localhost.localdomain').toLowerCase(),
    adminPassword: env.HEADWATER_ADMIN_PASSWORD || undefined,
    demo: !['off', 'false', '0', 'no'].includes((env.HEADWATER_DEMO ?? '').toLowerCase()),
    databaseUrl: readDatabaseUrl(env.DATABASE_URL),
    clickhouseUrl: readUrl('HEADWATER_CLICKHOUSE_URL', env.HEADWATER_CLICKHOUSE_URL),
    smtpUrl: readUrl('HEADWATER_SMTP_URL', env.HEADWATER_SMTP_URL),
    mailFrom: env.HEADWATER_MAIL_FROM || 'Headwater <headwater@localhost.localdomain>',
    allowedOrigins: (env.HEADWATER_ALLOWED_ORIGINS ?? '').split(/\s+/).filter((origin) => origin !== ''),
    trustedProxies: (env.HEADWATER_TRUSTED_PROXIES ?? '').split(/\s+/).filter((proxy) => proxy !== ''),
    logLevel: env.HEADWATER_LOG_LEVEL || 'info',
    env,
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 8080
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error(`HEADWATER_PORT is “${text}”; it must be a whole number from 0 to 65535.`)
}

/** A URL of PostgreSQL may name a unix socket instead of a host, which is no URL of the web. */
function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/^postgres(ql)?:\/\//.test(text)) return text
  throw new Error('DATABASE_URL must begin with postgres:// or postgresql://.')
}

function readUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (URL.canParse(text)) return text
  throw new Error(`${name} is not a URL. Write it with its scheme, for example https://data.example.com.`)
}
