import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
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
    framedPaths: /^\/shown(?:\/|$)/i,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Unlike fetch, sends the path as it is and no header that is not named. */
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

test('the code and styles that a page needs are named in its document, and in no other', async () => {
  const code = '<link rel="modulepreload" href="/assets/main-abc123.js" />'
  const link = `${code}<link rel="preload" as="style" crossorigin href="/assets/main-abc123.css" /></head>`
  for (const path of ['/shown/a', '/Shown/a?b=c']) expect((await get(path, navigation)).body).toContain(link)
  for (const path of ['/', '/shown', '/shown/a/b', '/other/shown/a'])
    expect((await get(path, navigation)).body).not.toContain('preload')
})

test.each(['/', '/?a=1', '/insights/a', '/assets', '/assets/', '//evil.com', '//'])(
  'a navigation to %s is answered with the page, whatever encodings the client takes',
  async (path) => {
    for (const encoding of [undefined, 'gzip, br', 'identity']) {
      const accepted: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding }
      const { status, headers, body } = await get(path, { ...navigation, ...accepted })
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(body).toMatch(/^<html nonce="[\w+/]+=*"><head><\/head>the page<\/html>$/)
    }
  },
)

test('the page for code of users belongs to no origin and reaches no address', async () => {
  const { status, headers, body } = await get('/sandbox', navigation)
  const policy = String(headers['content-security-policy']).split('; ')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(policy).toContain('sandbox allow-scripts')
  expect(policy.filter((rule) => /https?:|'self'|\*/.test(rule))).toEqual([
    "frame-ancestors 'self' https://partner.example",
  ])
  expect(body).toContain('event.source !== parent')
})

test('frames of the application show pages of its own site only', async () => {
  const { headers } = await get('/', navigation)
  expect(String(headers['content-security-policy']).split('; ')).toContain("frame-src 'self'")
})

test('other sites frame the pages that are meant for it, and no others', async () => {
  const framers = async (path: string) => {
    const { headers } = await get(path, navigation)
    const policy = String(headers['content-security-policy']).split('; ')
    return policy.find((rule) => rule.startsWith('frame-ancestors'))
  }
  for (const path of ['/shown', '/Shown/a?b=c'])
    expect(await framers(path)).toBe("frame-ancestors 'self' https://partner.example")
  for (const path of ['/', '/other', '/shown-not', '/other?a=/shown'])
    expect(await framers(path)).toBe("frame-ancestors 'self'")
})

test('what is no navigation and no file is told as an error', async () => {
  for (const path of ['/', '/assets/', '/assets/main-old.js', '/nothing']) {
    const { status, body } = await get(path, { accept: '*/*' })
    expect([status, JSON.parse(body)]).toMatchObject([404, { status: 404, code: 'routeNotFound' }])
  }
})

test('files with content in their names are kept for ever, others are asked for again', async () => {
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
])('nothing outside of the folder is answered: %s', async (path) => {
  const plain = await get(path)
  expect([403, 404]).toContain(plain.status)
  expect(plain.body).not.toBe('secret')
  expect((await get(path, navigation)).body).not.toBe('secret')
})

test('the page of a new build is answered without a new start', async () => {
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
