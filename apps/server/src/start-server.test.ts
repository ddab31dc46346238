import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, systemClock } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { startServer } from './start-server.ts'

test('rejects an invalid product switch before anything is created', async () => {
  const base = await mkdtemp(join(tmpdir(), 'headwater-start-'))
  try {
    const dataFolder = join(base, 'data')
    const config = readConfig({ HEADWATER_DATA: dataFolder, HEADWATER_SHARING_ENABLED: 'maybe' })
    const starting = startServer({ config, clock: systemClock, openLog: silentLog, say: () => {} })
    await expect(starting).rejects.toThrow('HEADWATER_SHARING_ENABLED is “maybe”')
    expect(existsSync(dataFolder)).toBe(false)
  } finally {
    await rm(base, { recursive: true, force: true })
  }
})
