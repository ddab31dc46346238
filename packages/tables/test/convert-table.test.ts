import { expect, test } from 'vitest'
import { converted } from '../src/isolated/conversion.ts'
import { convertTable } from '../src/isolated/convert-table.ts'
import { joined, sourceOf } from './bytes.ts'

const never = () => new AbortController().signal

test('a conversion in its own process returns the result in parts, also of a large file', async () => {
  const csv = `id,text\n${Array.from({ length: 20_000 }, (_, id) => `${id},text ${id * 7919}\n`).join('')}`
  const xlsx = await joined(convertTable(sourceOf(csv), { formats: 'CSV to XLSX' }, never()))
  const parts: Uint8Array[] = []
  for await (const part of convertTable(sourceOf(xlsx), { formats: 'XLSX to CSV' }, never())) parts.push(part)
  expect(parts.length).toBeGreaterThan(1)
  expect(Buffer.concat(parts).toString()).toBe(csv)
})

test('content that cannot be converted, a failed read and an abort end the conversion with their reasons', async () => {
  await expect(joined(convertTable(sourceOf('x'), { formats: 'XLSX to CSV' }, never()))).rejects.toThrow(
    'it is no zip archive',
  )
  const broken = { sizeBytes: 10, read: () => Promise.reject(new Error('The file is gone.')) }
  await expect(joined(convertTable(broken, { formats: 'CSV to XLSX' }, never()))).rejects.toThrow(
    'The file is gone.',
  )
  const stop = new AbortController()
  const waiting = {
    sizeBytes: 10,
    read: () => new Promise<Uint8Array>(() => stop.abort(new Error('stopped'))),
  }
  await expect(joined(convertTable(waiting, { formats: 'CSV to XLSX' }, stop.signal))).rejects.toThrow(
    'stopped',
  )
})

test('a hostile file that makes the reader exhaust its memory ends the conversion, not this process', async () => {
  // Lists in lists, each of which claims 33,554,431 entries.
  const list = Buffer.from([0xf9, 0xff, 0xff, 0xff, 0x0f])
  const footer = Buffer.concat([Buffer.from([0x19]), ...Array.from({ length: 20 }, () => list)])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(footer.length)
  const bomb = Buffer.concat([Buffer.from('PAR1'), footer, size, Buffer.from('PAR1')])
  await expect(joined(convertTable(sourceOf(bomb), { formats: 'Parquet to CSV' }, never()))).rejects.toThrow(
    'The conversion needs more than 0.5 GB of memory. Use a smaller file.',
  )
})

test('a hostile file that makes the reader loop ends the conversion after the limit of a part', async () => {
  const parquet = await joined(converted(sourceOf('id,text\n1,a\n2,b\n3,a\n'), { formats: 'CSV to Parquet' }))
  // The length of a run of levels, which the reader repeats without reading.
  parquet[20] = parquet[20]! ^ 0xff
  await expect(
    joined(convertTable(sourceOf(parquet), { formats: 'Parquet to CSV' }, never(), 5000)),
  ).rejects.toThrow('A part of the file takes more than 5 seconds. The file may be damaged.')
})
