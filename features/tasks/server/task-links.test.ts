import { expect, test } from 'vitest'
import { taskParam } from '../contract/index.ts'
import { linksOfTask } from './task-links.ts'

test('a task references its documentation and the groups, files and data preps in its inputs, but no values determined at run time', () => {
  const params = [
    { name: 'a', valueType: 'FILE', value: '{"id":"f1","name":"x.csv","groupName":"Oil"}' },
    { name: 'b', valueType: 'FILE', defaultValue: 'f2' },
    { name: 'c', valueType: 'DATA_PREP', value: 'p1' },
    { name: 'd', valueType: 'GROUP', value: ' Gas ' },
    { name: 'e', valueType: 'TEXT', value: 'Power' },
    { name: 'f', valueType: 'FILE', value: '${5f1c}' },
    { name: 'g', valueType: 'FILE', value: "file('x')", mode: 'expression' },
    { name: 'h', valueType: 'FILE', value: 'f3', type: 'OUTPUT' },
    { name: 'i', valueType: 'FILE' },
  ].map((param) => taskParam.parse(param))
  expect(linksOfTask({ markdownId: 'm1', params })).toEqual([
    { type: 'file', target: 'm1' },
    { type: 'file', target: 'f1' },
    { type: 'group', target: 'Oil' },
    { type: 'file', target: 'f2' },
    { type: 'data-prep', target: 'p1' },
    { type: 'group', target: 'Gas' },
  ])
})
