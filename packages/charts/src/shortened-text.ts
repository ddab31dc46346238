import type { TextMeasure } from './pen.ts'

/** Returns text that is at most this many pixels wide; a longer one ends in an ellipsis. */
export function shortenedText(measure: TextMeasure, text: string, pixels: number): string {
  if (measure.measureText(text).width <= pixels) return text
  const characters = Array.from(text)
  let low = 0
  let high = characters.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure.measureText(beginning(middle)).width <= pixels) low = middle
    else high = middle - 1
  }
  return beginning(low)

  function beginning(length: number): string {
    return `${characters.slice(0, length).join('').trimEnd()}…`
  }
}
