import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { abortedByClose } from './aborted-by-close.ts'

/**
 * Writes a frame: a line of JSON. With `bytes`, its `length` is the number of bytes that follow the line. Frames never
 * interleave.
 */
export type WriteFrame<Frame> = (frame: Frame, bytes?: Uint8Array) => Promise<void>

/**
 * Sends a stream of frames for several items and processes a few items at a time. The frames of one item keep their order;
 * frames of different items can alternate. When the caller disconnects, the signal aborts and no further item starts.
 * @param given.respond writes all frames of one item, including its error frame
 * @param given.concurrency maximum number of items processed concurrently
 */
export function sendFrames<Item, Frame>(
  reply: FastifyReply,
  items: readonly Item[],
  given: {
    concurrency: number
    respond: (
      item: Item,
      at: { index: number; write: WriteFrame<Frame>; signal: AbortSignal },
    ) => Promise<void>
  },
): FastifyReply {
  const { signal } = abortedByClose(reply.raw)
  const output = new PassThrough({ highWaterMark: 256 * 1024 })
  const waiting = items.entries()

  async function write(frame: Frame, bytes?: Uint8Array): Promise<void> {
    signal.throwIfAborted()
    let isTaken = output.write(`${JSON.stringify(frame)}\n`)
    if (bytes !== undefined) isTaken = output.write(bytes)
    if (!isTaken) await once(output, 'drain', { signal })
  }

  async function work(): Promise<void> {
    for (const [index, item] of waiting) {
      if (signal.aborted) return
      await given.respond(item, { index, write, signal })
    }
  }

  void Promise.allSettled(Array.from({ length: given.concurrency }, work)).then(() => output.end())
  return reply.type('application/octet-stream').send(output)
}
