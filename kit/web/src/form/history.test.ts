import { expect, test } from 'vitest'
import { recordState, redoState, startHistory, undoState } from './history.ts'

test('undo and redo walk through the states; changes of the same field are one step', () => {
  let history = startHistory('')
  for (const text of ['a', 'ab', 'abc']) history = recordState(history, text, 'name')
  history = recordState(history, 'moved')
  expect(undoState(history).present).toBe('abc')
  expect(undoState(undoState(history)).present).toBe('')
  expect(undoState(undoState(undoState(history))).present).toBe('')
  expect(redoState(redoState(undoState(undoState(history)))).present).toBe('moved')
  expect(recordState(undoState(history), 'other').future).toEqual([])
  let long = startHistory(0)
  for (let step = 1; step <= 300; step++) long = recordState(long, step)
  for (let step = 0; step < 300; step++) long = undoState(long)
  expect(long.present, 'the last 200 steps').toBe(100)
})
