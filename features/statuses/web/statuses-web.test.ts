import { limitedProviders } from '@headwater/web-kit/call/limited.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { jobHref, jobTitle, runTime, payloadRows } from './job-texts.ts'
import { newestStatus } from './newest-status.ts'
import { endOfRun, runInterval } from './runs.ts'
import { detailsInterval, statusQuery } from './statuses-client.ts'

afterEach(() => vi.unstubAllGlobals())

const jobId = '0b6e2f7a-1c2d-4e3f-8a9b-0c1d2e3f4a5b'
const fid = '11111111-2222-4333-8444-555555555555'

test('SH-246 SH-247 a search text is wrapped in wildcards or is * when empty, and a UUID is searched as a job id', () => {
  expect(statusQuery(' crude ')).toEqual({ query: '*crude*' })
  expect(statusQuery('')).toEqual({ query: '*' })
  expect(statusQuery('  ')).toEqual({ query: '*' })
  expect(statusQuery(jobId.toUpperCase())).toEqual({ jobId })
  expect(statusQuery(`${jobId}0`)).toEqual({ query: `*${jobId}0*` })
})

test('SH-250 a status lookup sends name, group, type and size 1, and returns the first item', async () => {
  const item = (message: string) => ({ latestStatus: { status: 'INFO', message, component: '' } })
  const requested: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    requested.push(String(address))
    return Response.json({ items: [item('newest'), item('older')], from: 0, size: 1, totalSize: 2 })
  })
  const newest = await newestStatus(
    { type: 'PIPELINE', name: 'Daily', groupName: 'Oil' },
    new AbortController().signal,
  )
  expect(newest?.message).toBe('newest')
  expect(requested).toHaveLength(1)
  const { pathname, searchParams } = new URL(requested[0]!, 'http://localhost')
  expect(pathname).toBe('/status')
  expect(Object.fromEntries(searchParams)).toEqual({
    type: 'PIPELINE',
    name: 'Daily',
    groupName: 'Oil',
    size: '1',
  })
})

test('waiting for a run to end continues after a network interruption and stops at other errors', async () => {
  vi.useFakeTimers()
  const ended = { jobId, status: 'INFO', endTime: '2026-01-01T00:00:00' }
  const responses: (() => Response)[] = [
    () => {
      throw new TypeError('Failed to fetch')
    },
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    () => Response.json({ items: [{ jobId, status: 'RUNNING' }], from: 0, size: 1, totalSize: 1 }),
    () => Response.json({ items: [ended], from: 0, size: 1, totalSize: 1 }),
    () => Response.json({ status: 500, code: 'unexpected', message: 'It broke.' }, { status: 500 }),
  ]
  vi.stubGlobal('fetch', async () => responses.shift()!())
  try {
    const end = endOfRun(jobId)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await end).toEqual(ended)
    await expect(endOfRun(jobId)).rejects.toThrow('It broke.')
  } finally {
    vi.useRealTimers()
  }
})

test('SH-282 SH-283 payload keys become labels split into words; nodeId, pipelineId and version are hidden', () => {
  expect(
    payloadRows({
      nodeId: 'n',
      pipelineId: 'p',
      version: 3,
      fileName: 'a.csv',
      groupName: 'Oil',
      fileType: 'NCSV',
    }),
  ).toEqual([
    { label: 'File name', text: 'a.csv' },
    { label: 'Group name', text: 'Oil' },
    { label: 'File type', text: 'NCSV' },
  ])
})

test('SH-286 SH-287 job details refresh every 5 s until the job is completed, error or info, or 30 s have passed', () => {
  for (const status of ['COMPLETED', 'ERROR', 'INFO'] as const)
    expect(detailsInterval({ status }, 0)).toBe(false)
  for (const status of ['RUNNING', 'PAUSED', 'PENDING', 'UNEXECUTED', 'WARN'] as const) {
    expect(detailsInterval({ status }, 0)).toBe(5000)
    expect(detailsInterval({ status }, 29_999)).toBe(5000)
    expect(detailsInterval({ status }, 30_000)).toBe(false)
  }
})

test('SH-050 job details and runs do not refresh while the API is rate-limited', () => {
  limitedProviders.add('Remote')
  try {
    expect(detailsInterval({ status: 'RUNNING' }, 0)).toBe(false)
    expect(runInterval({}, 1)).toBe(false)
  } finally {
    limitedProviders.store.set(new Set())
  }
  expect(detailsInterval({ status: 'RUNNING' }, 0)).toBe(5000)
  expect(runInterval({}, 1)).toBe(1000)
})

test('DP-061 DP-062 DP-307 SH-189 SH-190 SH-191 SH-192 SH-280 a job links to its pipeline, data prep or file', () => {
  const job = { jobId, name: 'Daily prices', version: 12, payload: { groupName: 'Oil & Gas' } }
  expect(jobHref({ ...job, type: 'PIPELINE' }, false)).toBe(
    `/Science/Creator/Oil%20%26%20Gas/Daily%20prices/12?jobId=${jobId}`,
  )
  expect(jobHref({ ...job, type: 'DATAPREP' }, false)).toBe(
    `/Storage/Creator/Oil%20%26%20Gas/Daily%20prices/12?jobId=${jobId}`,
  )
  const file = { ...job, type: 'ETL' as const, payload: { groupName: 'Oil', fileId: fid, fileName: 'a.csv' } }
  expect(jobHref(file, false)).toBe(`/Lake/Groups/Oil?query=${fid}`)
  expect(jobHref(file, true)).toBe(`/Lake?query=${fid}#Files`)
  expect(jobHref({ ...file, status: 'ERROR' }, true)).toBe('/Lake/Groups/Oil')
  expect(jobTitle(file)).toBe('a.csv')
})

test.each([
  ['2026-01-01T00:00:00.000', '2026-01-01T00:00:00.250', '250 ms'],
  ['2026-01-01T00:00:00', '2026-01-01T00:02:05', '2 min 5 s'],
  ['2026-01-01T00:00:00', '2026-01-01T03:00:05', '3 h 5 s'],
  ['2026-01-01T00:00:00', undefined, '1 min'],
])('a run time is formatted with its two largest units: %s to %s', (start, end, text) => {
  expect(runTime(start, end, new Date('2026-01-01T00:01:00Z'))).toBe(text)
})
