import type { StoredPart } from './parts-store.ts'

/** Positions of parts that are being written into assemblies. Calls for a file must not overlap. */
export interface PartPlacements {
  /**
   * Returns the position of a part and begins its writing; undefined if the part does not fit into the assembly or replaces
   * another one.
   */
  begin(
    fileId: string,
    recorded: readonly StoredPart[],
    part: { number: number; sizeBytes: number },
  ): number | undefined
  /** Ends the writing of a part. */
  end(fileId: string, number: number): void
  /** Returns whether parts of a file are being written. */
  has(fileId: string): boolean
}

/** Creates the positions of this process. Only one process at a time uses the folder of a content store. */
export function createPartPlacements(): PartPlacements {
  const placed = new Map<string, { partBytes: number; numbers: Set<number> }>()
  return {
    begin(fileId, recorded, { number, sizeBytes }) {
      const open = placed.get(fileId)
      if (open?.numbers.has(number) || recorded.some((part) => part.number === number)) return undefined
      const partBytes = open?.partBytes ?? sizeOfParts(recorded) ?? sizeBytes
      if (sizeBytes > partBytes) return undefined
      if (open === undefined) placed.set(fileId, { partBytes, numbers: new Set([number]) })
      else open.numbers.add(number)
      return (number - 1) * partBytes
    },
    end(fileId, number) {
      const open = placed.get(fileId)
      open?.numbers.delete(number)
      if (open?.numbers.size === 0) placed.delete(fileId)
    },
    has: (fileId) => placed.has(fileId),
  }
}

/** Returns the size that all parts of an assembly except the last have; the first recorded part determines it. */
function sizeOfParts(recorded: readonly StoredPart[]): number | undefined {
  const assembled = recorded.filter(({ position }) => position !== undefined)
  // Part 1 can be smaller than the others.
  const later = assembled.find(({ number }) => number > 1)
  return later === undefined ? assembled[0]?.sizeBytes : later.position! / (later.number - 1)
}
