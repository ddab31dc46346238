import { expect, test } from 'vitest'
import { pipelineTask } from '../../contract/index.ts'
import { draftOf } from './draft.ts'
import { linkText, outputText } from './link-text.ts'

const reference = '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}'

function graphOf(taskGroup: string) {
  const common = { taskName: 'any', taskGroup }
  const tasks = [
    pipelineTask.parse({
      ...common,
      id: 'a',
      taskReadableName: 'Read tiles',
      taskOverrides: { params: [{ name: 'outputFile', type: 'OUTPUT', value: reference }] },
    }),
    pipelineTask.parse({
      ...common,
      id: 'b',
      taskReadableName: 'Send',
      taskOverrides: { params: [{ name: 'bodyFile', value: reference }] },
      prevTasks: [{ id: 'a' }],
    }),
  ]
  const pipeline = { executionMode: 'durable' as const }
  return draftOf({ batchConfig: { tasks }, payload: '{}', pipeline } as Parameters<typeof draftOf>[0]).graph
}

test('links of built-in tasks have the labels of their parameters', () => {
  const graph = graphOf('')
  const texts = (node: string) => graph.links.map((link) => linkText(link, node, graph)).toSorted()
  expect(texts('a')).toEqual(['Output file → Send · Body file', 'before Send'])
  expect(texts('b')).toEqual(['Body file ← Read tiles · Output file', 'after Read tiles'])
  expect(outputText(graph, { node: 'a', port: 'outputFile' })).toBe('Output file of “Read tiles”')
})

test('links of saved tasks have the names of their parameters', () => {
  const graph = graphOf('Scripts')
  const value = graph.links.find(({ to }) => to.port === 'bodyFile')!
  expect(linkText(value, 'b', graph)).toBe('bodyFile ← Read tiles · outputFile')
})
