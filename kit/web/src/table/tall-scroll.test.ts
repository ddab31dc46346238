import { describe, expect, test } from 'vitest'
import { tallestAreaPx, tallScroll } from './tall-scroll.ts'

const rowPx = 32
const rows = 3_500_000
const contentPx = rows * rowPx
const viewPx = 600

describe('a list taller than a browser can render', () => {
  const scroll = tallScroll(contentPx, viewPx)

  test('its scroll area stays within the limits of every browser', () => {
    expect(scroll.areaPx).toBe(tallestAreaPx)
    expect(tallScroll(1000, viewPx).areaPx).toBe(1000)
  })

  test('the ends of the scroll area are the ends of the list', () => {
    expect(scroll.shiftAfterJump(0)).toBe(0)
    const end = tallestAreaPx - viewPx
    expect(end + scroll.shiftAfterJump(end)).toBe(contentPx - viewPx)
    expect(scroll.scrollPositionOf(contentPx - viewPx)).toEqual({
      scrollTop: end,
      shift: contentPx - tallestAreaPx,
    })
  })

  test('small steps reach every row without leaving the scroll area or skipping a row', () => {
    let last = -1
    for (let position = 0; position <= contentPx - viewPx; position += 9973) {
      const { scrollTop, shift } = scroll.scrollPositionOf(position)
      expect(scrollTop + shift).toBe(position)
      if (scrollTop < 0 || scrollTop > tallestAreaPx - viewPx + 1)
        expect({ position, scrollTop }).toBe('inside')
      expect(position).toBeGreaterThan(last)
      last = position
    }
  })

  test('a jump of the scroll bar leads to approximately the corresponding part of the list', () => {
    for (const part of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      const scrollTop = part * (tallestAreaPx - viewPx)
      const position = scrollTop + scroll.shiftAfterJump(scrollTop)
      expect(position / (contentPx - viewPx)).toBeCloseTo(part, 1)
    }
  })
})
