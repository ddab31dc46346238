import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ByteStream } from './sql-connection.ts'
import { toEngineError } from './sql-error.ts'

/**
 * Protocol between a server and its engine process over a unix socket. Each statement has its own connection, its request is
 * a line of JSON, and its response consists of frames. It does not use HTTP, because parsing HTTP would take longer than
 * reading the bytes of a long response. Large chunks are passed through slots of a file that both processes hold open; the
 * socket carries only their lengths, and a byte back when a slot is free. A socket buffers 200 KB, so the processes would
 * otherwise wait for each other hundreds of times per response.
 */

/** A frame: its kind in one byte, the length of its payload in four (little endian), the payload. */
const frameHeaderBytes = 5
/** Payload: bytes of the response. */
export const dataFrame = 0
/** Frame without payload: the response is complete. A connection that closes without this frame is broken. */
export const endFrame = 1
/** Payload: error message of the engine. */
export const errorFrame = 2
/** Payload: path of the slot file. */
const fileFrame = 3
/** Payload: number of a slot and length of its content, four bytes each. */
const slotFrame = 4

const slotCount = 2
const slotBytes = 8 * 1024 * 1024
/** Chunks from this size on use a slot. */
const largeChunkBytes = 128 * 1024
/** The reader sends this byte for each slot it has read. */
const slotIsFree = Buffer.of(6)

const readBytes = 256 * 1024

/**
 * Reusable memory for large chunks. Allocating memory for every chunk would trigger a full garbage collection every 40 MB,
 * which takes as long as sending the chunks.
 */
const spareBuffers: Buffer[] = []
const maxSpareBuffers = 32
/** Memory of chunks in use. */
const lentMemory = new WeakSet<ArrayBufferLike>()

/** Returns the memory of a response chunk for reuse; ignores other arrays. */
export function recycleChunk({ buffer }: Uint8Array): void {
  if (lentMemory.delete(buffer) && spareBuffers.length < maxSpareBuffers)
    spareBuffers.push(Buffer.from(buffer))
}
/** Maximum bytes buffered for a slow reader before the engine is paused. */
const maxWaitingBytes = 4 * 1024 * 1024

/** Sends a frame; returns false if the socket needs to drain. */
export function writeFrame(socket: Socket, kind: number, payload?: Uint8Array): boolean {
  const header = Buffer.allocUnsafe(frameHeaderBytes)
  header[0] = kind
  header.writeUInt32LE(payload?.length ?? 0, 1)
  if (!payload || payload.length === 0) return socket.write(header)
  socket.cork()
  socket.write(header)
  const canTakeMore = socket.write(payload)
  socket.uncork()
  return canTakeMore
}

/** Sends the chunks of a response as fast as the reader accepts them. */
export class ChunkSender {
  readonly #socket: Socket
  readonly #folder: string
  #file: number | undefined
  #path = ''
  #sentSlots = 0
  #freedSlots = 0
  #wake = () => {}

  /** @param folder of the slot file; the file is unlinked as soon as the reader has opened it */
  constructor(socket: Socket, folder: string) {
    this.#socket = socket
    this.#folder = folder
    socket.on('data', (chunk: Buffer) => {
      this.#freedSlots += chunk.length
      this.#removePath()
      this.#wake()
    })
    socket.on('drain', () => this.#wake())
    socket.on('close', () => this.#wake())
  }

  /** Sends a chunk. Resolves when its memory can be reused and the next chunk can be sent. */
  async send(chunk: Uint8Array): Promise<void> {
    if (chunk.length < largeChunkBytes) {
      if (!writeFrame(this.#socket, dataFrame, chunk))
        await this.#until(() => !this.#socket.writableNeedDrain)
      return
    }
    for (let at = 0; at < chunk.length; at += slotBytes) {
      await this.#until(() => this.#sentSlots - this.#freedSlots < slotCount)
      if (this.#socket.destroyed) return
      const file = this.#openFile()
      const slot = this.#sentSlots++ % slotCount
      const end = Math.min(chunk.length, at + slotBytes)
      for (let from = at; from < end;)
        from += writeSync(file, chunk, from, end - from, slot * slotBytes + from - at)
      const payload = Buffer.allocUnsafe(8)
      payload.writeUInt32LE(slot, 0)
      payload.writeUInt32LE(end - at, 4)
      writeFrame(this.#socket, slotFrame, payload)
    }
  }

  /** Resolves when the reader no longer needs the slot file. */
  async finish(): Promise<void> {
    await this.#until(() => this.#freedSlots === this.#sentSlots)
  }

  close(): void {
    this.#removePath()
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #openFile(): number {
    if (this.#file === undefined) {
      this.#path = join(this.#folder, `${randomUUID()}.slots`)
      this.#file = openSync(this.#path, 'wx', 0o600)
      writeFrame(this.#socket, fileFrame, Buffer.from(this.#path))
    }
    return this.#file
  }

  #removePath(): void {
    if (this.#path !== '') rmSync(this.#path, { force: true })
    this.#path = ''
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.#socket.destroyed) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

/**
 * Reads the request of a connection; undefined if the connection closed before. The socket stays in flowing mode, so that
 * its end is detected.
 */
export function readRequest(socket: Socket): Promise<string | undefined> {
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    function take(chunk: Buffer) {
      chunks.push(chunk)
      if (chunk[chunk.length - 1] !== 0x0a) return
      socket.off('data', take)
      resolve(Buffer.concat(chunks).toString())
    }
    socket.on('data', take)
    socket.once('close', () => resolve(undefined))
  })
}

/**
 * Sends a request and resolves with the first bytes of the response, or with its end.
 * @throws SeriesEngineError if the engine reports an error, and the error of the socket if the connection breaks or
 * `signal` aborts
 */
export async function sendRequest(
  socketPath: string,
  request: string,
  signal?: AbortSignal,
): Promise<ByteStream> {
  const frames = new FrameQueue(socketPath, signal)
  frames.send(request)
  const first = await frames.next().catch((error: unknown) => {
    frames.close()
    throw error
  })
  async function* read() {
    try {
      for (let chunk = first; chunk; chunk = await frames.next()) yield chunk
    } finally {
      frames.close()
    }
  }
  return Object.assign(read(), { close: () => frames.close() })
}

/** Queues the payloads of the data frames of one connection. */
class FrameQueue {
  readonly #socket: Socket
  readonly #header = Buffer.alloc(frameHeaderBytes)
  #headerSize = 0
  #payloadLeft = 0
  /** Payload of a frame other than data. */
  #payload = Buffer.alloc(0)
  #waiting: (Buffer | FilledSlot)[] = []
  #waitingBytes = 0
  #file: number | undefined
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
      this.#fail(new Error('The engine closed the connection before its response was complete.'))
    })
  }

  send(request: string): void {
    this.#socket.write(`${request}\n`)
  }

  /** Returns the next bytes; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.#waiting[0]
      if (chunk && !Buffer.isBuffer(chunk)) {
        if (this.#file !== undefined) return this.#readSlot(this.#file, chunk)
      } else if (chunk) {
        this.#waiting.shift()
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
    this.#waiting = []
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** Returns the next bytes of the current slot. */
  #readSlot(file: number, slot: FilledSlot): Buffer {
    const bytes = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(readBytes)
    const size = readSync(file, bytes, 0, Math.min(readBytes, slot.end - slot.at), slot.at)
    slot.at += size
    lentMemory.add(bytes.buffer)
    if (size === 0) throw new Error('The slot file is shorter than the engine reported.')
    if (slot.at === slot.end) {
      this.#waiting.shift()
      if (!this.#socket.destroyed) this.#socket.write(slotIsFree)
    }
    return bytes.subarray(0, size)
  }

  /** Consumes received bytes; returns false if no more are needed for now. */
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
    if (this.#header[0] !== dataFrame) this.#payload = Buffer.concat([this.#payload, bytes])
    else {
      this.#waiting.push(Buffer.from(bytes))
      this.#waitingBytes += bytes.length
    }
  }

  #endFrame(): void {
    const payload = this.#payload
    this.#payload = Buffer.alloc(0)
    this.#headerSize = 0
    switch (this.#header[0]) {
      case errorFrame:
        return this.#fail(toEngineError(payload.toString()))
      case fileFrame:
        return this.#openFile(payload.toString())
      case slotFrame: {
        const at = payload.readUInt32LE(0) * slotBytes
        this.#waiting.push({ at, end: at + payload.readUInt32LE(4) })
        return
      }
      case endFrame:
        this.#isComplete = true
        this.#socket.destroy()
    }
  }

  #openFile(path: string): void {
    try {
      this.#file = openSync(path, 'r')
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #fail(error: Error): void {
    if (!this.#isComplete) this.#failure ??= error
    this.#socket.destroy()
    this.#wake?.()
  }
}

/** Positions of bytes in the slot file. */
interface FilledSlot {
  at: number
  end: number
}
