/** A frame of a stream with its bytes. */
export interface Frame<T> {
  /** The parsed line. */
  frame: T
  /** The bytes after it; absent without `length`. */
  bytes?: Uint8Array
}

const lineEnd = 10

/** Reads a stream of frames. Each frame is a line of JSON; `length` bytes follow it. */
export async function* readFrames<T extends { length?: number | undefined }>(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Frame<T>> {
  let held = new Uint8Array(0)
  let announced: T | undefined
  for await (const part of partsOf(stream)) {
    held = held.length === 0 ? part : joined(held, part)
    for (;;) {
      if (announced !== undefined) {
        const { length = 0 } = announced
        if (held.length < length) break
        yield { frame: announced, bytes: held.subarray(0, length) }
        held = held.subarray(length)
        announced = undefined
      }
      const end = held.indexOf(lineEnd)
      if (end === -1) break
      const frame = JSON.parse(new TextDecoder().decode(held.subarray(0, end))) as T
      held = held.subarray(end + 1)
      if (frame.length === undefined) yield { frame }
      else announced = frame
    }
  }
}

/** Not every browser supports iterating over a stream. */
async function* partsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value as Uint8Array<ArrayBuffer>
    }
  } finally {
    await reader.cancel()
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
