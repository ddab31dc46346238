import { describe, expect, test } from 'vitest'
import { fileQuery } from './file-query.ts'

const fid = '0b6e2f7a-1c2d-4e3f-8a9b-0c1d2e3f4a5b'

describe('DP-117 DP-118 SH-229 converts a search text to a file query', () => {
  test.each([
    ['an id becomes uuid=', fid.toUpperCase(), {}, `uuid=${fid}`],
    ['a text that only contains an id is plain text', `${fid}0`, {}, `*${fid}0*`],
    ['plain text is wrapped in wildcards', ' ab ', {}, '*ab*'],
    ['pairs are left as they are', 'type=NCSV&groupName=Prices*', {}, 'type=NCSV&groupName=Prices*'],
    [
      'group and layout are added',
      'ab',
      { groupName: 'Oil & Gas', latest: true },
      '*ab*&groupName=Oil & Gas&latest=true',
    ],
    ['an id is searched in all versions', fid, { latest: true }, `uuid=${fid}`],
    [
      'type and arrival time are sent as typed',
      'type=NCSV&arrivalTime=2026-01',
      { groupName: 'Oil', latest: true },
      'type=NCSV&arrivalTime=2026-01&groupName=Oil&latest=true',
    ],
    ['an empty text matches everything', '', {}, ''],
  ])('%s', (_title, text, options, query) => {
    expect(fileQuery(text, { latest: false, ...options })).toBe(query)
  })
})
