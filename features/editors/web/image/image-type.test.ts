import { expect, test } from 'vitest'
import { imageTypeOf } from './image-type.ts'

test('the content of an image determines its type, not its name', async () => {
  const type = (...parts: (string | number[])[]) =>
    imageTypeOf(new Blob(parts.map((part) => (typeof part === 'string' ? part : new Uint8Array(part)))))
  expect(await type([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])).toBe('image/png')
  expect(await type([0xff, 0xd8, 0xff, 0xe0])).toBe('image/jpeg')
  expect(await type('GIF89a')).toBe('image/gif')
  expect(await type('RIFF', [0, 0, 0, 0], 'WEBPVP8 ')).toBe('image/webp')
  expect(await type('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')).toBe('image/svg+xml')
  expect(await type('<html><script>alert(1)</script></html>')).toBeUndefined()
  expect(await type('')).toBeUndefined()
})
