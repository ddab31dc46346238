import { expect, test } from 'vitest'
import { emptyContent } from './insight-content.ts'
import { filledTemplate, templateDefinition, templateOutput } from './template.ts'

test('IN-367 the files of a template end in .csv, .md, .pdf or .jpg', () => {
  for (const fileName of ['rows.csv', 'Words.MD', 'pages.pdf', 'map.jpg'])
    expect(templateOutput.parse({ fileName })).toMatchObject({ fileName, groupName: '' })
  for (const fileName of ['run.sh', 'map.png', 'csv', 'rows.csv.exe'])
    expect(templateOutput.safeParse({ fileName }).error?.issues[0]?.message).toBe(
      'The files of a template end in .csv, .md, .pdf, .jpg.',
    )
})

test('IN-364 rows fill tiles, and texts, PDFs and pictures are shown as the files they are', () => {
  const tiles = [
    { id: 'r', title: 'Rows', type: 'Table' },
    { id: 'w', title: 'Words', type: 'Text', source: { type: 'EDITOR' }, templateContent: 'soon' },
    { id: 'p', title: 'Pages', type: 'PDF' },
  ]
  const definition = templateDefinition.parse({ insight: { ...emptyContent(), tiles } })
  const shown = (fileName: string, tileId: string) => ({
    output: { groupName: 'Archive', fileName, tileId },
    header: [],
    rows: [],
    text: '',
  })
  const content = filledTemplate(definition, new Map(), [
    { ...shown('rows.csv', 'r'), text: 'A\n1\n' },
    shown('words.md', 'w'),
    shown('pages.pdf', 'p'),
  ])
  const fileOf = (fileName: string) => ({ type: 'FILE', value: { groupName: 'Archive', fileName } })
  expect(content.tiles).toMatchObject([
    { source: { type: 'EDITOR' }, dataContent: 'A\n1\n' },
    { source: fileOf('words.md') },
    { source: fileOf('pages.pdf') },
  ])
})
