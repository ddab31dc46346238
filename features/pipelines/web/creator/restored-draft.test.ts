import { expect, test } from 'vitest'
import type { PipelineDetails } from '../../contract/index.ts'
import { withVersion } from './restored-draft.ts'

test('a draft of an older version does not state the time and the user of the newest version', () => {
  const pipeline = { version: 8, latest: true, modifyDate: '2026-01-31T08:00:00', lastChangeBy: 'anna' }
  const stored = { pipeline } as PipelineDetails
  expect(withVersion(stored, 8)).toBe(stored)
  expect(withVersion(stored, 7).pipeline).toMatchObject({
    version: 7,
    latest: false,
    modifyDate: null,
    lastChangeBy: null,
  })
})
