import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let author: Session
beforeAll(async () => {
  server = await startTestServer()
  author = await server.createUser()
  await author.call(createGroup, { body: { name: 'Pages' } })
})
afterAll(() => server.stop())

const script = '<script>fetch("/auth/settings")</script>'
const picture = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`

/** Returns whether a browser that opens this response runs no code from it. */
function expectInert(response: Response): void {
  const { headers } = response
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
  expect(headers.get('Content-Type')).not.toMatch(/html|svg|xml|javascript/)
}

test.each([
  ['page.html', `<!doctype html>${script}`],
  ['picture.svg', picture],
  ['feed.xml', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
  ['prices.csv', `${script},=cmd|' /C calc'!A0\n`],
  ['note.md', `[link](javascript:alert(1)) ${script}`],
  ['module.mjs', 'alert(1)'],
])(
  'a stored file is downloaded, and never runs with the origin of this site: %s',
  async (fileName, content) => {
    const { fileId } = await upload(author, { groupName: 'Pages', fileName, content })
    const { headers } = await author.fetch(`/file/${fileId}`)
    for (const address of [`/file/${fileId}/download`, headers.get('Location') ?? '']) {
      const response = await author.fetch(address)
      expect(await response.text()).toBe(content)
      expectInert(response)
      expect(response.headers.get('Content-Disposition')).toMatch(/^attachment;/)
    }
  },
)

test('names, tags and errors that contain a script are returned as data', async () => {
  await author.call(createInsight, {
    body: { insightName: 'Evil', groupName: 'Pages', tags: [script], content: emptyContent() },
  })
  for (const path of [
    `/insights?query=${encodeURIComponent(script)}`,
    '/insights/tags',
    `/insights/Pages/${encodeURIComponent(script)}`,
    `/file/search?uuid=${encodeURIComponent(script)}`,
    `/${encodeURIComponent(script)}`,
  ])
    expectInert(await author.fetch(path))
})

test('rejects an insight logo that is not a raster image', async () => {
  await author.call(createInsight, {
    body: { insightName: 'Logo', groupName: 'Pages', tags: [], content: emptyContent() },
  })
  for (const type of ['image/svg+xml', 'image/png', 'text/html']) {
    const response = await author.fetch('/insights/Pages/Logo/logo', {
      method: 'PUT',
      headers: { 'Content-Type': type },
      body: picture,
    })
    expect(await response.json()).toMatchObject({ status: 400, code: 'logoNotValid' })
  }
})

test('pages of other sites get no response, cookie or redirect that they could use', async () => {
  const { routes } = server.running.platform.router
  const headers = { Origin: 'https://evil.example', Referer: 'https://evil.example/' }
  const id = '00000000-0000-4000-8000-000000000000'
  for (const { method, path } of routes.filter((route) => route.method === 'GET')) {
    const address = `${path.replace(/:\w+/g, id)}?redirect=//evil.example&next=https://evil.example&returnTo=//evil.example`
    const response = await server.admin.fetch(address, { method, headers, redirect: 'manual' })
    await response.body?.cancel()
    expect([300, 301, 302, 303, 307, 308], `${path} ${response.status}`).not.toContain(response.status)
    expect(response.headers.get('Set-Cookie'), path).toBeNull()
    expect(response.headers.get('Access-Control-Allow-Origin'), path).toBeNull()
  }
  const preflight = await fetch(`${server.url}/file/group`, {
    method: 'OPTIONS',
    headers: { ...headers, 'Access-Control-Request-Method': 'POST' },
  })
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull()
})
