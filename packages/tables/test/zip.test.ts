import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createZipRecords, ZipTooLargeError } from '../src/zip/zip-records.ts'
import { zipOf } from '../src/zip/zip-writer.ts'
import { joined } from './bytes.ts'

async function temporaryPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zip-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'a.zip')
}

/** Reads the list of an archive, and the text of its last file, with a program that is not ours. */
function listOf(path: string): { entries: unknown[]; last: string } {
  const program = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
entries = archive.infolist()
print(json.dumps({
  "entries": [[i.filename, i.file_size, i.compress_size, i.header_offset, list(i.date_time)] for i in entries],
  "last": archive.read(entries[-1]).decode(),
}))`
  return JSON.parse(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' })) as ReturnType<
    typeof listOf
  >
}

test('a file of an archive has its time of modification, with a precision of two seconds', async () => {
  const path = await temporaryPath()
  await writeFile(
    path,
    await joined(
      zipOf([
        { path: 'old.txt', content: ['old'], modifiedAt: new Date('1970-05-01T00:00:00Z') },
        { path: 'new.txt', content: ['new'], modifiedAt: new Date('2026-11-30T06:45:31Z') },
      ]),
    ),
  )
  const { entries, last } = listOf(path)
  expect(entries).toMatchObject([
    ['old.txt', 3, expect.any(Number), 0, [1980, 1, 1, 0, 0, 0]],
    ['new.txt', 3, expect.any(Number), expect.any(Number), [2026, 11, 30, 6, 45, 30]],
  ])
  expect(last).toBe('new')
})

test('files behind the first 4 GB of an archive, and files of more than 4 GB, are listed and can be read', async () => {
  const path = await temporaryPath()
  const file = await open(path, 'w')
  const records = createZipRecords({ isLarge: true })
  let at = 0
  const write = async (bytes: Buffer) => {
    await file.write(bytes, 0, bytes.length, at)
    at += bytes.length
  }
  const modifiedAt = new Date('2026-11-30T06:45:30Z')
  await write(records.begin({ path: 'large.bin', modifiedAt }))
  const [sizeBytes, packedBytes] = [6_000_000_000, 5_000_000_000]
  // The content is a hole in the file: it is counted, and not written.
  at += packedBytes
  await write(records.end({ sizeBytes, packedBytes, checksum: 0 }))
  const start = at
  const packed = deflateRawSync('behind')
  await write(records.begin({ path: 'small.txt', modifiedAt }))
  await write(packed)
  await write(records.end({ sizeBytes: 6, packedBytes: packed.length, checksum: crc32('behind') }))
  await write(records.directory())
  await file.close()
  const time = [2026, 11, 30, 6, 45, 30]
  expect(listOf(path)).toEqual({
    entries: [
      ['large.bin', sizeBytes, packedBytes, 0, time],
      ['small.txt', 6, packed.length, start, time],
    ],
    last: 'behind',
  })
})

test('an archive without ZIP64 rejects files of 4 GB', () => {
  const records = createZipRecords({ isLarge: false })
  records.begin({ path: 'large.bin' })
  expect(() => records.end({ sizeBytes: 2 ** 32 - 1, packedBytes: 10, checksum: 0 })).toThrow(
    ZipTooLargeError,
  )
})

test('the content of a file is read only as fast as the archive', async () => {
  const chunk = randomBytes(1_000_000)
  let read = 0
  function* content() {
    for (; read < 500; read++) yield chunk
  }
  const archive = zipOf([{ path: 'large.bin', content: content() }], { isLarge: true })
  let writtenBytes = 0
  for await (const part of archive) {
    writtenBytes += part.length
    if (writtenBytes > 3_000_000) break
  }
  expect(read).toBeGreaterThan(2)
  expect(read).toBeLessThan(10)
})
