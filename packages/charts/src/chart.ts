import uPlot from 'uplot'
import type { Chart, ChartOptions, ChartStats, ChartTable, ChartWindow } from './chart-handle.ts'
import type { AxisSide, ChartSpec } from './chart-spec.ts'
import type { ValueScale } from './domains.ts'
import { across } from './draw-series.ts'
import { createFrame, plotLength, redraw, toParts } from './frame.ts'
import type { AxisTicks } from './frame.ts'
import { listenToGestures } from './gestures.ts'
import { moveByKey } from './keyboard.ts'
import { cssColor, fillLegend, markHidden } from './legend.ts'
import { axisScale, pointsInView, toModel } from './model.ts'
import type { Model, PointsCache, SeriesModel } from './model.ts'
import { formatTicks, formatValue } from './numbers.ts'
import { ticksWithin } from './domains.ts'
import { paintSeries, projection } from './painter.ts'
import type { Plot } from './painter.ts'
import { nearestX, readAt } from './reading.ts'
import { adoptStyles, element } from './style-sheet.ts'
import { toTable } from './table.ts'
import { readTheme } from './theme.ts'
import type { Theme } from './theme.ts'
import { dateNames, formatMoment, precisionOf, timeTicks } from './times.ts'
import type { DateNames, Precision } from './times.ts'
import { fillTooltip, placeTooltip } from './tooltip.ts'
import type { TipRow } from './tooltip.ts'
import { zoneOffset } from './zones.ts'
import type { ZoneOffset } from './zones.ts'

/** CSS pixels between ticks of a value axis at least: upwards, and where the labels stand side by side. */
const ROOM_UP = 28
const ROOM_BESIDE = 64
const TITLE_PIXELS = { Small: 13, Standard: 15, Big: 18, Huge: 24 } as const

/**
 * Draws a chart into a container, which it fills and whose size it follows. Never throws for strange data: see
 * `SeriesSpec` for what becomes of them.
 */
export function createChart(container: HTMLElement, spec: ChartSpec, options: ChartOptions = {}): Chart {
  return new LiveChart(container, spec, options)
}

class LiveChart implements Chart {
  stats: ChartStats = { rawPoints: 0, drawnPoints: 0 }
  readonly #options: ChartOptions
  readonly #locale: string
  readonly #cache: PointsCache = new WeakMap()
  readonly #root = element('div', 'hw-chart')
  readonly #title = element('div', 'hw-chart-title')
  readonly #host = element('div', 'hw-chart-plot')
  readonly #legend = element('ul', 'hw-chart-legend')
  readonly #tip = element('div', 'hw-chart-tip')
  readonly #live = element('div', 'hw-chart-live')
  readonly #names: DateNames
  readonly #stopped = new AbortController()
  readonly #resize = new ResizeObserver(() => this.#fit())
  readonly #stopGestures: () => void
  #dots: HTMLElement[] = []
  #model: Model
  #theme: Theme
  #offset: ZoneOffset
  #precision: Precision = 'day'
  #zoomed: ChartWindow | undefined
  #scales: Record<AxisSide, ValueScale | undefined> = { left: undefined, right: undefined }
  #frame: uPlot
  #cursor: number | null = null

  constructor(container: HTMLElement, spec: ChartSpec, options: ChartOptions) {
    this.#options = options
    this.#locale = options.locale ?? 'en-GB'
    this.#names = dateNames(this.#locale)
    adoptStyles(container)
    this.#tip.hidden = true
    this.#live.setAttribute('aria-live', 'polite')
    this.#host.tabIndex = 0
    this.#host.setAttribute('role', 'application')
    this.#host.setAttribute('aria-roledescription', 'chart')
    this.#root.append(this.#title, this.#host, this.#legend, this.#tip, this.#live)
    container.append(this.#root)
    this.#model = toModel(spec, this.#cache)
    this.#offset = zoneOffset(spec.x?.timeZone)
    this.#theme = this.#readTheme()
    this.#describe()
    this.#frame = this.#build()
    this.#resize.observe(this.#host)
    this.#stopGestures = this.#listen()
  }

  get window(): ChartWindow {
    return this.#zoomed ?? this.#model.full
  }

  update(spec: ChartSpec): void {
    if (this.#ended) return
    this.#model = toModel(spec, this.#cache, this.#model)
    this.#offset = zoneOffset(spec.x?.timeZone)
    if (this.#zoomed) this.#zoomed = clipped(this.#zoomed, this.#model.full)
    this.#describe()
    this.restyle()
  }

  setSize(width: number, height: number): void {
    this.#root.style.width = `${width}px`
    this.#root.style.height = `${height}px`
    this.#fit()
  }

  zoom(from: number, to: number): void {
    if (this.#ended || !Number.isFinite(from) || !Number.isFinite(to)) return
    this.#zoomed = clipped({ from: Math.min(from, to), to: Math.max(from, to) }, this.#model.full)
    this.#draw()
    this.#options.onZoom?.(this.#zoomed)
  }

  resetZoom(): void {
    if (this.#ended) return
    this.#zoomed = undefined
    this.#draw()
    this.#options.onZoom?.(undefined)
  }

  restyle(): void {
    if (this.#ended) return
    this.#theme = this.#readTheme()
    this.#frame.destroy()
    this.#frame = this.#build()
    this.setCursor(this.#cursor)
  }

  setCursor(x: number | null): void {
    if (this.#ended) return
    this.#cursor = x
    const place = x === null ? NaN : this.#part(x)
    if (x === null || !(place >= 0 && place <= 1)) {
      this.#frame.setCursor({ left: -10, top: -10 }, false)
      this.#tip.hidden = true
      for (const dot of this.#dots) dot.remove()
      this.#dots = []
      return
    }
    this.#showCursor(x, place)
  }

  async toPng(scale = 2): Promise<Blob> {
    const { paintPng } = await import('./export-picture.ts')
    return paintPng(this.#picture(), scale)
  }

  async toSvg(): Promise<string> {
    const { paintSvg } = await import('./export-picture.ts')
    return paintSvg(this.#picture())
  }

  async toCsv(): Promise<string> {
    const { writeCsv } = await import('./export-csv.ts')
    return writeCsv(this.#model, this.window)
  }

  toTable(limit = 200): ChartTable {
    return toTable(this.#model, this.window, limit, (x) => this.#xText(x))
  }

  destroy(): void {
    if (this.#ended) return
    this.#stopped.abort()
    this.#stopGestures()
    this.#resize.disconnect()
    this.#frame.destroy()
    this.#root.remove()
  }

  get #ended(): boolean {
    return this.#stopped.signal.aborted
  }

  get #vertical(): boolean {
    return this.#model.spec.layout === 'vertical'
  }

  #readTheme(): Theme {
    const { series } = this.#model
    return readTheme(
      this.#root,
      series.flatMap(({ color, rules }) => [color, ...rules.map((rule) => rule.color)]),
    )
  }

  /** Title, legend, and what a screen reader is told. */
  #describe(): void {
    const { spec, series, full, filled } = this.#model
    this.#title.textContent = spec.title ?? ''
    this.#title.hidden = !spec.title
    this.#title.style.fontSize = `${TITLE_PIXELS[spec.titleSize ?? 'Standard']}px`
    this.#precision = longest(series.map(({ points }) => precisionOf(points.x, this.#offset)))
    fillLegend(this.#legend, this.#model, (change, one) => this.#changeShown(change, one))
    const range = filled ? `from ${this.#xText(full.from)} to ${this.#xText(full.to)}` : 'without data'
    const name = this.#options.label ?? spec.title ?? 'Chart'
    this.#host.setAttribute(
      'aria-label',
      `${name}: ${series.length} series, ${range}. Arrow keys read the values, plus and minus zoom, Escape shows all.`,
    )
  }

  #build(): uPlot {
    this.#rescale()
    const has = (side: AxisSide) => this.#scales[side] !== undefined
    return createFrame(
      this.#host,
      {
        theme: () => this.#theme,
        vertical: this.#vertical,
        left: has('left') || !has('right'),
        right: has('right'),
        xTicks: (pixels) => this.#xTicks(pixels),
        valueTicks: (side) => this.#valueTicks(side),
        draw: (frame) => this.#paint(frame),
      },
      this.#host.clientWidth,
      this.#host.clientHeight,
    )
  }

  #fit(): void {
    const { clientWidth: width, clientHeight: height } = this.#host
    if (this.#ended || (width === this.#frame.width && height === this.#frame.height)) return
    this.#rescale()
    this.#frame.batch(() => this.#frame.setSize({ width, height }))
    this.setCursor(this.#cursor)
  }

  #draw(): void {
    this.#rescale()
    redraw(this.#frame)
    this.setCursor(this.#cursor)
  }

  #rescale(): void {
    const { clientWidth, clientHeight } = this.#host
    const room = Math.max(
      1,
      Math.floor(this.#vertical ? clientWidth / ROOM_BESIDE : (clientHeight - 32) / ROOM_UP),
    )
    const left = axisScale(this.#model, 'left', this.window, room)
    const aligned = (this.#model.spec.leftAxis?.domain ?? 'Default') === 'Default'
    const right = axisScale(this.#model, 'right', this.window, room, aligned ? left : undefined)
    this.#scales = { left, right }
  }

  #paint(frame: uPlot): void {
    const drawnPoints = this.#model.filled
      ? paintSeries(frame.ctx, this.#plot(frame), this.#model, this.#theme)
      : 0
    this.stats = { rawPoints: pointsInView(this.#model, this.window), drawnPoints }
    this.#options.onDraw?.(this.stats)
  }

  #plot({ bbox }: uPlot): Plot {
    return {
      left: Math.round(bbox.left),
      top: Math.round(bbox.top),
      width: Math.max(1, Math.round(bbox.width)),
      height: Math.max(1, Math.round(bbox.height)),
      ratio: uPlot.pxRatio,
      vertical: this.#vertical,
      view: this.window,
      scales: this.#scales,
    }
  }

  #xTicks(pixels: number): AxisTicks {
    const { from, to } = this.window
    const { x } = this.#model.spec
    if (!this.#model.filled) return { at: [], labels: [] }
    const toPart = (at: number) => (at - from) / (to - from)
    if (x?.kind === 'number') {
      const ticks = ticksWithin(from, to, Math.max(1, Math.floor(pixels / ROOM_BESIDE)))
      return { at: ticks.map(toPart), labels: formatTicks(ticks, undefined, this.#locale) }
    }
    // A step of labels that stand above one another needs less room than one of labels in a row.
    const room = this.#vertical ? pixels * 2 : pixels
    const { at, labels } = timeTicks(from, to, room, this.#offset, this.#names, x?.format === 'dayOfYear')
    return { at: at.map(toPart), labels }
  }

  #valueTicks(side: AxisSide): AxisTicks {
    const scale = this.#scales[side]
    if (!scale) return { at: [0, 1], labels: ['', ''] }
    return { at: toParts(scale), labels: formatTicks(scale.ticks, this.#unit(side), this.#locale) }
  }

  #unit(side: AxisSide) {
    return (side === 'left' ? this.#model.spec.leftAxis : this.#model.spec.rightAxis)?.unit
  }

  #part(x: number): number {
    const { from, to } = this.window
    return (x - from) / (to - from)
  }

  #xText(x: number): string {
    const { x: axis } = this.#model.spec
    if (axis?.kind === 'number') return formatValue(x, Math.min(6, decimalsIn(x)), undefined, this.#locale)
    return formatMoment(x, this.#precision, this.#offset, this.#names, axis?.format === 'dayOfYear')
  }

  #showCursor(x: number, place: number, pointer?: number): void {
    const { over } = this.#frame
    const at = place * plotLength(this.#frame, this.#vertical)
    this.#frame.setCursor(this.#vertical ? { left: 0, top: at } : { left: at, top: 0 }, false)
    const ratio = uPlot.pxRatio
    const plot = this.#plot(this.#frame)
    const rows = readAt(this.#model, x).map((reading): TipRow & { value: number } => {
      const { series, value } = reading
      const height = across(projection(plot, series.side), value) / ratio
      return {
        reading,
        value: height,
        text:
          value === value ? formatValue(value, series.decimals, this.#unit(series.side), this.#locale) : '–',
        note: value === value && reading.at !== x ? this.#xText(reading.at) : '',
        distance: pointer === undefined || value !== value ? 0 : Math.abs(height - pointer),
      }
    })
    const shown = fillTooltip(this.#tip, this.#xText(x), rows, this.#root.clientHeight)
    const left = over.offsetLeft + (this.#vertical ? (pointer ?? over.clientWidth / 2) : at)
    const top = this.#host.offsetTop + over.offsetTop + (this.#vertical ? at + 12 : 8)
    placeTooltip(this.#tip, left, top, this.#root.clientWidth, this.#root.clientHeight)
    for (const dot of this.#dots) dot.remove()
    const room = this.#vertical ? over.clientWidth : over.clientHeight
    this.#dots = shown
      .filter(({ reading, value }) => reading.at === x && value >= 0 && value <= room)
      .map(({ reading, value }) => {
        const dot = element('i', 'hw-chart-dot')
        dot.style.background = cssColor(reading.series.color)
        dot.style.left = `${this.#vertical ? value : at}px`
        dot.style.top = `${this.#vertical ? at : value}px`
        return dot
      })
    over.append(...this.#dots)
  }

  #changeShown(change: 'toggle' | 'isolate', one: SeriesModel): void {
    const { series } = this.#model
    if (change === 'toggle') one.hidden = !one.hidden
    else {
      const alone = series.every((other) => other === one || other.hidden)
      for (const other of series) other.hidden = !alone && other !== one
    }
    markHidden(this.#legend, this.#model)
    this.#draw()
    this.#options.onToggle?.(series.filter(({ hidden }) => hidden).map(({ spec }) => spec.label))
  }

  #listen(): () => void {
    const { signal } = this.#stopped
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.restyle(), { signal })
    this.#host.addEventListener('keydown', (event) => this.#key(event), { signal })
    this.#host.addEventListener('blur', () => this.setCursor(null), { signal })
    // Labels are measured: once the font has arrived they are measured again.
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(() => this.restyle())
    return listenToGestures({
      surface: this.#host,
      plot: () => this.#frame.over.getBoundingClientRect(),
      vertical: () => this.#vertical,
      view: () => this.window,
      point: (event) => this.#point(event),
      mark: (stretch) => this.#mark(stretch),
      zoom: ({ from, to }) => this.zoom(from, to),
      reset: () => this.resetZoom(),
      panning: (on) => this.#root.classList.toggle('hw-panning', on),
    })
  }

  #point(event: PointerEvent | null): void {
    if (!event || !this.#model.filled) return this.setCursor(null)
    const rect = this.#frame.over.getBoundingClientRect()
    const [x, y] = [event.clientX - rect.left, event.clientY - rect.top]
    const part = this.#vertical ? y / rect.height : x / rect.width
    const { from, to } = this.window
    const near = nearestX(this.#model, from + (to - from) * part, this.window)
    if (near === undefined) return this.setCursor(null)
    this.#cursor = near
    this.#showCursor(near, this.#part(near), this.#vertical ? x : y)
  }

  #mark(stretch: [number, number] | null): void {
    const { clientWidth: width, clientHeight: height } = this.#frame.over
    const [a, b] = stretch ?? [0, 0]
    this.#frame.setSelect(
      this.#vertical
        ? { left: 0, width: stretch ? width : 0, top: a * height, height: (b - a) * height }
        : { top: 0, height: stretch ? height : 0, left: a * width, width: (b - a) * width },
      false,
    )
  }

  #key(event: KeyboardEvent): void {
    const result = moveByKey(event, this.#model, this.window, this.#cursor)
    if (!result) return
    event.preventDefault()
    if (result.window === 'all') this.resetZoom()
    else if (result.window) this.zoom(result.window.from, result.window.to)
    if (result.cursor === undefined) return
    this.setCursor(result.cursor)
    this.#live.textContent =
      result.cursor === null ? '' : this.#tip.textContent && this.#spoken(result.cursor)
  }

  #spoken(x: number): string {
    const values = readAt(this.#model, x).map(
      ({ series, value }) =>
        `${series.label} ${value === value ? formatValue(value, series.decimals, this.#unit(series.side), this.#locale) : 'no value'}`,
    )
    return `${this.#xText(x)}: ${values.slice(0, 12).join(', ')}`
  }

  #picture() {
    const { spec } = this.#model
    return {
      model: this.#model,
      theme: this.#theme,
      plot: this.#plot(this.#frame),
      width: this.#frame.width,
      height: this.#frame.height,
      xTicks: this.#xTicks(plotLength(this.#frame, this.#vertical)),
      leftTicks: this.#scales.left && this.#valueTicks('left'),
      rightTicks: this.#scales.right && this.#valueTicks('right'),
      titlePixels: TITLE_PIXELS[spec.titleSize ?? 'Standard'],
    }
  }
}

/** The part of a window that lies within the data; undefined if that is everything. */
function clipped(window: ChartWindow, full: ChartWindow): ChartWindow | undefined {
  const whole = full.to - full.from
  // Below this width neighbouring pixels would get the same number.
  const least = Math.max(whole * 1e-9, Math.max(Math.abs(full.from), Math.abs(full.to)) * 1e-12)
  const width = Math.max(window.to - window.from, least)
  if (width >= whole) return undefined
  const from = Math.min(Math.max((window.from + window.to - width) / 2, full.from), full.to - width)
  return { from, to: from + width }
}

function longest(list: readonly Precision[]): Precision {
  const order: Precision[] = ['ms', 'second', 'minute', 'day']
  return order.find((precision) => list.includes(precision)) ?? 'day'
}

function decimalsIn(x: number): number {
  return String(x).split('.')[1]?.length ?? 0
}
