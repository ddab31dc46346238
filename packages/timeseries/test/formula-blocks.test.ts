import { expect, test } from 'vitest'
import { encodeValues, nativeBlockParts } from '../src/native-block.ts'
import { readNativeBlocks } from '../src/native-rows.ts'
import { sortRuns } from '../src/sort-runs.ts'
import { Random } from './random-world.ts'

test('sorts ascending runs and removes duplicates', () => {
  const random = new Random(9)
  for (const runs of [0, 1, 2, 3, 7, 16]) {
    const values = Array.from({ length: runs }, () =>
      Array.from({ length: random.below(20) }, () => random.below(1000)).toSorted((a, b) => a - b),
    ).flat()
    expect([...sortRuns(Float64Array.from(values))]).toEqual([...new Set(values)].toSorted((a, b) => a - b))
  }
})

test('parses blocks of a result in pieces of any size', async () => {
  const block = (numbers: number[], texts: string[]) =>
    nativeBlockParts(numbers.length, [
      { name: 'n', type: 'Nullable(Float64)', bytes: encodeValues('double', Float64Array.from(numbers)) },
      { name: 't', type: 'String', bytes: encodeValues('string', texts).slice(1) },
    ])
  const bytes = Buffer.concat([...block([1, Number.NaN], ['a', '']), ...block([3], ['ä'.repeat(100)])])
  for (const size of [1, 7, 50, bytes.length]) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    expect(await readAll(pieces())).toEqual([
      [
        [1, Number.NaN],
        ['a', ''],
      ],
      [[3], ['ä'.repeat(100)]],
    ])
  }
  const cut = (async function* () {
    yield bytes.subarray(0, bytes.length - 1)
  })()
  await expect(readAll(cut)).rejects.toThrow('in the middle of a block')
})

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<(number | string)[][][]> {
  const blocks: (number | string)[][][] = []
  for await (const { columns } of readNativeBlocks(stream, 2))
    blocks.push(columns.map((column) => [...column]))
  return blocks
}
