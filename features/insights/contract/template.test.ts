import { expect, test } from 'vitest'
import { emptyContent } from '@headwater/tile-data/contract'
import { filledTemplate, parseTemplateParams, templateDefinition, templateOutput } from './template.ts'

test('IN-367 the files of a template end in .csv, .md, .pdf or .jpg', () => {
  for (const fileName of ['rows.csv', 'Words.MD', 'pages.pdf', 'map.jpg'])
    expect(templateOutput.parse({ fileName })).toMatchObject({ fileName, groupName: '' })
  for (const fileName of ['run.sh', 'map.png', 'csv', 'rows.csv.exe'])
    expect(templateOutput.safeParse({ fileName }).error?.issues[0]?.message).toBe(
      'The files of a template must end in .csv, .md, .pdf, .jpg.',
    )
})

test('IN-364 CSV outputs fill tiles and input parameters; texts, PDFs and pictures become files of tiles', () => {
  const tiles = [
    { id: 'r', title: 'Rows', type: 'Table' },
    { id: 'w', title: 'Words', type: 'Text', source: { type: 'EDITOR' }, templateContent: 'soon' },
    { id: 'p', title: 'Pages', type: 'PDF' },
  ]
  const inputParams = { p1: { keys: [{ symbolKey: 'Code', defaultValue: '' }] } }
  const definition = templateDefinition.parse({ insight: { ...emptyContent(), tiles, inputParams } })
  const tileOfFile = (fileName: string, tileId: string) => ({
    output: { groupName: 'Archive', fileName, tileId },
    header: [],
    rows: [],
    text: '',
  })
  const content = filledTemplate(definition, new Map(), [
    { ...tileOfFile('rows.csv', 'r'), text: 'A\n1\n' },
    tileOfFile('words.md', 'w'),
    tileOfFile('pages.pdf', 'p'),
    {
      output: { groupName: 'Archive', fileName: 'first.csv', inputParamsId: 'p1' },
      header: ['Code'],
      rows: [['WTI'], ['Brent']],
      text: '',
    },
  ])
  expect(content.inputParams).toEqual({ p1: { keys: [{ symbolKey: 'Code', defaultValue: 'WTI' }] } })
  const fileOf = (fileName: string) => ({ type: 'FILE', value: { groupName: 'Archive', fileName } })
  expect(content.tiles).toMatchObject([
    { source: { type: 'EDITOR' }, dataContent: 'A\n1\n' },
    { source: fileOf('words.md') },
    { source: fileOf('pages.pdf') },
  ])
})

test('IN-364 a template parameter sets the initial value of the input parameter with the same label', () => {
  const definition = templateDefinition.parse({
    parameters: [{ name: 'Stock' }, { name: 'region', defaultValue: 'North' }],
    insight: {
      ...emptyContent(),
      tiles: [
        {
          id: 't',
          type: 'Chart',
          title: '{{Stock}} of {{region}}',
          chartTitle: '{{Stock}} of {{region}}',
          series: [{ label: '{{Stock}}', column: 'Close', symbolList: [{ Ticker: '{{Stock}}' }] }],
        },
      ],
      inputParams: {
        p1: {
          keys: [{ symbolKey: 'Ticker', label: 'Stock', defaultValue: 'MSFT' }, { symbolKey: 'Region' }],
        },
        p2: {
          fileColumns: [
            { column: 'Day', valueType: 'DATE' },
            { column: 'City', label: 'Stock' },
          ],
        },
        damaged: 7,
      },
    },
  })
  const made = (text: string) => filledTemplate(definition, parseTemplateParams(text), [])
  const { tiles, inputParams } = made('Stock=IBM|region=South|Region=EU|Day=2026-01-01..2026-01-31')
  // values replace names in titles, but not in texts that follow the input parameters
  expect(tiles[0]).toMatchObject({
    title: 'IBM of South',
    chartTitle: '{{Stock}} of South',
    series: [{ label: '{{Stock}}', symbolList: [{ Ticker: 'IBM' }] }],
  })
  expect(inputParams).toEqual({
    p1: {
      keys: [
        { symbolKey: 'Ticker', label: 'Stock', defaultValue: 'IBM' },
        { symbolKey: 'Region', defaultValue: 'EU' },
      ],
    },
    p2: {
      fileColumns: [
        { column: 'Day', valueType: 'DATE', defaultValueFrom: '2026-01-01', defaultValueTo: '2026-01-31' },
        { column: 'City', label: 'Stock', defaultValue: 'IBM' },
      ],
    },
    damaged: 7,
  })
  expect(made('').inputParams).toEqual(definition.insight.inputParams)
})

test('code that contains values from the URL is marked; code with default values and texts are not', () => {
  const tile = (type: string, templateContent: string) => ({
    id: templateContent,
    type,
    title: '',
    templateContent,
  })
  const definition = templateDefinition.parse({
    parameters: [{ name: 'a', defaultValue: '1' }, { name: 'b' }],
    insight: {
      ...emptyContent(),
      tiles: [tile('CODE', '{{a}}'), tile('CODE', '{{b}}'), tile('CODE', 'c'), tile('Text', '{{b}}')],
    },
  })
  const marked = filledTemplate(definition, parseTemplateParams('b=2'), []).tiles.map(
    ({ templateContent, codeFromLink }) => [templateContent, codeFromLink],
  )
  expect(marked).toEqual([
    ['1', undefined],
    ['2', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['c', undefined],
    ['2', undefined],
  ])
})
