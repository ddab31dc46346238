import { expect, test } from 'vitest'
import { pipelineTask } from '../../contract/index.ts'
import { runValues } from './run-values.ts'

const reference = '${0d3b1c7e-4f5a-4a52-9a2f-2d6c8b0f5e11}'

test('values are named by the output and task that provide them, and files and data preps by their names', () => {
  const params = [{ name: 'File', type: 'OUTPUT', value: reference }]
  const fetched = { id: 'a', taskReadableName: 'Fetch', taskName: 'store-file', taskOverrides: { params } }
  const file = JSON.stringify({ id: 'f1', name: 'daily.csv', groupName: 'Prices' })
  const values = [
    { name: 'Last day', value: '2026-01-31' },
    { name: reference, value: file },
  ]
  expect(runValues(values, [pipelineTask.parse(fetched)])).toEqual([
    { name: reference, value: file, label: 'File of Fetch', nodeId: 'a', text: 'daily.csv', objectId: 'f1' },
    {
      name: 'Last day',
      value: '2026-01-31',
      label: 'Last day',
      nodeId: undefined,
      text: '2026-01-31',
      objectId: undefined,
    },
  ])
  expect(runValues(values, []).map(({ label }) => label)).toEqual(['Last day', reference])
})
