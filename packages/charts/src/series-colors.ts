import type { Pen } from './pen.ts'
import { FAR, across, type Projection } from './projection.ts'
import type { SeriesStyle } from './series-style.ts'

/**
 * Calls the draw function in the colour of the series, then once for each rule, in its colour and clipped to the values that
 * it matches.
 */
export function inColors(pen: Pen, style: SeriesStyle, view: Projection, draw: () => void): void {
  pen.strokeStyle = pen.fillStyle = style.color
  draw()
  for (const rule of style.rules) {
    const a = across(view, rule.from ?? -Infinity)
    const b = across(view, rule.to ?? Infinity)
    pen.save()
    pen.beginPath()
    pen.rect(-FAR, Math.min(a, b), 2 * FAR, Math.abs(a - b))
    pen.clip()
    pen.strokeStyle = pen.fillStyle = rule.color
    draw()
    pen.restore()
  }
}

/** Calls the draw function once per colour. Index -1 is the colour of the series; all others are indexes of rules. */
export function byColor(pen: Pen, style: SeriesStyle, draw: (rule: number) => void): void {
  for (let rule = -1; rule < style.rules.length; rule++) {
    pen.fillStyle = style.rules[rule]?.color ?? style.color
    draw(rule)
  }
}

/** Returns the index of the rule that matches a value; -1 if there is none. */
export function ruleOf({ rules }: SeriesStyle, value: number): number {
  return rules.findLastIndex(({ from = -Infinity, to = Infinity }) => value >= from && value <= to)
}
