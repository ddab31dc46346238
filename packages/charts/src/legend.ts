import { legendOrder } from './legend-order.ts'
import type { Model, SeriesModel } from './model.ts'
import { element } from './style-sheet.ts'

/** Handles a click on the legend. */
export type LegendChange = (change: 'toggle' | 'isolate', series: SeriesModel) => void

/**
 * Fills the list under the chart with one button per series. A click shows or hides the series; Alt+click or a double
 * click isolates it.
 */
export function fillLegend(list: HTMLElement, model: Model, change: LegendChange): void {
  const order = legendOrder(model)
  list.hidden = order.length === 0
  list.classList.toggle('hw-chart-big', model.spec.legend?.size === 'Big')
  list.replaceChildren(...order.map((series) => legendItem(series, change)))
}

/** Marks hidden series without replacing a button that has the focus or is being double-clicked. */
export function markHidden(list: HTMLElement, model: Model): void {
  legendOrder(model).forEach((series, i) => {
    list.children[i]?.firstElementChild?.setAttribute('aria-pressed', String(!series.hidden))
  })
}

/** Creates the colour sample before a label; a faint square for a band. */
export function colorMark({ color, opacity, low }: SeriesModel): HTMLElement {
  const mark = element('i', low ? 'hw-chart-mark hw-chart-band' : 'hw-chart-mark')
  mark.style.background = cssColor(color)
  mark.style.setProperty('--opacity', String(opacity))
  return mark
}

/** Returns a colour or token name as CSS. */
export function cssColor(color: string): string {
  return color.startsWith('--') ? `var(${color})` : color
}

function legendItem(series: SeriesModel, change: LegendChange): HTMLElement {
  const item = element('li')
  const button = element('button')
  button.type = 'button'
  button.title = series.label
  button.setAttribute('aria-pressed', String(!series.hidden))
  button.append(colorMark(series), element('span', 'hw-chart-name', series.label))
  button.addEventListener('click', (event) => {
    change(event.altKey || event.detail === 2 ? 'isolate' : 'toggle', series)
  })
  item.append(button)
  return item
}
