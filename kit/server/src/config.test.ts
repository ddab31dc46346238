import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('uses the default for absent and empty settings', () => {
  const { env: _none, ...standard } = readConfig({})
  expect(standard).toMatchObject({
    port: 8080,
    host: '::',
    demo: true,
    logLevel: 'info',
    trustedProxies: [],
    s3: undefined,
    secretsFile: undefined,
    workerTags: [],
    executesJobs: true,
    drainSeconds: 10,
    historyDays: 90,
    auditDays: 365,
    trashDays: 30,
    connectionsPerAddress: 256,
    queriesAtOnce: Math.max(4, availableParallelism()),
    queriesPerUser: Math.max(2, Math.floor(availableParallelism() / 2)),
  })
  const { env, ...empty } = readConfig({ HEADWATER_PORT: '', HEADWATER_DEMO: '', HEADWATER_SMTP_URL: '' })
  expect(empty).toEqual(standard)
  expect(env.HEADWATER_PORT).toBe('')
})

test('accepts settings in common notations', () => {
  const config = readConfig({
    HEADWATER_PORT: '0',
    HEADWATER_PUBLIC_URL: 'https://data.example.com/lake/',
    HEADWATER_ADMIN_EMAIL: 'Anna@Example.com',
    HEADWATER_DEMO: 'Off',
    DATABASE_URL: 'postgresql://user:word@/name?host=/run/postgresql',
    HEADWATER_CLICKHOUSE_URL: 'http://user:word@localhost:8123',
    HEADWATER_S3_URL: 'https://key:se%2Fcret@s3.example.com:9000/bucket/some/path?region=eu-west-1',
    HEADWATER_SECRETS_FILE: '/run/secrets/headwater.json',
    HEADWATER_WORKER_TAGS: 'gpu  london ',
    HEADWATER_JOBS: 'off',
    HEADWATER_DRAIN_SECONDS: '600',
    HEADWATER_HISTORY_DAYS: '30',
    HEADWATER_SMTP_URL: 'smtps://user:word@mail.example.com',
    HEADWATER_MAIL_FROM: 'Data team <data@example.com>',
    HEADWATER_ALLOWED_ORIGINS: ' https://a.example.com/  http://localhost:3000 ',
    HEADWATER_TRUSTED_PROXIES: '127.0.0.1 10.0.0.0/8 fd00::/8 2001:db8::/48 ::1/128',
    HEADWATER_CONNECTIONS_PER_ADDRESS: '0',
    HEADWATER_QUERIES_AT_ONCE: '7',
    HEADWATER_QUERIES_PER_USER: '3',
    HEADWATER_INTERNAL_HOSTS: 'Files.example.local 10.0.0.5:2222 [::1]:80',
    HEADWATER_RUN_LOG_LINES: '5000000',
    HEADWATER_RUN_LOG_MB: '500',
    HEADWATER_LOG_LEVEL: 'DEBUG',
  })
  expect(config).toMatchObject({
    port: 0,
    publicUrl: 'https://data.example.com/lake',
    adminEmail: 'anna@example.com',
    demo: false,
    databaseUrl: 'postgresql://user:word@/name?host=/run/postgresql',
    clickhouseUrls: ['http://user:word@localhost:8123'],
    s3: {
      bucket: 'bucket',
      prefix: 'some/path/',
      endpoint: 'https://s3.example.com:9000',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'se/cret' },
    },
    secretsFile: '/run/secrets/headwater.json',
    workerTags: ['gpu', 'london'],
    executesJobs: false,
    drainSeconds: 600,
    historyDays: 30,
    smtpUrl: 'smtps://user:word@mail.example.com',
    mailFrom: 'Data team <data@example.com>',
    allowedOrigins: ['https://a.example.com', 'http://localhost:3000'],
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '2001:db8::/48', '::1/128'],
    connectionsPerAddress: 0,
    queriesAtOnce: 7,
    queriesPerUser: 3,
    runLogs: { lines: 5_000_000, bytes: 500_000_000 },
    logLevel: 'debug',
  })
})

test.each([
  ['HEADWATER_PORT', '80a', 'a whole number from 0 to 65535'],
  ['HEADWATER_PORT', '65536', 'a whole number from 0 to 65535'],
  ['HEADWATER_PORT', '-1', 'a whole number from 0 to 65535'],
  ['HEADWATER_PUBLIC_URL', 'data.example.com', 'an address such as https://data.example.com'],
  ['HEADWATER_PUBLIC_URL', 'ftp://data.example.com', 'an address such as https://data.example.com'],
  ['HEADWATER_ADMIN_EMAIL', 'anna', 'an e-mail address'],
  ['HEADWATER_DEMO', 'never', 'on or off'],
  ['HEADWATER_DEMO', 'constructor', 'on or off'],
  [
    'HEADWATER_MAIL_FROM',
    'Data team',
    'an e-mail address, or a name followed by an address in angle brackets',
  ],
  ['HEADWATER_ALLOWED_ORIGINS', '*', 'scheme, host and port only'],
  ['HEADWATER_ALLOWED_ORIGINS', 'https://example.com/page', 'scheme, host and port only'],
  ['HEADWATER_TRUSTED_PROXIES', '10.0.0.0/33', 'an address or a network such as 10.0.0.0/8'],
  ['HEADWATER_TRUSTED_PROXIES', 'fd00::/129', 'an address or a network such as 10.0.0.0/8'],
  ['HEADWATER_TRUSTED_PROXIES', 'proxy.local', 'an address or a network such as 10.0.0.0/8'],
  ['HEADWATER_QUERIES_AT_ONCE', '0', 'a whole number from 1 to 999999'],
  ['HEADWATER_QUERIES_PER_USER', '1.5', 'a whole number from 1 to 999999'],
  ['HEADWATER_RUN_LOG_LINES', '0', 'a whole number from 1 to 999999999'],
  ['HEADWATER_RUN_LOG_MB', '-1', 'a whole number from 1 to 999999'],
  ['HEADWATER_CONNECTIONS_PER_ADDRESS', 'many', 'a whole number from 0 to 999999'],
  ['HEADWATER_CONNECTIONS_PER_ADDRESS', '-1', 'a whole number from 0 to 999999'],
  ['HEADWATER_DRAIN_SECONDS', '-1', 'a whole number from 0 to 999999'],
  ['HEADWATER_HISTORY_DAYS', '0', 'a whole number from 1 to 9999'],
  [
    'HEADWATER_INTERNAL_HOSTS',
    '10.0.0.0/8',
    'a host such as files.example.local, *.example.local or 10.0.0.5:2222',
  ],
  [
    'HEADWATER_INTERNAL_HOSTS',
    'http://a',
    'a host such as files.example.local, *.example.local or 10.0.0.5:2222',
  ],
  ['HEADWATER_LOG_LEVEL', 'loud', 'one of trace, debug, info, warn, error, fatal, silent'],
])('rejects %s=%s with the allowed values', (name, given, allowed) => {
  expect(() => readConfig({ [name]: given })).toThrow(`${name} is “${given}”; it must be ${allowed}`)
})

test('reads several ClickHouse addresses as the shards of a named cluster', () => {
  const shards = 'http://one:8123 http://two:8123'
  expect(
    readConfig({ HEADWATER_CLICKHOUSE_URL: shards, HEADWATER_CLICKHOUSE_CLUSTER: 'lake' }),
  ).toMatchObject({ clickhouseUrls: ['http://one:8123', 'http://two:8123'], clickhouseCluster: 'lake' })
  expect(readConfig({})).toMatchObject({ clickhouseUrls: [], clickhouseCluster: undefined })
  expect(() => readConfig({ HEADWATER_CLICKHOUSE_URL: shards })).toThrow('HEADWATER_CLICKHOUSE_CLUSTER')
  expect(() => readConfig({ HEADWATER_CLICKHOUSE_CLUSTER: 'lake' })).toThrow('HEADWATER_CLICKHOUSE_URL')
})

test('reads the AWS bucket, whose keys and region can come from the environment of the machine', () => {
  expect(readConfig({ HEADWATER_S3_URL: 's3://my-bucket' }).s3).toEqual({
    bucket: 'my-bucket',
    prefix: '',
    endpoint: undefined,
    region: undefined,
    credentials: undefined,
  })
  expect(readConfig({ HEADWATER_S3_URL: 's3://my-bucket/a//b/?region=eu-west-1' }).s3).toMatchObject({
    prefix: 'a/b/',
    region: 'eu-west-1',
  })
  expect(readConfig({ HEADWATER_S3_URL: 'http://localhost:9000/my-bucket' }).s3).toMatchObject({
    endpoint: 'http://localhost:9000',
    region: 'us-east-1',
    credentials: undefined,
  })
})

test.each([
  ['DATABASE_URL', 'mysql://user:hidden@host/name', 'postgres://'],
  ['HEADWATER_CLICKHOUSE_URL', 'clickhouse://user:hidden@host', 'http:// or https://'],
  ['HEADWATER_SMTP_URL', 'mail.example.com:hidden', 'smtp:// or smtps://'],
  ['HEADWATER_S3_URL', 'ftp://key:hidden@host/bucket', 's3://bucket/prefix'],
  ['HEADWATER_S3_URL', 'https://key:hidden@host', 's3://bucket/prefix'],
  ['HEADWATER_S3_URL', 'https://:hidden@host/bucket', 's3://bucket/prefix'],
])('rejects %s without repeating a possible password', (name, given, allowed) => {
  const reading = () => readConfig({ [name]: given })
  expect(reading).toThrow(name)
  expect(reading).toThrow(allowed)
  expect(reading).not.toThrow('hidden')
})
