import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ByteStream } from './sql-connection.ts'
import { toEngineError } from './sql-error.ts'

/**
 * What goes over the unix socket between a server and its engine process: a connection per statement, the request as a line of
 * JSON, the answer as frames. Not HTTP, because its parser costs the reader of a long answer more than the bytes themselves do.
 *
 * Large chunks lie in the slots of a file that both sides hold open; only their lengths go through the socket, and a byte back when
 * a slot may be used again. A socket holds 200 KB, so the two processes would wait for each other hundreds of times per answer.
 */

/** A frame: its kind in one byte, the length of its payload in four (little endian), the payload. */
const frameHeaderBytes = 5
/** Payload: bytes of the answer. */
export const dataFrame = 0
/** No payload: the answer is complete. A connection that closes without it broke. */
export const endFrame = 1
/** Payload: what the engine says went wrong, as text. */
export const errorFrame = 2
/** Payload: path of the file of the slots. */
const fileFrame = 3
/** Payload: number of a slot and length of what it holds, both in four bytes. */
const slotFrame = 4

const slotCount = 2
const slotBytes = 8 * 1024 * 1024
/** Chunks from this size on go by a slot. */
const largeChunkBytes = 128 * 1024
/** What the reader sends for a slot it has read. */
const slotIsFree = Buffer.of(6)

const readBytes = 256 * 1024

/**
 * Memory of large chunks that nobody needs any more. To make it anew for every chunk has the garbage collector look through
 * everything each time some 40 MB have passed, which costs as much as to send them.
 */
const spareBuffers: Buffer[] = []
const maxSpareBuffers = 32
/** Memory of the chunks that were handed out. */
const lentMemory = new WeakSet<ArrayBufferLike>()

/** Takes a chunk of an answer back, to be filled again; others are left alone. */
export function recycleChunk({ buffer }: Uint8Array): void {
  if (lentMemory.delete(buffer) && spareBuffers.length < maxSpareBuffers)
    spareBuffers.push(Buffer.from(buffer))
}
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

/** Sends the chunks of an answer as fast as the reader takes them. */
export class ChunkSender {
  readonly #socket: Socket
  readonly #folder: string
  #file: number | undefined
  #path = ''
  #sentSlots = 0
  #freedSlots = 0
  #wake = () => {}

  /** @param folder where the file of the slots may lie; it is removed as soon as the reader has opened it. */
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

  /** Settles when the chunk may be forgotten and the next one may come. */
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

  /** Settles when the reader needs the file no more. */
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
      this.#path = join(this.#folder, `${randomUUID()}.answer`)
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

/** Whole request of a connection, undefined if it closed before. The socket keeps flowing, so that its end is noticed. */
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

/** Payloads of the data frames of one connection, as they come. */
class FrameQueue {
  readonly #socket: Socket
  readonly #header = Buffer.alloc(frameHeaderBytes)
  #headerSize = 0
  #payloadLeft = 0
  /** Payload of a frame that is no data. */
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
      this.#fail(new Error('The engine closed the connection before its answer was complete.'))
    })
  }

  send(request: string): void {
    this.#socket.write(`${request}\n`)
  }

  /** The next bytes, undefined at the end. */
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

  /** The next bytes of the slot that is being read. */
  #readSlot(file: number, slot: FilledSlot): Buffer {
    const bytes = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(readBytes)
    const size = readSync(file, bytes, 0, Math.min(readBytes, slot.end - slot.at), slot.at)
    slot.at += size
    lentMemory.add(bytes.buffer)
    if (size === 0) throw new Error('The file of the slots is shorter than the engine said.')
    if (slot.at === slot.end) {
      this.#waiting.shift()
      if (!this.#socket.destroyed) this.#socket.write(slotIsFree)
    }
    return bytes.subarray(0, size)
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

/** Positions of bytes in the file of the slots. */
interface FilledSlot {
  at: number
  end: number
}
