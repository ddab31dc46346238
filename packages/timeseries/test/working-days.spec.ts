import { describe, expect, test } from 'vitest'
import type { SeriesRange, WorkingCalendar } from '../src/query-options.ts'
import type { SeriesEngine } from '../src/series-engine.ts'
import { ms, pick, price, readLines, storePoints } from './spec-points.ts'

/** Tests ranges of working days. */
export function describeWorkingDays(getEngine: () => SeriesEngine): void {
  describe('ranges of working days', () => {
    const dates = ['03-01', '03-04', '03-05', '03-06', '03-07', '03-08', '03-09', '03-11', '03-12']
    async function datesOf(
      range: SeriesRange,
      rest: { calendar?: WorkingCalendar; timeZone?: string } = {},
    ): Promise<string[]> {
      await getEngine().dropDataset(200)
      const points = dates.map((date, index) => [1, `2024-${date}T12:00`, index] as const)
      await storePoints(getEngine(), 200, 1, [price], points)
      const lines = await readLines(getEngine(), [pick(200, [1], [price])], { range, ...rest })
      return lines.slice(1).map((line) => line.slice('S1,2024-'.length, 'S1,2024-00-00'.length))
    }
    const last = (amount: number, anchor: string): SeriesRange => ({
      kind: 'LAST',
      amount,
      unit: 'WORKING_DAYS',
      anchor: ms(anchor),
    })

    test('skips a weekend: two working days before Monday noon is Thursday noon', async () => {
      expect(await datesOf(last(2, '2024-03-11T12:00'))).toEqual(['03-08', '03-09', '03-11'])
    })

    test('from a Saturday, the previous working day is Friday and the next one Monday, at the same time of day', async () => {
      expect(await datesOf(last(1, '2024-03-09T13:00'))).toEqual(['03-09'])
      expect(await datesOf(last(1, '2024-03-09T11:00'))).toEqual(['03-08'])
      const next: SeriesRange = {
        kind: 'NEXT',
        amount: 1,
        unit: 'WORKING_DAYS',
        anchor: ms('2024-03-09T11:00'),
      }
      expect(await datesOf(next)).toEqual(['03-09'])
      expect(await datesOf({ ...next, anchor: ms('2024-03-09T12:00') })).toEqual(['03-11'])
    })

    test('without an anchor counts from the newest point, and skips holidays and another weekend', async () => {
      const range: SeriesRange = { kind: 'LAST', amount: 2, unit: 'WORKING_DAYS' }
      expect(await datesOf(range)).toEqual(['03-09', '03-11', '03-12'])
      const calendar = { weekend: [5], holidays: ['2024-03-11', '2024-03-10', '2024-03-07'] }
      expect(await datesOf(range, { calendar })).toEqual(['03-07', '03-08', '03-09', '03-11', '03-12'])
    })

    test('dates are those of the zone, and the time of day is preserved across daylight saving', async () => {
      // In New York the clocks went forward on Sunday 10 March: noon in UTC is 07:00 before and 08:00 after it.
      const inNewYork = { timeZone: 'America/New_York' }
      expect(await datesOf(last(1, '2024-03-11T11:00'), inNewYork)).toEqual(['03-09'])
      expect(await datesOf(last(1, '2024-03-11T10:59'), inNewYork)).toEqual(['03-08', '03-09'])
      // In London they went forward on Sunday 31 March.
      const inLondon = { timeZone: 'Europe/London', calendar: { weekend: [6, 7], holidays: ['2024-03-29'] } }
      const lines = await readLines(getEngine(), [pick(200, [1], [price])], {
        range: last(16, '2024-04-01T11:00'),
        ...inLondon,
      })
      expect(lines[1]).toBe('S1,2024-03-08T12:00:00,5')
      // 23:30 UTC on Sunday is Monday in Tokyo.
      expect(await datesOf(last(1, '2024-03-10T23:30'), { timeZone: 'Asia/Tokyo' })).toEqual([
        '03-08',
        '03-09',
      ])
      expect(await datesOf(last(1, '2024-03-10T23:30'))).toEqual(['03-09'])
    })

    test('a range of more working days than the calendar has extends to its end; rejects invalid calendars', async () => {
      expect(await datesOf(last(1_000_000, '2024-03-12T12:00'))).toHaveLength(dates.length)
      for (const calendar of [
        { weekend: [1, 2, 3, 4, 5, 6, 7], holidays: [] },
        { weekend: [0], holidays: [] },
        { weekend: [6], holidays: ['2024-02-30'] },
        { weekend: [6], holidays: ["2024-01-01'; DROP"] },
      ]) {
        await expect(datesOf(last(1, '2024-03-12'), { calendar })).rejects.toMatchObject({ code: 'invalid' })
      }
    })
  })
}
