import { expect, test } from 'vitest'
import { createLateFunction } from './late-function.ts'

test('a late function calls its definition, and throws before it has one', () => {
  const double = createLateFunction<[number], number>('double')
  expect(() => double.call(2)).toThrow('The function “double” is not defined yet.')
  double.define((value) => value * 2)
  expect(double.call(2)).toBe(4)
})

test('a late function is defined once', () => {
  const double = createLateFunction<[number], number>('double')
  double.define((value) => value * 2)
  expect(() => double.define((value) => value)).toThrow('defined twice')
})
