import { expect, test } from 'vitest'
import { emptyContent, type InsightContent } from '../../contract/index.ts'
import { appliedInsight } from './applied-insight.ts'
import { contentOfParts, problemOf, queryOfPart, queriesOf, type WantedRows } from './part-query.ts'

const series = (Code: string, column = 'Close') => ({
  symbols: [{ groupName: 'Prices', symbols: { Code }, valueColumnNames: [column] }],
})
const contentOf = (tiles: object[], more: object = {}) =>
  ({ ...emptyContent(), tiles, ...more }) as InsightContent
const from = (value: string) => ({ source: { type: 'SOURCE_TILE', value } })
const table = (id: string, more: object = {}) => ({ id, title: id, type: 'Table', ...more })

function requestsOf(content: InsightContent, id: string, wanted: WantedRows = {}) {
  const part = queryOfPart({ id, part: 'TILE' }, appliedInsight(content, { parameters: {} }))!
  return queriesOf(part, wanted, undefined).queries.map(({ request }) => request)
}

test('IN-332 a tile that shows the rows of another tile, without a range, queries the last 100,000 values', () => {
  const content = contentOf([table('s', from('t')), table('t')], { datapreps: { t: series('A') } })
  expect(requestsOf(content, 's')).toMatchObject([{ body: { range: 'LAST', lastTypeAmount: 100_000 } }])
  expect(requestsOf(content, 't')).toMatchObject([{ body: { range: 'LAST', lastTypeAmount: 500 } }])
})

test('a chart receives points selected for drawing, unless its rows are requested', () => {
  const line = { groupName: 'Prices', symbolList: [{ Code: 'A' }], column: 'Close' }
  const content = contentOf([{ ...table('c', { range: 'ALL' }), type: 'Chart', series: [line] }])
  expect(requestsOf(content, 'c')[0]!.body).toMatchObject({ drawPoints: 4000 })
  const [whole] = requestsOf(content, 'c', { undrawn: true, window: { from: 0, to: 1000 } })
  expect(whole).toMatchObject({
    query: { absoluteSize: 100_000 },
    body: { countRows: true, windowStart: '1970-01-01T00:00:00.000Z' },
  })
  expect(whole!.body).not.toHaveProperty('drawPoints')
})

test('the part of a definition for some tiles includes their source tiles and no other tiles', () => {
  const tiles = [table('a', from('b')), table('b', from('c')), table('c', from('a')), table('d'), table('e')]
  const content = contentOf(tiles, { datapreps: { c: series('A'), d: series('B'), e: series('C') } })
  const some = contentOfParts(content, [
    { id: 'a', part: 'TILE' },
    { id: 'd', part: 'TILE' },
    { id: 'gone', part: 'TILE' },
  ])
  expect(some.tiles.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
  expect(Object.keys(some.datapreps!)).toEqual(['c', 'd'])
})

test('a tile without a query has an error message', () => {
  const content = contentOf([
    table('none'),
    table('circle', from('circle')),
    table('typed', { source: { type: 'EDITOR' }, dataContent: 'a,b\n1,2' }),
  ])
  const insight = appliedInsight(content, { parameters: {} })
  const problem = (id: string) => problemOf(queryOfPart({ id, part: 'TILE' }, insight)!)
  expect(['none', 'circle', 'typed'].map(problem)).toEqual([
    'No data has been chosen.',
    expect.stringContaining('Circular data source'),
    expect.stringContaining('file or text'),
  ])
  expect(queryOfPart({ id: 'none', part: 'BOX' }, insight)).toBeUndefined()
})
