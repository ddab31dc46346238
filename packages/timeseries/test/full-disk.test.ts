import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('an upload that exceeds the disk fails with the reason, in the file of the upload and in the engine, and a smaller one is stored afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'series-full-'))
  try {
    const script = fileURLToPath(new URL('./fill-disk.ts', import.meta.url))
    // A file system of 24 MB: a version of 600,000 rows fits in neither file nor table together with its copy.
    const disk = ['--dev-bind', '/', '/', '--size', String(24 * 1024 * 1024), '--tmpfs', folder]
    const command = [...disk, process.execPath, script, join(folder, 'engine')]
    const { stdout } = await promisify(execFile)('bwrap', command)
    expect(JSON.parse(stdout)).toEqual({
      outcomes: [
        'published',
        'full: The disk of the series engine is full.',
        'full: The disk of the series engine is full.',
        'published',
      ],
      versions: [1, 4],
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
