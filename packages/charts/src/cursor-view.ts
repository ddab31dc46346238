import { across } from './draw-series.ts'
import type { Frame, Plot } from './frame.ts'
import { cssColor } from './legend.ts'
import type { Model } from './model.ts'
import { projection } from './painter.ts'
import { readAt } from './reading.ts'
import { element } from './style-sheet.ts'
import { fillTooltip, placeTooltip } from './tooltip.ts'
import type { TipRow } from './tooltip.ts'
import type { Wording } from './wording.ts'

/** Crosshair, dots on the series and tooltip. */
export class CursorView {
  readonly tip = element('div', 'hw-chart-tip')
  readonly #root: HTMLElement
  readonly #frame: Frame
  #dots: HTMLElement[] = []

  constructor(root: HTMLElement, frame: Frame) {
    this.#root = root
    this.#frame = frame
    this.tip.hidden = true
    root.append(this.tip)
  }

  hide(): void {
    this.#frame.showLine(null)
    this.tip.hidden = true
    this.#setDots([])
  }

  /**
   * Shows what all series say at x.
   *
   * @param pointer place of the pointer along the axis of values in CSS pixels, if there is one
   */
  show(x: number, model: Model, plot: Plot, wording: Wording, pointer?: number): void {
    const { vertical, ratio, view } = plot
    const part = (x - view.from) / (view.to - view.from)
    const length = (vertical ? plot.height : plot.width) / ratio
    const room = (vertical ? plot.width : plot.height) / ratio
    this.#frame.showLine(part)
    const rows = readAt(model, x).map((reading): TipRow & { place: number } => {
      const { series, value, at } = reading
      const known = value === value
      const place = known ? across(projection(plot, series.side), value) / ratio : NaN
      return {
        reading,
        place,
        text: wording.value(reading),
        note: known && at !== x ? wording.x(at) : '',
        distance: known ? Math.abs(place - (pointer ?? place)) : Infinity,
      }
    })
    const shown = fillTooltip(this.tip, wording.x(x), rows, this.#root.clientHeight)
    const { offsetLeft, offsetTop, offsetParent } = this.#frame.over
    const hostTop = (offsetParent as HTMLElement).offsetTop + offsetTop
    placeTooltip(
      this.tip,
      offsetLeft + (vertical ? (pointer ?? room / 2) : part * length),
      hostTop + (vertical ? part * length + 12 : 8),
      this.#root.clientWidth,
      this.#root.clientHeight,
    )
    this.#setDots(
      shown
        // A bar stands beside the crosshair, and a band has two ends: a dot would not lie on them.
        .filter(
          ({ reading }) => reading.at === x && reading.series.spec.kind !== 'bars' && !reading.series.low,
        )
        .filter(({ place }) => place >= 0 && place <= room)
        .map(({ reading, place }) => {
          const dot = element('i', 'hw-chart-dot')
          dot.style.background = cssColor(reading.series.color)
          dot.style.left = `${vertical ? place : part * length}px`
          dot.style.top = `${vertical ? part * length : place}px`
          return dot
        }),
    )
  }

  #setDots(dots: HTMLElement[]): void {
    for (const dot of this.#dots) dot.remove()
    this.#dots = dots
    this.#frame.over.append(...dots)
  }
}
