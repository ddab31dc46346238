import { describe, expect, test } from 'vitest'
import { SEASON_STARTS, seasonalRange, seasonality } from './seasonality.ts'

const days = (...list: string[]) => ({ x: list.map((text) => Date.parse(text)), y: list.map((_, i) => i) })
const now = Date.parse('2026-08-18')
const positions = (season: { x: Float64Array }) =>
  [...season.x].map((at) => new Date(at).toISOString().slice(5, 10))

describe('IN-190 seasonality', () => {
  test('IN-190 the options are the twelve months, the current month, and the first and last recorded date', () => {
    expect(SEASON_STARTS).toEqual([
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
      'Current month',
      'First recorded date',
      'Last recorded date',
    ])
  })

  test('IN-190 January: one series per calendar year, days at the same position in each', () => {
    const seasons = seasonality(days('2023-12-31', '2024-01-01', '2024-03-01', '2025-03-01'), 'January', {
      now,
    })
    expect(seasons.map(({ label }) => label)).toEqual(['2023', '2024', '2025'])
    expect(positions(seasons[1]!)).toEqual(['01-01', '03-01'])
    expect(seasons[1]!.x[1]).toBe(seasons[2]!.x[0])
    expect([...seasons[1]!.y]).toEqual([1, 2])
  })

  test.each(SEASON_STARTS.slice(0, 12))(
    'IN-190 %s: positions ascend through the season, including 29 February',
    (start) => {
      const first = Date.UTC(2023, 0, 1)
      const x = Array.from({ length: 900 }, (_, i) => first + i * 86_400_000)
      for (const season of seasonality({ x, y: x }, start, { now })) {
        for (let i = 1; i < season.x.length; i++) expect(season.x[i]! - season.x[i - 1]!).toBeGreaterThan(0)
        expect(season.x.at(-1)! - season.x[0]!).toBeLessThan(366 * 86_400_000)
        expect([...season.y].map((at) => new Date(at).toISOString().slice(5, 10))).toEqual(positions(season))
      }
    },
  )

  test('IN-190 another month: the label contains both years', () => {
    const seasons = seasonality(days('2024-06-30', '2024-07-01', '2025-06-30', '2025-07-01'), 'July', { now })
    expect(seasons.map(({ label, y }) => [label, [...y]])).toEqual([
      ['2023/24', [0]],
      ['2024/25', [1, 2]],
      ['2025/26', [3]],
    ])
  })

  test('IN-190 seasons can start at the current month and at the first and last recorded date', () => {
    const points = days('2024-03-15', '2025-03-14', '2025-03-15', '2025-08-01', '2025-10-09')
    const values = (start: (typeof SEASON_STARTS)[number]) =>
      seasonality(points, start, { now }).map(({ y }) => [...y])
    expect(values('Current month')).toEqual([[0], [1, 2], [3, 4]])
    expect(values('First recorded date')).toEqual([
      [0, 1],
      [2, 3, 4],
    ])
    expect(values('Last recorded date')).toEqual([[0], [1, 2, 3, 4]])
  })

  test('IN-190 days start in the zone', () => {
    const [season] = seasonality(days('2024-12-31T23:30:00Z'), 'January', { now, timeZone: 'Europe/Berlin' })
    expect(season!.label).toBe('2025')
  })

  test('the current month depends on the time zone', () => {
    const seasons = seasonality(days('2026-03-15', '2026-04-02'), 'Current month', {
      now: Date.parse('2026-03-31T23:30:00Z'),
      timeZone: 'Europe/Berlin',
    })
    expect(seasons.map(({ label }) => label)).toEqual(['2025/26', '2026/27'])
  })

  test('IN-190 without data there is no season', () => {
    expect(seasonality({ x: [], y: [] }, 'May', { now })).toEqual([])
    expect(seasonality({ x: [NaN], y: [1] }, 'May', { now })).toEqual([])
  })
})

describe('the range of earlier years', () => {
  const monthly = (from: number, to: number, valueOf: (year: number, month: number) => number) => {
    const at = Array.from(
      { length: (to - from + 1) * 12 },
      (_, i) => [from + Math.floor(i / 12), i % 12] as const,
    )
    return {
      x: at.map(([year, month]) => Date.UTC(year, month, 15)),
      y: at.map(([year, month]) => valueOf(year, month)),
    }
  }

  test('contains the minimum, maximum and mean of the five years before the newest one', () => {
    const seasons = seasonality(
      monthly(2018, 2025, (year, month) => (year - 2000) * 10 + month),
      'January',
      { now },
    )
    const range = seasonalRange(seasons)!
    expect(range.label).toBe('2020–2024')
    expect(positions(range)).toEqual(positions(seasons[0]!))
    expect([range.low[3], range.high[3], range.mean[3]]).toEqual([203, 243, 223])
  })

  test('skips years without data; fewer than two years give no range', () => {
    const all = monthly(2018, 2025, (year) => year)
    const without = (...years: number[]) => {
      const isRemaining = all.y.map((year) => !years.includes(year))
      return seasonality(
        { x: all.x.filter((_, i) => isRemaining[i]), y: all.y.filter((_, i) => isRemaining[i]) },
        'January',
        { now },
      )
    }
    expect(seasonalRange(without(2020, 2022))).toMatchObject({ label: '2021–2024' })
    expect(seasonalRange(without(2020, 2022))!.mean[0]).toBeCloseTo((2021 + 2023 + 2024) / 3)
    expect(seasonalRange(without(2020, 2021, 2022, 2023))).toBeUndefined()
    expect(seasonalRange([])).toBeUndefined()
  })

  test('interpolates a day that is missing in one year, even across the turn of the year', () => {
    const points = {
      x: ['2022-12-30', '2023-01-03', '2023-07-01', '2024-01-01', '2024-01-03', '2025-01-01'].map(Date.parse),
      y: [10, 14, 20, 2, 4, 9],
    }
    const range = seasonalRange(seasonality(points, 'January', { now }))!
    expect(range.label).toBe('2022–2024')
    const first = positions(range).indexOf('01-01')
    expect([range.low[first], range.high[first]]).toEqual([2, 12])
    const third = positions(range).indexOf('01-03')
    expect([range.low[third], range.high[third], range.mean[third]]).toEqual([4, 14, 9])
  })

  test('the range of an interpolated day has at most as many decimals as the values', () => {
    const points = {
      x: ['2022-01-01', '2022-01-04', '2023-01-02', '2023-01-04', '2024-01-01'].map(Date.parse),
      y: [1.25, 2.5, 1, 4, 1],
    }
    const range = seasonalRange(seasonality(points, 'January', { now }))!
    const second = positions(range).indexOf('01-02')
    expect([range.low[second], range.high[second]]).toEqual([1, 1.67])
  })

  test('uses the years that have values, and leaves a gap if there are none', () => {
    const y = (year: number, month: number) => (month === 5 || (month === 2 && year === 2023) ? NaN : year)
    const range = seasonalRange(seasonality(monthly(2022, 2025, y), 'January', { now }))!
    expect([range.low[2], range.high[2]]).toEqual([2022, 2024])
    expect([range.low[5], range.high[5], range.mean[5]]).toEqual([NaN, NaN, NaN])
  })
})
