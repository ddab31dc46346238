import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { silentLog } from '../testing/silent-log.ts'
import { createApp } from './app.ts'

let folder: string
let app: FastifyInstance
let port: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-web-'))
  const web = join(folder, 'assets', 'web')
  await mkdir(join(web, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'assets', 'secret.txt'), 'secret')
  await writeFile(join(web, 'index.html'), '<html nonce="__CSP_NONCE__"><head></head>the page</html>')
  const preloads = [{ paths: '^/shown/[^/]+$', files: ['/assets/main-abc123.js', '/assets/main-abc123.css'] }]
  await writeFile(join(web, 'preloads.json'), JSON.stringify(preloads))
  await writeFile(join(web, 'icon.svg'), '<svg/>')
  await writeFile(join(web, 'assets', 'main-abc123.js'), 'script()')
  await writeFile(join(web, 'assets', 'pdf.worker-abc123.mjs'), 'work()')
  app = await createApp({
    log: silentLog(),
    clock: systemClock,
    webFolder: web,
    allowedOrigins: ['https://partner.example'],
    framedPaths: /^\/embedded(?:\/|$)/i,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Unlike fetch, sends the path unchanged and no default headers. */
async function get(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode, headers: response.headers, body }),
          reject,
        )
      })
        .on('error', reject)
        .end()
    },
  )
}

const navigation = { accept: 'text/html' }

test('the page document links only its own code and styles', async () => {
  const code = '<link rel="modulepreload" href="/assets/main-abc123.js" />'
  const link = `${code}<link rel="preload" as="style" crossorigin href="/assets/main-abc123.css" /></head>`
  for (const path of ['/shown/a', '/Shown/a?b=c']) expect((await get(path, navigation)).body).toContain(link)
  for (const path of ['/', '/shown', '/shown/a/b', '/other/shown/a'])
    expect((await get(path, navigation)).body).not.toContain('preload')
})

test.each(['/', '/?a=1', '/insights/a', '/assets', '/assets/', '//evil.com', '//'])(
  'responds to a navigation to %s with the page, for any accepted encoding',
  async (path) => {
    for (const encoding of [undefined, 'gzip, br', 'identity']) {
      const accepted: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding }
      const { status, headers, body } = await get(path, { ...navigation, ...accepted })
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(body).toMatch(/^<html nonce="[\w+/]+=*"><head><\/head>the page<\/html>$/)
    }
  },
)

test('the page for user code has an opaque origin and cannot reach any address', async () => {
  const { status, headers, body } = await get('/sandbox', navigation)
  const policy = String(headers['content-security-policy']).split('; ')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(policy).toContain('sandbox allow-scripts')
  expect(policy.filter((rule) => /https?:|'self'|\*/.test(rule))).toEqual([
    "frame-ancestors 'self' https://partner.example",
  ])
  expect(body).toContain('event.source !== parent')
})

test('frames of the application can contain only pages of the same site', async () => {
  const { headers } = await get('/', navigation)
  expect(String(headers['content-security-policy']).split('; ')).toContain("frame-src 'self'")
})

test('other sites can frame only the pages intended for framing', async () => {
  const framers = async (path: string) => {
    const { headers } = await get(path, navigation)
    const policy = String(headers['content-security-policy']).split('; ')
    return policy.find((rule) => rule.startsWith('frame-ancestors'))
  }
  for (const path of ['/embedded', '/Embedded/a?b=c'])
    expect(await framers(path)).toBe("frame-ancestors 'self' https://partner.example")
  for (const path of ['/', '/other', '/embedded-not', '/other?a=/embedded'])
    expect(await framers(path)).toBe("frame-ancestors 'self'")
})

test('a request that is neither a navigation nor a file gets an error', async () => {
  for (const path of ['/', '/assets/', '/assets/main-old.js', '/nothing']) {
    const { status, body } = await get(path, { accept: '*/*' })
    expect([status, JSON.parse(body)]).toMatchObject([404, { status: 404, code: 'routeNotFound' }])
  }
})

test('files with a content hash in their names are cached permanently, others are revalidated', async () => {
  const asset = await get('/assets/main-abc123.js')
  expect([asset.status, asset.body]).toEqual([200, 'script()'])
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(asset.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
  const worker = await get('/assets/pdf.worker-abc123.mjs')
  expect(worker.headers['content-security-policy']).toBe("default-src 'none'; script-src 'wasm-unsafe-eval'")
  const icon = await get('/icon.svg')
  expect([icon.status, icon.headers['cache-control']]).toEqual([200, 'no-cache'])
})

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..%2f..',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%5c..%5csecret.txt',
  '//../secret.txt',
])('serves nothing outside the folder: %s', async (path) => {
  const plain = await get(path)
  expect([403, 404]).toContain(plain.status)
  expect(plain.body).not.toBe('secret')
  expect((await get(path, navigation)).body).not.toBe('secret')
})

test('serves the page of a new build without a restart', async () => {
  const page = join(folder, 'assets', 'web', 'index.html')
  const built = await readFile(page, 'utf8')
  const write = async (html: string, laterMs: number) => {
    await writeFile(page, html)
    await utimes(page, new Date(), new Date(Date.now() + laterMs))
  }
  expect((await get('/', navigation)).body).toContain('the page')
  try {
    await write(built.replace('the page', 'the next page'), 60_000)
    expect((await get('/', navigation)).body).toContain('the next page')
  } finally {
    await write(built, 120_000)
  }
})
