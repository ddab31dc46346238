import { compileExpression, x } from '@headwater/formula/testing'
import { describe, expect, test } from 'vitest'
import type { ValueFilter } from '../src/query-options.ts'
import type { SeriesEngine } from '../src/series-engine.ts'
import type { Selection, SeriesQuery } from '../src/series-query.ts'
import { ms, pick, price, readJson, readLines, settled, status, storePoints, volume } from './spec-points.ts'

/** Tests filters, shifts, version texts, empty columns and statistics. */
export function describeChoosing(getEngine: () => SeriesEngine): void {
  test('distinguishes adjacent symbols of many long characters', async () => {
    await getEngine().dropDataset(240)
    const sids = Array.from({ length: 400 }, (_, index) => index + 1)
    await storePoints(
      getEngine(),
      240,
      1,
      [price],
      sids.map((sid) => [sid, '2023-01-01', sid] as const),
    )
    const series = sids.map((sid) => ({ sid, symbols: [`${'語'.repeat(35)}${sid}`] }))
    const lines = await readLines(getEngine(), [{ dataset: 240, series, columns: [price] }])
    expect(lines).toHaveLength(401)
    expect(lines.at(-1)).toBe(`${'語'.repeat(35)}400,2023-01-01T00:00:00,400`)
  })

  test('rejects more than 100 different offsets and fillings before it reads anything', async () => {
    const selections = Array.from({ length: 101 }, (_, index) =>
      pick(240, [1], [price], { shift: { amount: index + 1, unit: 'DAYS' } }),
    )
    await expect(getEngine().query({ symbolKeys: ['Code'], selections })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('101 different offsets'),
    })
  })

  test('100 different offsets are returned, even beside a selection without series', async () => {
    await storePoints(getEngine(), 271, 1, [price], [[1, '2023-01-01', 5]])
    const selections = Array.from({ length: 100 }, (_, index) =>
      pick(271, [1], [price], { shift: { amount: index + 1, unit: 'DAYS' } }),
    )
    const lines = await readLines(getEngine(), [pick(271, [], [price]), ...selections])
    expect(lines).toHaveLength(101)
  })

  test('hours and days of the week apply to the local time of shifted timestamps', async () => {
    await storePoints(
      getEngine(),
      349,
      1,
      [price],
      [
        [1, '2024-03-29T07:00', 1],
        [1, '2024-03-31T05:59:59.999', 2],
        [1, '2024-03-31T06:00', 3],
        [1, '2024-04-01T17:59:59.999', 4],
        [1, '2024-04-01T18:00', 5],
      ],
    )
    const valuesOf = async (rest: Partial<SeriesQuery>, shift?: Selection['shift']) => {
      const selection = pick(349, [1], [price], shift ? { shift } : {})
      const lines = await readLines(getEngine(), [selection], { timeZone: 'Europe/Warsaw', ...rest })
      return lines.slice(1).map((line) => line.split(',').at(-1)!)
    }
    const peak = [{ from: 8 * 60, to: 20 * 60 }]
    expect(await valuesOf({ hours: peak })).toEqual(['1', '3', '4'])
    expect(await valuesOf({ hours: [{ from: 20 * 60, to: 8 * 60 }] })).toEqual(['2', '5'])
    expect(await valuesOf({ hours: peak, weekdays: [1] })).toEqual(['4'])
    expect(await valuesOf({ hours: peak }, { amount: 1, unit: 'HOURS' })).toEqual(['1', '2', '3'])
    expect(await valuesOf({ weekdays: [7] }, { amount: -1, unit: 'DAYS' })).toEqual(['4', '5'])
    const newest = { kind: 'LAST', amount: 1, unit: 'VALUES' } as const
    expect(await valuesOf({ weekdays: [7], range: newest })).toEqual(['3'])
    const inputs = [{ dataset: 349, sid: 1, column: price }]
    const formula = { inputs, join: 'inner', expression: compileExpression(x(0)) } as const
    const computed = pick(349, [2], [price], { formula })
    const friday = { weekdays: [5], range: newest, timeZone: 'Europe/Warsaw' }
    expect(await readLines(getEngine(), [computed], friday)).toContain('S2,2024-03-29T08:00:00,1')
    const newestDay = { kind: 'LAST', amount: 1, unit: 'DAYS' } as const
    expect(await valuesOf({ weekdays: [5, 7], range: newestDay })).toEqual(['2', '3'])
    for (const rest of [
      { hours: [] },
      { hours: [{ from: 0, to: 1441 }] },
      { weekdays: [] },
      { weekdays: [0] },
    ])
      await expect(valuesOf(rest), JSON.stringify(rest)).rejects.toMatchObject({ code: 'invalid' })
  })

  describe('filters', () => {
    const columns = [price, volume, status, settled]
    async function days(...filters: ValueFilter[]): Promise<string> {
      await getEngine().dropDataset(240)
      await storePoints(getEngine(), 240, 1, columns, [
        [1, '2023-01-01', -2.5, 1, 'Apfel', ms('2023-02-01')],
        [1, '2023-01-02', 0, 2, 'banane', ms('2023-02-02')],
        [1, '2023-01-03', 2.5, null, 'ÄPFEL', null],
        [1, '2023-01-04', null, 4, null, ms('2023-02-04')],
      ])
      const lines = await readLines(getEngine(), [pick(240, [1], columns)], { filters })
      return lines
        .slice(1)
        .map((line) => line.slice('S1,2023-01-0'.length)[0])
        .join('')
    }

    test.each<[string, string, ValueFilter['operator'], ValueFilter['value']]>([
      ['2', 'Price', 'equals', 0],
      ['134', 'Price', 'notEquals', 0],
      ['1', 'Price', 'less', 0],
      ['12', 'Price', 'lessOrEqual', '0'],
      ['3', 'Price', 'greater', 0],
      ['23', 'Price', 'greaterOrEqual', 0],
      ['13', 'Price', 'in', [-2.5, '2.5', 7]],
      ['2', 'Price', 'in', [-0]],
      ['4', 'Price', 'isEmpty', undefined],
      ['124', 'Volume', 'isNotEmpty', undefined],
      ['4', 'Volume', 'greater', 2.5],
      ['2', 'Settled', 'equals', ms('2023-02-02')],
      ['4', 'Settled', 'greater', ms('2023-02-02')],
      ['3', 'Status', 'equals', 'ÄPFEL'],
      ['13', 'Status', 'contains', 'pfel'],
      ['3', 'Status', 'startsWith', 'äp'],
      ['2', 'Status', 'endsWith', 'ANE'],
      ['13', 'Status', 'in', ['Apfel', 'ÄPFEL', "'); DROP"]],
      ['1', 'Status', 'less', 'b'],
      ['', 'Status', 'in', []],
      ['', 'Unknown', 'equals', 1],
      ['1234', 'Unknown', 'isEmpty', undefined],
      ['1234', 'Unknown', 'notEquals', 'x'],
    ])('the days %j meet the filter %s %s %j', async (expected, column, operator, value) => {
      expect(await days({ column, operator, ...(value === undefined ? {} : { value }) })).toBe(expected)
    })

    test('a range of days ends at the newest point that meets the filters', async () => {
      await days()
      const run = (filters: ValueFilter[], selections = [pick(240, [1], columns)]) =>
        readLines(getEngine(), selections, { filters, range: { kind: 'LAST', amount: 2, unit: 'DAYS' } })
      const dates = (lines: string[]) => lines.slice(1).map((line) => line.slice(0, 'S1,2023-01-01'.length))
      expect(dates(await run([]))).toEqual(['S1,2023-01-03', 'S1,2023-01-04'])
      const smallPrice: ValueFilter = { column: 'Price', operator: 'lessOrEqual', value: 0 }
      expect(dates(await run([smallPrice]))).toEqual(['S1,2023-01-01', 'S1,2023-01-02'])
      const moved = pick(240, [1], columns, { shift: { amount: 1, unit: 'MONTHS' } })
      expect(dates(await run([smallPrice], [moved]))).toEqual(['S1,2023-02-01', 'S1,2023-02-02'])
      expect(dates(await run([{ ...smallPrice, operator: 'greater', value: 99 }]))).toEqual([])
    })

    test('points must meet all filters, which apply before the newest points are selected', async () => {
      const filters: ValueFilter[] = [
        { column: 'Volume', operator: 'less', value: 4 },
        { column: 'Price', operator: 'lessOrEqual', value: 0 },
      ]
      expect(await days(...filters)).toBe('12')
      const last = { kind: 'LAST', amount: 1, unit: 'VALUES' } as const
      const lines = await readLines(getEngine(), [pick(240, [1], columns)], { filters, range: last })
      expect(lines[1]).toContain('2023-01-02')
    })

    test('filters apply to the current version of a point', async () => {
      await days()
      await storePoints(getEngine(), 240, 2, columns, [[1, '2023-01-01', 9, null, null, null]])
      const filters: ValueFilter[] = [{ column: 'Price', operator: 'less', value: 0 }]
      expect(await readLines(getEngine(), [pick(240, [1], columns)], { filters })).toHaveLength(1)
    })

    test('with several columns of one name, “not equal” and “is empty” must hold for all of them, other conditions for any', async () => {
      await getEngine().dropDataset(240)
      const notes = [
        { ...price, name: 'Note' },
        { ...status, name: 'Note' },
      ]
      await storePoints(getEngine(), 240, 1, notes, [
        [1, '2023-01-01', 7, null],
        [1, '2023-01-02', null, 'storm'],
        [1, '2023-01-03', 8, 'calm'],
      ])
      const daysOf = async (operator: ValueFilter['operator'], value?: ValueFilter['value']) => {
        const filters = [{ column: 'Note', operator, ...(value === undefined ? {} : { value }) }]
        const lines = await readLines(getEngine(), [pick(240, [1], notes)], { filters })
        return lines.slice(1).map((line) => line.slice('S1,2023-01-'.length, 'S1,2023-01-01'.length))
      }
      expect(await daysOf('equals', 'storm')).toEqual(['02'])
      expect(await daysOf('notEquals', 'storm')).toEqual(['01', '03'])
      expect(await daysOf('equals', 7)).toEqual(['01'])
      expect(await daysOf('notEquals', 7)).toEqual(['02', '03'])
      expect(await daysOf('isNotEmpty')).toEqual(['01', '02', '03'])
      expect(await daysOf('isEmpty')).toEqual([])
    })

    test.each<ValueFilter>([
      { column: 'Price', operator: 'contains', value: '1' },
      { column: 'Price', operator: 'equals', value: 'one' },
      { column: 'Price', operator: 'equals', value: '' },
      { column: 'Price', operator: 'equals' },
      { column: 'Price', operator: 'in', value: 1 },
      { column: 'Price', operator: 'equals', value: [1] },
      { column: 'Settled', operator: 'less', value: Number.NaN },
      { column: 'Status', operator: 'in', value: Array.from({ length: 10_001 }, () => 'x') },
    ])('rejects the filter %j', async (filter) => {
      await expect(days(filter)).rejects.toMatchObject({ code: 'invalid' })
    })
  })

  describe('shifted timestamps', () => {
    async function moved(
      shift: NonNullable<Selection['shift']>,
      instants: readonly string[],
      rest: Parameters<typeof readLines>[2] = {},
    ): Promise<string[]> {
      await getEngine().dropDataset(241)
      await storePoints(
        getEngine(),
        241,
        1,
        [price],
        instants.map((instant, index) => [1, instant, index] as const),
      )
      const lines = await readLines(getEngine(), [pick(241, [1], [price], { shift })], rest)
      return lines.slice(1).map((line) => line.slice('S1,'.length))
    }

    test('months end on the last day if they are too short; of equal timestamps the later point wins', async () => {
      const days = ['2023-01-28', '2023-01-29T10:00', '2023-01-31T10:00', '2023-01-31T09:00', '2023-02-01']
      expect(await moved({ amount: 1, unit: 'MONTHS' }, days)).toEqual([
        '2023-02-28T00:00:00,0',
        '2023-02-28T09:00:00,3',
        '2023-02-28T10:00:00,2',
        '2023-03-01T00:00:00,4',
      ])
      expect(await moved({ amount: 1, unit: 'YEARS' }, ['2024-02-28', '2024-02-29'])).toEqual([
        '2025-02-28T00:00:00,1',
      ])
    })

    test('the last millisecond of a month before 1970 belongs to that month', async () => {
      const last = '1801-02-28T23:59:59.999'
      expect(await moved({ amount: 21, unit: 'MONTHS' }, [last, '1801-03-01'])).toEqual([
        '1802-11-28T23:59:59.999,0',
        '1802-12-01T00:00:00,1',
      ])
      expect(await moved({ amount: 3, unit: 'YEARS' }, [last])).toEqual(['1804-02-28T23:59:59.999,0'])
      // Warsaw: 23:59:59.999 in winter is 22:59:59.999 in UTC.
      const inWarsaw = { timeZone: 'Europe/Warsaw' }
      for (const [unit, to] of [
        ['MONTHS', '1957-03-28T23:59:59.999,0'],
        ['DAYS', '1957-03-01T23:59:59.999,0'],
        ['WEEKS', '1957-03-07T23:59:59.999,0'],
      ] as const)
        expect(await moved({ amount: 1, unit }, ['1957-02-28T22:59:59.999'], inWarsaw)).toEqual([to])
    })

    test('the range applies to shifted timestamps', async () => {
      const days = ['2023-01-01', '2023-01-02', '2023-01-03']
      const range = { kind: 'BETWEEN', from: ms('2023-01-03'), to: ms('2023-01-04') } as const
      expect(await moved({ amount: 2, unit: 'DAYS' }, days, { range })).toEqual([
        '2023-01-03T00:00:00,0',
        '2023-01-04T00:00:00,1',
      ])
      const last = { kind: 'LAST', amount: 1, unit: 'VALUES' } as const
      for (const shift of [
        { amount: -90, unit: 'MINUTES' },
        { amount: -1, unit: 'MONTHS' },
      ] as const) {
        const lines = await moved(shift, days, { range: last, order: 'desc' })
        expect(lines).toEqual([shift.unit === 'MINUTES' ? '2023-01-02T22:30:00,2' : '2022-12-03T00:00:00,2'])
      }
    })

    test('days preserve the time of day across daylight saving, hours do not', async () => {
      // London, 25 March 2023 12:00 is 12:00 in UTC, a day later it is 11:00.
      const inLondon = { timeZone: 'Europe/London' }
      expect(await moved({ amount: 1, unit: 'DAYS' }, ['2023-03-25T12:00'], inLondon)).toEqual([
        '2023-03-26T12:00:00,0',
      ])
      expect(await moved({ amount: 24, unit: 'HOURS' }, ['2023-03-25T12:00'], inLondon)).toEqual([
        '2023-03-26T13:00:00,0',
      ])
      const inNewYork = { timeZone: 'America/New_York' }
      expect(await moved({ amount: -1, unit: 'WEEKS' }, ['2023-03-13T16:00'], inNewYork)).toEqual([
        '2023-03-06T12:00:00,0',
      ])
    })

    test('a time skipped by daylight saving moves forward and replaces a point there', async () => {
      // In Warsaw, clocks go from 02:00 to 03:00 on 29 March 2026 at 01:00 UTC.
      const inWarsaw = { timeZone: 'Europe/Warsaw' }
      const hours = [0, 1, 2, 3].map((hour) => new Date(Date.UTC(2026, 2, 28, hour)).toISOString())
      const sunday = ['2026-03-29T01:00:00,0', '2026-03-29T03:00:00,2', '2026-03-29T04:00:00,3']
      expect(await moved({ amount: 1, unit: 'DAYS' }, hours, inWarsaw)).toEqual(sunday)
      expect(
        await moved({ amount: 1, unit: 'WORKING_DAYS' }, hours, {
          ...inWarsaw,
          calendar: { weekend: [], holidays: [] },
        }),
      ).toEqual(sunday)
      const half = '2026-03-29T03:30:00,0'
      expect(await moved({ amount: 1, unit: 'DAYS' }, ['2026-03-28T01:30'], inWarsaw)).toEqual([half])
      expect(await moved({ amount: -1, unit: 'WEEKS' }, ['2026-04-05T00:30'], inWarsaw)).toEqual([half])
      expect(
        await moved({ amount: 1, unit: 'MONTHS' }, ['2026-02-28T23:30', '2026-03-01T01:30'], inWarsaw),
      ).toEqual(['2026-04-01T00:30:00,0', '2026-04-01T02:30:00,1'])
      expect(await moved({ amount: -2, unit: 'MONTHS' }, ['2026-05-29T00:30'], inWarsaw)).toEqual([half])
      expect(await moved({ amount: 1, unit: 'YEARS' }, ['2025-03-29T01:30'], inWarsaw)).toEqual([half])
      // Zones that change at midnight, change by half an hour, or skipped a whole day.
      for (const [timeZone, from, to] of [
        ['America/Sao_Paulo', '2018-11-03T03:30', '2018-11-04T01:30:00,0'],
        ['Australia/Lord_Howe', '2023-09-29T15:45', '2023-10-01T02:45:00,0'],
        ['Pacific/Apia', '2011-12-29T20:00', '2011-12-31T10:00:00,0'],
      ] as const)
        expect(await moved({ amount: 1, unit: 'DAYS' }, [from], { timeZone })).toEqual([to])
    })

    test('a range is exact across a daylight saving change', async () => {
      // In London 12:00 is 12:00 in UTC on 25 March 2023, and 11:00 a day later.
      const range = { kind: 'BETWEEN', from: ms('2023-03-26T11:00'), to: ms('2023-03-26T11:30') } as const
      const days = ['2023-03-25T11:00', '2023-03-25T12:00', '2023-03-25T12:30', '2023-03-25T13:00']
      const inLondon = { timeZone: 'Europe/London', range }
      expect(await moved({ amount: 1, unit: 'DAYS' }, days, inLondon)).toEqual([
        '2023-03-26T12:00:00,1',
        '2023-03-26T12:30:00,2',
      ])
    })

    test('working days skip weekends and holidays', async () => {
      const days = ['2023-01-06T08:00', '2023-01-07T09:00', '2023-01-09T08:00']
      expect(await moved({ amount: 1, unit: 'WORKING_DAYS' }, days)).toEqual([
        '2023-01-09T08:00:00,0',
        '2023-01-09T09:00:00,1',
        '2023-01-10T08:00:00,2',
      ])
      const calendar = { weekend: [6, 7], holidays: ['2023-01-05'] }
      expect(await moved({ amount: -1, unit: 'WORKING_DAYS' }, days, { calendar })).toEqual([
        '2023-01-04T08:00:00,0',
        '2023-01-06T08:00:00,2',
        '2023-01-06T09:00:00,1',
      ])
    })

    test('rejects invalid amounts, and corrections', async () => {
      for (const amount of [0, 1.5, 1_000_001]) {
        await expect(moved({ amount, unit: 'DAYS' }, [])).rejects.toMatchObject({ code: 'invalid' })
      }
      const shift = { amount: 1, unit: 'DAYS' } as const
      await expect(moved(shift, [], { corrections: 'only' })).rejects.toMatchObject({ code: 'invalid' })
      expect(await moved({ amount: -1_000_000, unit: 'YEARS' }, ['2023-01-01'])).toEqual([])
    })
  })

  describe('version texts', () => {
    test('each point has the text of its version, inline or from a temporary table', async () => {
      await storePoints(
        getEngine(),
        242,
        10,
        [price],
        [
          [1, '2023-01-01', 1],
          [1, '2023-01-02', 2],
        ],
      )
      await storePoints(getEngine(), 242, 20, [price], [[1, '2023-01-02', 3]])
      await storePoints(getEngine(), 242, 30, [price], [[1, '2023-01-03', 4]])
      const some = [
        [10, 'a "b", c'],
        [20, 'second'],
      ] as const
      const many = Array.from({ length: 100_000 }, (_, index) => [1000 + index, `file ${index}`] as const)
      for (const texts of [some, [...some, ...many]]) {
        const versionTexts = { name: 'FileId', texts }
        expect(await readLines(getEngine(), [pick(242, [1], [price])], { versionTexts })).toEqual([
          'Code,Date(UTC),Price,FileId(S)',
          'S1,2023-01-01T00:00:00,1,"a ""b"", c"',
          'S1,2023-01-02T00:00:00,3,second',
          'S1,2023-01-03T00:00:00,4,',
        ])
        const standard = await readJson(getEngine(), [pick(242, [1], [price])], {
          versionTexts,
          format: 'STANDARD',
        })
        expect(standard.values.map((row) => row.FileId)).toEqual(['a "b", c', 'second', null])
        const ui = await readJson(getEngine(), [pick(242, [1], [price])], { versionTexts, format: 'UI' })
        expect(ui.values[0]!.columns).toEqual({ Price: [1, 3, 4], FileId: ['a "b", c', 'second', null] })
      }
      const history = await readLines(getEngine(), [pick(242, [1], [price])], {
        versionTexts: { name: 'FileId', texts: some },
        corrections: 'history',
        limit: 1,
        offset: 1,
      })
      expect(history[1]).toBe('S1,2023-01-02T00:00:00,2,"a ""b"", c",1970-01-01T00:00:00')
    })
  })

  describe('columns without values', () => {
    test('are omitted, even if a filter uses them', async () => {
      await storePoints(
        getEngine(),
        243,
        1,
        [price, volume, status],
        [
          [1, '2023-01-01', null, 1, null],
          [2, '2023-01-01', null, null, 'x'],
        ],
      )
      const run = (sids: number[], rest = {}) =>
        readLines(getEngine(), [pick(243, sids, [price, volume, status])], {
          skipEmptyColumns: true,
          ...rest,
        })
      expect(await run([1, 2])).toEqual([
        'Code,Date(UTC),Volume(I),Status(S)',
        'S1,2023-01-01T00:00:00,1,',
        'S2,2023-01-01T00:00:00,,x',
      ])
      expect(await run([1], { filters: [{ column: 'Status', operator: 'isEmpty' }] })).toEqual([
        'Code,Date(UTC),Volume(I)',
        'S1,2023-01-01T00:00:00,1',
      ])
      await storePoints(getEngine(), 243, 2, [price, volume, status], [[1, '2023-01-02', 5, null, null]])
      expect(await run([1], { filters: [{ column: 'Volume', operator: 'isEmpty' }] })).toEqual([
        'Code,Date(UTC),Price',
        'S1,2023-01-02T00:00:00,5',
      ])
      expect(await run([9])).toEqual(['Code,Date(UTC)'])
      expect(await run([1, 2], { limit: 1 })).toHaveLength(2)
    })

    test('with a window are those without a value in its rows, whether points, filled gaps or spans', async () => {
      const columns = [price, volume, status]
      await storePoints(getEngine(), 350, 1, columns, [
        [1, '2023-01-01T00:00', 1, null, null],
        [1, '2023-01-01T12:00', null, null, 'x'],
        [1, '2023-01-02T00:00', 2, null, null],
        [1, '2023-01-03T00:00', null, 7, null],
        [1, '2023-01-04T00:00', null, 8, null],
        [2, '2023-01-01T00:00', null, null, 'y'],
        [2, '2023-01-04T00:00', null, 3, null],
      ])
      const run = (selections: Selection[], rest: Partial<SeriesQuery>) =>
        readLines(getEngine(), selections, { skipEmptyColumns: true, ...rest })
      const range = { kind: 'LAST', amount: 3, unit: 'VALUES' } as const
      expect(await run([pick(350, [1], columns)], { range, window: { to: ms('2023-01-02') } })).toEqual([
        'Code,Date(UTC),Price',
        'S1,2023-01-02T00:00:00,2',
      ])
      const filled = pick(350, [1], columns, { fill: { kind: 'next' } })
      const window = { from: ms('2023-01-03') }
      expect(await run([filled, pick(350, [2], [status, volume])], { window })).toEqual([
        'Code,Date(UTC),Volume(I)',
        'S1,2023-01-03T00:00:00,7',
        'S1,2023-01-04T00:00:00,8',
        'S2,2023-01-04T00:00:00,3',
      ])
      expect(await run([filled], { window, layout: 'columns' })).toEqual([
        'Date(UTC),S1_Volume(I)',
        '2023-01-03T00:00:00,7',
        '2023-01-04T00:00:00,8',
      ])
      const firstHour = { from: ms('2023-01-01'), to: ms('2023-01-01T01:00') }
      const resample = { unit: 'DAYS', amount: 1, functions: ['last', 'count'] } as const
      for (const spans of [resample, { ...resample, fill: { kind: 'zero' } as const }])
        expect(await run([pick(350, [1], columns)], { resample: spans, window: firstHour })).toEqual([
          spans === resample
            ? 'Code,Date(UTC),Price_last,Price_count(I),Status_last(S),Status_count(I)'
            : 'Code,Date(UTC),Price_last,Price_count(I),Volume_last(I),Status_last(S),Status_count(I)',
          spans === resample ? 'S1,2023-01-01T00:00:00,1,1,x,1' : 'S1,2023-01-01T00:00:00,1,1,0,x,1',
        ])
    })
  })

  test.each([
    ['UP', 15, ['0.000000000000001', '-0.000000000000001', '0.001000000000001', '0']],
    ['CEILING', 0, ['1', '0', '1', '0']],
    ['FLOOR', 0, ['0', '-1', '0', '0']],
    ['HALF_EVEN', 2, ['0', '0', '0', '0']],
  ] as const)(
    'rounds numbers close to 0 like others: %s to %i decimals',
    async (roundingMode, decimalPrecision, expected) => {
      await getEngine().dropDataset(246)
      const values = [5e-324, -1e-30, 1.0000000000000002e-3, 0]
      await storePoints(
        getEngine(),
        246,
        1,
        [price],
        values.map((value, index) => [1, `2023-01-0${index + 1}`, value] as const),
      )
      const lines = await readLines(getEngine(), [pick(246, [1], [price])], {
        roundingMode,
        decimalPrecision,
      })
      expect(lines.slice(1).map((line) => Number(line.split(',')[2]) + 0)).toEqual(expected.map(Number))
    },
  )

  describe('statistics', () => {
    test('cover each numeric column of the whole result and are not rounded', async () => {
      await storePoints(
        getEngine(),
        244,
        1,
        [price, volume, status],
        [
          [1, '1900-01-01', 2, 9007199254740991, 'x'],
          [1, '2023-01-02', null, -9007199254740991, null],
          [1, '2023-01-03', 4, 10, null],
          [1, '2023-01-04', 9.5, null, null],
        ],
      )
      for (let round = 0; round < 5; round++) {
        const result = await readJson(getEngine(), [pick(244, [1], [price, volume, status])], {
          format: 'STANDARD',
          statistics: true,
          decimalPrecision: 0,
          limit: 1,
        })
        expect(result.statistics).toEqual({
          0: {
            first: ms('1900-01-01'),
            last: ms('2023-01-04'),
            count: 4,
            columns: {
              Price: {
                count: 3,
                min: 2,
                max: 9.5,
                mean: 15.5 / 3,
                sum: 15.5,
                stddev: expect.closeTo(3.8837, 3),
                first: 2,
                last: 9.5,
              },
              Volume: {
                count: 3,
                min: -9007199254740991,
                max: 9007199254740991,
                mean: 10 / 3,
                sum: 10,
                stddev: expect.any(Number),
                first: 9007199254740991,
                last: 10,
              },
            },
          },
        })
      }
    })
  })

  test('reads many selections one after the other, each with its own fill and shift', async () => {
    await storePoints(
      getEngine(),
      245,
      1,
      [price],
      [
        [1, '2023-01-01', 1],
        [2, '2023-01-01', 2],
      ],
    )
    const selections = Array.from({ length: 120 }, (_, index) =>
      pick(245, [1 + (index % 2)], [price], index === 3 ? { shift: { amount: 1, unit: 'DAYS' } } : {}),
    )
    const lines = await readLines(getEngine(), selections)
    expect(lines.slice(1, 6)).toEqual([
      'S1,2023-01-01T00:00:00,1',
      'S2,2023-01-01T00:00:00,2',
      'S1,2023-01-01T00:00:00,1',
      'S2,2023-01-02T00:00:00,2',
      'S1,2023-01-01T00:00:00,1',
    ])
    expect(lines).toHaveLength(121)
    const result = await readJson(getEngine(), selections.slice(0, 20), { format: 'STANDARD' })
    expect(result.values.map((row) => row.symbol)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    const tooMany = Array.from({ length: 1001 }, () => pick(245, [1], [price]))
    await expect(readLines(getEngine(), tooMany)).rejects.toMatchObject({ code: 'invalid' })
  })
}
