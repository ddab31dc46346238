import { across } from './projection.ts'
import type { Frame } from './frame.ts'
import type { Plot } from './layout.ts'
import { cssColor } from './legend.ts'
import type { Model } from './model.ts'
import { projection } from './painter.ts'
import { readAt } from './reading.ts'
import { element } from './style-sheet.ts'
import { fillTooltip, positionTooltip } from './tooltip.ts'
import type { TipRow } from './tooltip.ts'
import type { ChartFormatter } from './formatter.ts'

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
   * Shows the values of all series at x.
   *
   * @param pointer position of the pointer along the value axis in CSS pixels, if there is one
   */
  show(x: number, model: Model, plot: Plot, formatter: ChartFormatter, pointer?: number): void {
    const { vertical, ratio, view } = plot
    const part = (x - view.from) / (view.to - view.from)
    const length = (vertical ? plot.height : plot.width) / ratio
    const valueLength = (vertical ? plot.width : plot.height) / ratio
    this.#frame.showLine(part)
    const rows = readAt(model, x).map((reading): TipRow & { position: number } => {
      const { series, value, at } = reading
      const known = value === value
      const position = known ? across(projection(plot, series.side), value) / ratio : NaN
      return {
        reading,
        position,
        text: formatter.value(reading),
        note: known && at !== x ? formatter.x(at) : '',
        distance: known ? Math.abs(position - (pointer ?? position)) : Infinity,
      }
    })
    const visible = fillTooltip(this.tip, formatter.x(x), rows, this.#root.clientHeight)
    const { offsetLeft, offsetTop, offsetParent } = this.#frame.over
    const hostTop = (offsetParent as HTMLElement).offsetTop + offsetTop
    positionTooltip(
      this.tip,
      offsetLeft + (vertical ? (pointer ?? valueLength / 2) : part * length),
      hostTop + (vertical ? part * length + 12 : 8),
      this.#root.clientWidth,
      this.#root.clientHeight,
    )
    this.#setDots(
      visible
        // Bars are beside the crosshair and bands have two values, so a dot would be in the wrong position.
        .filter(
          ({ reading }) => reading.at === x && reading.series.spec.kind !== 'bars' && !reading.series.low,
        )
        .filter(({ position }) => position >= 0 && position <= valueLength)
        .map(({ reading, position }) => {
          const dot = element('i', 'hw-chart-dot')
          dot.style.background = cssColor(reading.series.color)
          dot.style.left = `${vertical ? position : part * length}px`
          dot.style.top = `${vertical ? part * length : position}px`
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
