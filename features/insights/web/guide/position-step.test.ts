import { expect, test } from 'vitest'
import { positionStep } from './position-step.ts'

const card = { width: 300, height: 140 }
const screen = { width: 1000, height: 700 }

test('a step is placed beside or below its element', () => {
  const panel = { left: 700, top: 50, width: 300, height: 650 }
  expect(positionStep(panel, 'left', card, screen)).toEqual({ left: 390, top: 50 })
  const button = { left: 500, top: 10, width: 40, height: 30 }
  expect(positionStep(button, 'below', card, screen)).toEqual({ left: 370, top: 50 })
})

test('a step stays inside the window, and is placed in the corner when its element is missing', () => {
  const corner = { left: 960, top: 10, width: 30, height: 30 }
  expect(positionStep(corner, 'below', card, screen)).toEqual({ left: 690, top: 50 })
  expect(positionStep(undefined, 'below', card, screen)).toEqual({ left: 690, top: 550 })
  expect(positionStep(undefined, 'below', card, { width: 200, height: 100 })).toEqual({ left: 10, top: 10 })
})
