import { expect, test } from 'vitest'
import { builtInParamLabel } from './param-label.ts'

test('names of built-in parameters become labels', () => {
  expect(
    [
      'bodyFile',
      'subject',
      'insightId',
      'Store response in',
      'URL',
      'File',
      'onFailure',
      'Oldest newest date',
      'attachment2',
      'Group',
    ].map(builtInParamLabel),
  ).toEqual([
    'Body file',
    'Subject',
    'Insight',
    'Store response in',
    'URL',
    'File',
    'After a failed run',
    'Maximum age of the newest date',
    'Attachment 2',
    'Target group',
  ])
})
