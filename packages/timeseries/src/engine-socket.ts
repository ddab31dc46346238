import { connect, type Socket } from 'node:net'
import type { ByteStream } from './sql-connection.ts'
import { toEngineError } from './sql-error.ts'

/**
 * What goes over the unix socket between a server and its engine process: a connection per statement, the request as a line of
 * JSON, the answer as frames. Not HTTP, because its parser costs the reader of a long answer more than the bytes themselves do.
 */

/** A frame: its kind in one byte, the length of its payload in four (little endian), the payload. */
const frameHeaderBytes = 5
/** Payload: bytes of the answer. */
export const dataFrame = 0
/** No payload: the answer is complete. A connection that closes without it broke. */
export const endFrame = 1
/** Payload: what the engine says went wrong, as text. */
export const errorFrame = 2

const readBytes = 256 * 1024
/** Bytes that may wait for a slow reader before the engine is held back. */
const maxWaitingBytes = 4 * 1024 * 1024

/** Sends a frame; false if the socket wants to be drained first. */
export function writeFrame(socket: Socket, kind: number, payload?: Uint8Array): boolean {
  const header = Buffer.allocUnsafe(frameHeaderBytes)
  header[0] = kind
  header.writeUInt32LE(payload?.length ?? 0, 1)
  if (!payload || payload.length === 0) return socket.write(header)
  socket.cork()
  socket.write(header)
  const hasRoom = socket.write(payload)
  socket.uncork()
  return hasRoom
}

/** Whole request of a connection, undefined if it closed before. The socket keeps flowing, so that its end is noticed. */
export function readRequest(socket: Socket): Promise<string | undefined> {
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (chunk[chunk.length - 1] === 0x0a) resolve(Buffer.concat(chunks).toString())
    })
    socket.once('close', () => resolve(undefined))
  })
}

/**
 * Sends a request and settles with the first bytes of the answer, or with its end.
 * @throws SeriesEngineError if the engine says so, and the error of the socket if the connection breaks or `signal` aborts.
 */
export async function askEngine(
  socketPath: string,
  request: string,
  signal?: AbortSignal,
): Promise<ByteStream> {
  const frames = new FrameQueue(socketPath, signal)
  frames.send(request)
  const first = await frames.next()
  async function* read() {
    try {
      for (let chunk = first; chunk; chunk = await frames.next()) yield chunk
    } finally {
      frames.close()
    }
  }
  return Object.assign(read(), { close: () => frames.close() })
}

/** Payloads of the data frames of one connection, as they come. */
class FrameQueue {
  readonly #socket: Socket
  readonly #header = Buffer.alloc(frameHeaderBytes)
  #headerSize = 0
  #payloadLeft = 0
  #errorText = ''
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isComplete = false
  #failure: Error | undefined
  #wake: (() => void) | undefined

  constructor(socketPath: string, signal: AbortSignal | undefined) {
    signal?.throwIfAborted()
    const onread = {
      buffer: Buffer.allocUnsafeSlow(readBytes),
      callback: (size: number, buffer: Uint8Array) => this.#take(buffer as Buffer, size),
    }
    this.#socket = connect({ path: socketPath, onread })
    const abort = () => this.#fail(signal!.reason as Error)
    signal?.addEventListener('abort', abort)
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => {
      signal?.removeEventListener('abort', abort)
      this.#fail(new Error('The engine closed the connection before its answer was complete.'))
    })
  }

  send(request: string): void {
    this.#socket.write(`${request}\n`)
  }

  /** The next bytes, undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#waiting.shift()
      if (chunk) {
        if (this.#waitingBytes >= maxWaitingBytes) this.#socket.resume()
        this.#waitingBytes -= chunk.length
        return chunk
      }
      if (this.#isComplete) return undefined
      if (this.#failure) throw this.#failure
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Takes what was read; false if no more is wanted for now. */
  #take(buffer: Buffer, size: number): boolean {
    let at = 0
    while (at < size) {
      if (this.#headerSize < frameHeaderBytes) {
        this.#header[this.#headerSize++] = buffer[at++]!
        if (this.#headerSize === frameHeaderBytes) this.#payloadLeft = this.#header.readUInt32LE(1)
      } else {
        const end = Math.min(size, at + this.#payloadLeft)
        this.#payloadLeft -= end - at
        this.#takePayload(buffer.subarray(at, end))
        at = end
      }
      if (this.#headerSize === frameHeaderBytes && this.#payloadLeft === 0) this.#endFrame()
    }
    this.#wake?.()
    return this.#waitingBytes < maxWaitingBytes
  }

  #takePayload(bytes: Buffer): void {
    if (this.#header[0] === errorFrame) this.#errorText += bytes.toString('latin1')
    else {
      this.#waiting.push(Buffer.from(bytes))
      this.#waitingBytes += bytes.length
    }
  }

  #endFrame(): void {
    this.#headerSize = 0
    if (this.#header[0] === errorFrame) {
      this.#fail(toEngineError(Buffer.from(this.#errorText, 'latin1').toString()))
    } else if (this.#header[0] === endFrame) {
      this.#isComplete = true
      this.close()
    }
  }

  #fail(error: Error): void {
    if (!this.#isComplete) this.#failure ??= error
    this.#socket.destroy()
    this.#wake?.()
  }
}
