import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type TestServer } from '@headwater/server/testing'

/** Runs the examples of docs/guide/ncsv.md unchanged. */
const guide = await readFile(fileURLToPath(new URL('../../docs/guide/ncsv.md', import.meta.url)), 'utf8')

/** Sections with examples: their blocks in order, each a kind (`csv upload FLAG`) and a text. */
const sections = guide
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    blocks: [...section.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
      kind,
      text,
    })),
  }))
  .filter(({ blocks }) => blocks.length > 0)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

async function responseOf(groupName: string): Promise<string> {
  const response = await server.admin.fetch('/ts/stream', {
    method: 'POST',
    body: JSON.stringify({ groupName, metadata: true, formatType: 'NCSV' }),
    headers: { 'Content-Type': 'application/json' },
  })
  return response.text()
}

test('the NCSV guide has examples', () => {
  expect(sections.length).toBeGreaterThan(10)
})

test.each(sections)('the NCSV guide is correct: $title', async ({ title, blocks }) => {
  const { name: groupName } = await server.admin.call(createGroup, {
    body: { name: title.replaceAll(':', '') },
  })
  let message = ''
  for (const { kind, text } of blocks) {
    const [language, use, ...flags] = kind.split(' ')
    if (use === 'upload') {
      const fields = flags.map((name) => ({ name, value: 'true' }))
      const receipt = await upload(server.admin, { groupName, fileType: 'NCSV', fields, content: text })
      message = `${receipt.message}\n`
    } else {
      expect(`${language} ${use}`).toMatch(/^(text message|csv answer)$/)
      expect(use === 'message' ? message : await responseOf(groupName)).toBe(text)
    }
  }
})
