import { expect, test } from 'vitest'
import { readFrames } from './read-frames.ts'

const encoder = new TextEncoder()

async function read(text: string, partSize: number) {
  const bytes = encoder.encode(text)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += partSize) controller.enqueue(bytes.slice(at, at + partSize))
      controller.close()
    },
  })
  const frames: unknown[] = []
  for await (const { frame, bytes: own } of readFrames<{ length?: number }>(stream))
    frames.push(own === undefined ? frame : [frame, new TextDecoder().decode(own)])
  return frames
}

test.each([1, 2, 7, 1000])(
  'frames are read from parts of %i bytes, whatever bytes they contain',
  async (size) => {
    const inside = '{"tile":9}\n\n'
    const text = `{"tile":0}\n{"tile":1,"length":${inside.length}}\n${inside}{"tile":0,"done":true}\n`
    expect(await read(text, size)).toEqual([
      { tile: 0 },
      [{ tile: 1, length: inside.length }, inside],
      { tile: 0, done: true },
    ])
  },
)
