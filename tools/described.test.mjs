import { expect, test } from 'vitest'
import { exportedItems } from './described.mjs'

test('counts descriptions of exported declarations and of the members of exported types', () => {
  const source = `
/** A point. */
export interface Point {
  /** Distance from the left. */
  x: number
  y: number
}
export type Size = { width: number }
/** The origin. */
export const origin = 0
export type origin = number
interface Internal { hidden: number }
// Not a description.
export function move() {}
`
  const { declarations, members } = exportedItems('point.ts', source)
  expect(declarations.map(({ name, isDescribed }) => [name, isDescribed])).toEqual([
    ['Point', true],
    ['Size', false],
    ['origin', true],
    ['origin', true],
    ['move', false],
  ])
  expect(members.map(({ name, line, isDescribed }) => [name, line, isDescribed])).toEqual([
    ['Point.x', 5, true],
    ['Point.y', 6, false],
    ['Size.width', 8, false],
  ])
})
