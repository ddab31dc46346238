import { fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { convertTable } from '../src/isolated/convert-table.ts'
import { joined, sourceOf } from './bytes.ts'
import { endlessParquet } from './endless-parquet.ts'

const never = () => new AbortController().signal

test('a conversion in its own process returns the result in parts, even of a large file', async () => {
  const csv = `id,text\n${Array.from({ length: 20_000 }, (_, id) => `${id},text ${id * 7919}\n`).join('')}`
  const xlsx = await joined(convertTable(sourceOf(csv), { formats: 'CSV to XLSX' }, never()))
  const parts: Uint8Array[] = []
  for await (const part of convertTable(sourceOf(xlsx), { formats: 'XLSX to CSV' }, never())) parts.push(part)
  expect(parts.length).toBeGreaterThan(1)
  expect(Buffer.concat(parts).toString()).toBe(csv)
})

test('content that cannot be converted, a failed read and an abort end the conversion with their reasons', async () => {
  await expect(joined(convertTable(sourceOf('x'), { formats: 'XLSX to CSV' }, never()))).rejects.toThrow(
    'it is not a zip archive',
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
    'Processing the file needs more than 0.5 GB of memory. Use a smaller file.',
  )
})

test('a hostile file that makes the reader loop ends the conversion after the limit of a part', async () => {
  const parquet = await endlessParquet()
  await expect(
    joined(convertTable(sourceOf(parquet), { formats: 'Parquet to CSV' }, never(), 5000)),
  ).rejects.toThrow('Reading a part of the file took more than 5 seconds. The file may be damaged.')
})

test('a conversion that loops ends soon after its server was killed', async () => {
  const server = fork(new URL('./converting-server.ts', import.meta.url))
  const childOf = () => readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim()
  await expect.poll(childOf).toMatch(/^\d+$/)
  const child = childOf()
  const ticks = () => Number(readFileSync(`/proc/${child}/stat`, 'utf8').split(' ')[13])
  await expect.poll(ticks).toBeGreaterThan(200)
  server.kill('SIGKILL')
  await expect.poll(() => existsSync(`/proc/${child}`)).toBe(false)
})
