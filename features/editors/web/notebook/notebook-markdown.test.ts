import { expect, test } from 'vitest'
import { notebookMarkdown } from './notebook-markdown.ts'

const json = (value: unknown) => JSON.stringify(value)

test('a notebook becomes its text, its code, and its outputs: text, errors and pictures', () => {
  const cells = [
    { cell_type: 'markdown', source: ['# Prices\n', 'of *today*'] },
    {
      cell_type: 'code',
      source: ['print("```")\n', '1 + 1'],
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['```\n'] },
        { output_type: 'execute_result', data: { 'text/html': '<b>2</b>', 'text/plain': '2' } },
        { output_type: 'display_data', data: { 'image/png': 'aGVs\nbG8=', 'text/plain': '<Figure>' } },
        { output_type: 'error', ename: 'KeyError', evalue: "'Brent'", traceback: ['x'] },
      ],
    },
    { cell_type: 'raw', source: 'as it is' },
    { cell_type: 'code', source: '', outputs: [] },
  ]
  const metadata = { language_info: { name: 'python' } }
  expect(notebookMarkdown(json({ nbformat: 4, metadata, cells }))).toEqual({
    markdown: [
      '# Prices\nof *today*',
      '````python\nprint("```")\n1 + 1\n````',
      '````\n```\n````',
      '```\n2\n```',
      '![Output](data:image/png;base64,aGVsbG8=)',
      "```\nKeyError: 'Brent'\n```",
      '```\nas it is\n```',
      '',
    ].join('\n\n'),
    cells: 4,
    displayed: 4,
  })
})

test('damaged parts of a notebook are omitted, and other texts are not notebooks', () => {
  const cells = [
    { cell_type: 'code', source: 7, outputs: 'none' },
    {
      cell_type: 'code',
      source: 'x',
      outputs: [{ output_type: 'display_data', data: { 'image/png': ')](x' } }],
    },
  ]
  expect(notebookMarkdown(json({ metadata: { language_info: { name: 'a b' } }, cells }))?.markdown).toBe(
    '\n\n```\nx\n```',
  )
  for (const text of ['', '{"a": 1}', '[]', '{"cells": [1]}', '{"cells": {}}'])
    expect(notebookMarkdown(text)).toBeUndefined()
})

test('a long notebook has its first cells, and states how many are displayed', () => {
  const cells = Array.from({ length: 5 }, () => ({ cell_type: 'markdown', source: 'x'.repeat(900_000) }))
  expect(notebookMarkdown(json({ cells }))).toMatchObject({ cells: 5, displayed: 2 })
})
