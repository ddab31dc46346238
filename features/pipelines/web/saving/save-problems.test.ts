import { expect, test } from 'vitest'
import { ApiError } from '@headwater/web-kit'
import { allMessages, saveProblems } from './save-problems.ts'

const failed = (fields: [field: string, message: string][]) =>
  new ApiError({
    status: 400,
    code: 'invalidInput',
    message: 'The pipeline was not saved.',
    validationErrors: fields.map(([field, message]) => ({ field, message })),
  })

test('DP-440 DP-441 DP-442 problems with name, group and tags are shown on their fields; all others are messages', () => {
  expect(
    saveProblems(
      failed([
        ['pipeline.name', 'This name is taken.'],
        ['pipeline.groupName', 'Choose a group.'],
        ['pipeline.tags[0]', 'A tag is empty.'],
        ['pipeline.tasks[1].taskName', 'Choose a task.'],
        ['payload', 'The canvas data is too large.'],
      ]),
    ),
  ).toEqual({
    fields: { name: 'This name is taken.', groupName: 'Choose a group.', tags: 'A tag is empty.' },
    messages: ['The pipeline was not saved.', 'Choose a task.', 'The canvas data is too large.'],
  })
  expect(
    saveProblems(
      failed([
        ['name', 'Too long.'],
        ['tags[3]', 'Too many.'],
      ]),
    ).fields,
  ).toEqual({
    name: 'Too long.',
    tags: 'Too many.',
  })
  expect(saveProblems(failed([['tasks[0].taskReadableName', 'Missing.']])).fields).toEqual({})
})

test('DP-443 a failed save without a form shows the message and each validation message', () => {
  expect(
    allMessages(
      failed([
        ['pipeline.name', 'First problem.'],
        ['tasks', 'Second problem.'],
      ]),
    ),
  ).toEqual(['The pipeline was not saved.', 'First problem.', 'Second problem.'])
})
