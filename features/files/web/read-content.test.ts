import { afterEach, expect, test, vi } from 'vitest'
import { readContent } from './read-content.ts'

afterEach(() => void vi.unstubAllGlobals())

test('DP-126 the content of a file is fetched by its URL as text, blob or arraybuffer, as each caller requests', async () => {
  const fid = 'e080f080-27a7-4c12-b95c-2b80f88cc149'
  const bytes = new TextEncoder().encode('Preis,€\n')
  const urls: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url)
    return new Response(bytes)
  })
  expect(await readContent(fid, 'text')).toBe('Preis,€\n')
  const blob = await readContent(fid, 'blob')
  expect(blob).toBeInstanceOf(Blob)
  expect(await blob.text()).toBe('Preis,€\n')
  const buffer = await readContent(fid, 'arraybuffer')
  expect(buffer).toBeInstanceOf(ArrayBuffer)
  expect(new Uint8Array(buffer)).toEqual(bytes)
  expect(urls).toEqual(Array(3).fill(`/file/${fid}/download`))
})
