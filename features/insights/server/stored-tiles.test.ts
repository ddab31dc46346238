import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent, tileTypes, type InsightContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight, updateInsight } from '../contract/index.ts'

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  await owner.call(createGroup, { body: { name: 'Energy' } })
})
afterAll(() => server.stop())

async function stored(insightName: string, tiles: object[]) {
  const content = { ...emptyContent(), tiles } as InsightContent
  await owner.call(createInsight, { body: { insightName, groupName: 'Energy', content } })
  const get = () => owner.call(getInsight, { params: { groupName: 'Energy', insightName } })
  const first = (await get()).content
  await owner.call(updateInsight, {
    body: {
      content: { ...first, colorScheme: { changed: true } },
      oldGroupName: 'Energy',
      oldInsightName: insightName,
      newGroupName: 'Energy',
      newInsightName: insightName,
    } as never,
  })
  return { first: first.tiles, second: (await get()).content.tiles }
}

test('IN-112 IN-116 IN-118 IN-119 IN-120 IN-129 every field of a tile is stored, returned and saved again unchanged', async () => {
  const tile = {
    id: 'a',
    title: 'Spot',
    type: 'Table',
    tileWidth: 'half',
    tileHeight: 'quarter',
    downloadable: false,
    hidden: true,
    actions: [
      {
        actionName: 'Approve',
        type: 'RUN_PIPELINE',
        pipelineName: 'Nightly',
        pipelineGroupName: 'Energy',
        groupName: 'Energy',
        fileType: 'SOURCE',
        fileName: 'in.csv',
      },
    ],
    partners: ['Anna'],
    source: { type: 'DATA_PREP', value: 'a' },
    codeType: 'html',
    range: 'BETWEEN',
    from: '2026-01-01',
    to: '2026-01-31',
    fromSelected: true,
    toSelected: false,
    fromTime: '06:00:00',
    toTime: '18:00:00',
    lastType: 'DAYS',
    lastTypeAmount: 7,
    dateFormat: 'dd.MM.yyyy',
    timeZone: 'Europe/Oslo',
    columns: [{ columnId: 'Close', header: 'Price' }],
    tooltipConfig: [{ value: 'Close', label: 'Price', color: '#ff0000', showInTooltip: true }],
  }
  const { first, second } = await stored('Fields', [tile])
  expect(first).toEqual([tile])
  expect(second).toEqual([tile])
})

test('IN-121 IN-126 tiles of all types are stored with their templates, code and diagrams', async () => {
  expect(tileTypes).toEqual([
    'Text',
    'Chart',
    'Table',
    'CODE',
    'FTL',
    'PDF',
    'IMAGE',
    'AUTO_PIPELINE',
    'STATUS',
    'DIAGRAM',
    'HEADER',
    'FOOTER',
    'MAP',
    'INPUT_PARAMS',
    'SEARCH',
    'STATS',
  ])
  // An older name of CODE is upgraded, and parameters are stored separately.
  const visualisations = tileTypes.filter((type) => type !== 'FTL' && type !== 'INPUT_PARAMS')
  const tiles = visualisations.map((type) => ({
    id: type,
    title: type,
    type,
    templateContent: '# Words',
    templateId: 'template-1',
    ftlContent: '<p>${words}</p>',
    diagram: { nodes: [{ id: 'n' }], positions: { n: [150, 200] }, links: [] },
  }))
  const { first, second } = await stored('Kinds', [
    ...tiles,
    { id: 'old', title: 'Old code', type: 'FTL', ftlContent: '<p>${words}</p>' },
    { id: 'p1', title: 'Choose', type: 'INPUT_PARAMS', keys: [] },
  ])
  expect(second).toEqual(first)
  for (const tile of tiles) expect(first.find(({ id }) => id === tile.id)).toMatchObject(tile)
  expect(first.find(({ id }) => id === 'old')).toMatchObject({ type: 'CODE' })
  expect(first.map(({ id }) => id)).not.toContain('p1')
})
