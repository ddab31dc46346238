import { expect, test } from 'vitest'
import { fittedView } from '../src/view/fitted-view.ts'

const windows = [
  [300, 400],
  [740, 700],
  [1600, 900],
] as const

test.each(windows)('a fitted canvas of %s × %s pixels shows all nodes', (width, height) => {
  for (const bounds of [
    { x: 150, y: 200, width: 200, height: 120 },
    { x: 150, y: 200, width: 1450, height: 120 },
    { x: -400, y: -900, width: 2400, height: 3000 },
  ]) {
    const { x, y, zoom } = fittedView(bounds, { width, height })
    expect(bounds.x * zoom + x).toBeGreaterThanOrEqual(0)
    expect(bounds.y * zoom + y).toBeGreaterThanOrEqual(0)
    expect((bounds.x + bounds.width) * zoom + x).toBeLessThanOrEqual(width)
    expect((bounds.y + bounds.height) * zoom + y).toBeLessThanOrEqual(height)
    expect(zoom).toBeLessThanOrEqual(1)
  }
})

test('a fitted canvas does not zoom out below the limit', () => {
  expect(fittedView({ x: 0, y: 0, width: 100_000, height: 100 }, { width: 500, height: 500 }).zoom).toBe(0.1)
})
