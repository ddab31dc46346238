/** Memory for parts that are being received. */
export interface PartMemory {
  /** Reserves bytes. Returns undefined if not enough are left. */
  reserve(sizeBytes: number): ReservedMemory | undefined
}

/** Memory of one part. */
export interface ReservedMemory {
  bytes: Buffer
  /** Frees the bytes immediately, without waiting for the garbage collector. They must not be used afterwards. */
  free(): void
}

/** Maximum size of all parts in memory, in bytes. */
const maxBytes = 64 * 1024 * 1024

/** Creates the memory of a process. */
export function createPartMemory(): PartMemory {
  let reservedBytes = 0
  return {
    reserve(sizeBytes) {
      if (reservedBytes + sizeBytes > maxBytes) return undefined
      reservedBytes += sizeBytes
      const memory = new ArrayBuffer(sizeBytes)
      return {
        bytes: Buffer.from(memory),
        free() {
          reservedBytes -= sizeBytes
          memory.transfer(0)
        },
      }
    },
  }
}
