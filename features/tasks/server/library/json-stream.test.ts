import { expect, test } from 'vitest'
import { jsonObjects } from './json-stream.ts'

/** Returns the objects in a text that arrives in chunks of `size` bytes. */
async function objectsOf(text: string, size: number): Promise<unknown[]> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const objects: unknown[] = []
  for await (const object of jsonObjects(pieces())) objects.push(object)
  return objects
}

const objects = [{ a: 'ä "}{" \\', b: [1, { c: null }] }, {}, { d: { e: '[' } }]

test.each([1, 2, 3, 7, 1000])('reads objects from chunks of %i bytes', async (size) => {
  expect(await objectsOf(JSON.stringify(objects), size)).toEqual(objects)
  expect(await objectsOf(`\uFEFF${JSON.stringify(objects, null, 2)}\n`, size)).toEqual(objects)
  expect(await objectsOf(objects.map((each) => JSON.stringify(each)).join('\r\n'), size)).toEqual(objects)
})

test.each([
  ['[1]', 'After object 0 there is “1”.'],
  ['{"a": 1} x', 'After object 1 there is “x”.'],
  ['[{"a": 1}, {"b": ', 'The file ends within object 2.'],
  ['[{"a": 1 2}]', 'Object 1 is not valid JSON.'],
])('rejects %s', async (text, message) => {
  await expect(objectsOf(text, 3)).rejects.toThrow(message)
})
