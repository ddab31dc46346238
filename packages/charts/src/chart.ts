import type {
  Chart,
  ChartOptions,
  ChartStats,
  ChartTable,
  ChartWindow,
  ExportedRow,
  PictureOptions,
} from './chart-handle.ts'
import type { ChartSpec } from './chart-spec.ts'
import { layOutChart } from './chart-layout.ts'
import { clipWindow } from './clip-window.ts'
import { CursorView } from './cursor-view.ts'
import { titlePixels, type Picture } from './picture.ts'
import { Frame } from './frame.ts'
import { PICTURE_PAD } from './layout.ts'
import type { Layout } from './layout.ts'
import { listenToGestures } from './gestures.ts'
import { moveByKey } from './keyboard.ts'
import { fillLegend, markHidden } from './legend.ts'
import type { LegendChange } from './legend.ts'
import { pointsInView, toModel } from './model.ts'
import type { Model, PointsCache } from './model.ts'
import { paintAxes, paintSeries } from './painter.ts'
import { nearestX } from './reading.ts'
import { spokenValues } from './spoken-values.ts'
import { stampDots } from './stamp-dots.ts'
import { adoptStyles, element } from './style-sheet.ts'
import { toTable } from './table.ts'
import { readTheme } from './theme.ts'
import type { Theme } from './theme-colors.ts'
import { createFormatter } from './formatter.ts'
import type { ChartFormatter } from './formatter.ts'

/**
 * Draws a chart into a container. It fills the container and follows its size. Invalid data never cause an error;
 * `SeriesSpec` describes how they are drawn.
 */
export function createChart(container: HTMLElement, spec: ChartSpec, options: ChartOptions = {}): Chart {
  return new LiveChart(container, spec, options)
}

class LiveChart implements Chart {
  stats: ChartStats = { rawPoints: 0, drawnPoints: 0 }
  readonly #options: ChartOptions
  readonly #cache: PointsCache = new WeakMap()
  readonly #root = element('div', 'hw-chart')
  readonly #title = element('div', 'hw-chart-title')
  readonly #host = element('div', 'hw-chart-plot')
  readonly #legend = element('ul', 'hw-chart-legend')
  readonly #more = element('button', 'hw-chart-more')
  readonly #live = element('div', 'hw-chart-live')
  readonly #frame = new Frame(this.#host)
  readonly #cursorView = new CursorView(this.#root, this.#frame)
  readonly #stopped = new AbortController()
  #model: Model
  #formatter: ChartFormatter
  #theme: Theme
  #zoomed: ChartWindow | undefined
  #layout!: Layout
  #width = 0
  #height = 0
  #cursor: number | null = null

  constructor(container: HTMLElement, spec: ChartSpec, options: ChartOptions) {
    this.#options = options
    adoptStyles(container)
    this.#live.setAttribute('aria-live', 'polite')
    this.#host.tabIndex = 0
    this.#host.setAttribute('role', 'application')
    this.#host.setAttribute('aria-roledescription', 'chart')
    this.#more.type = 'button'
    // The first size determines whether the button is needed. It is known only after all charts of a page exist.
    this.#more.hidden = true
    this.#root.prepend(this.#title, this.#host, this.#legend, this.#more, this.#live)
    container.append(this.#root)
    this.#model = toModel(spec, this.#cache)
    this.#formatter = createFormatter(this.#model, this.#locale)
    this.#theme = this.#readTheme()
    this.#describe()
    this.#draw()
    this.#listen()
  }

  get window(): ChartWindow {
    return this.#zoomed ?? this.#model.full
  }

  get full(): ChartWindow {
    return this.#model.full
  }

  update(spec: ChartSpec): void {
    if (this.#ended) return
    this.#model = toModel(spec, this.#cache, this.#model)
    this.#formatter = createFormatter(this.#model, this.#locale)
    if (this.#zoomed) this.#zoomed = clipWindow(this.#zoomed, this.#model.full)
    this.#describe()
    this.#updateLegendButton()
    this.restyle()
  }

  setSize(width: number, height: number): void {
    this.#root.style.width = `${width}px`
    this.#root.style.height = `${height}px`
    this.#fit()
  }

  zoom(from: number, to: number): void {
    if (this.#ended || !Number.isFinite(from) || !Number.isFinite(to)) return
    this.#show(clipWindow({ from: Math.min(from, to), to: Math.max(from, to) }, this.#model.full))
  }

  resetZoom(): void {
    if (!this.#ended) this.#show(undefined)
  }

  restyle(): void {
    if (this.#ended) return
    this.#theme = this.#readTheme()
    this.#draw()
  }

  setCursor(x: number | null): void {
    if (this.#ended) return
    this.#cursor = x
    const { from, to } = this.window
    if (x !== null && x >= from && x <= to) {
      this.#cursorView.show(x, this.#model, this.#layout.plot, this.#formatter)
    } else this.#cursorView.hide()
  }

  async toPng(scale = 2, look?: PictureOptions): Promise<Blob> {
    const { paintPng } = await import('./export-picture.ts')
    return paintPng(this.#picture(look), scale)
  }

  async toSvg(look?: PictureOptions): Promise<string> {
    const { paintSvg } = await import('./export-picture.ts')
    return paintSvg(this.#picture(look))
  }

  async toRows(of?: ChartSpec): Promise<ExportedRow[]> {
    const { exportRows } = await import('./export-rows.ts')
    return exportRows(this.#modelOf(of), this.window, this.#formatter.x)
  }

  toTable(limit = 200, of?: ChartSpec): ChartTable {
    const model = this.#modelOf(of)
    const formatter = of === undefined ? this.#formatter : createFormatter(model, this.#locale)
    return toTable(model, this.window, limit, formatter)
  }

  destroy(): void {
    this.#stopped.abort()
    this.#root.remove()
  }

  get #ended(): boolean {
    return this.#stopped.signal.aborted
  }

  get #vertical(): boolean {
    return this.#model.spec.layout === 'vertical'
  }

  get #locale(): string {
    return this.#options.locale ?? 'en-GB'
  }

  get #titlePixels(): number {
    return titlePixels(this.#model.spec)
  }

  /** Applies the hidden state of the legend to a spec. */
  #modelOf(spec: ChartSpec | undefined): Model {
    return spec === undefined ? this.#model : toModel(spec, new WeakMap(), this.#model)
  }

  #readTheme(): Theme {
    const colors = this.#model.series.flatMap(({ color, rules }) => [
      color,
      ...rules.map((rule) => rule.color),
    ])
    return readTheme(this.#root, colors)
  }

  /** Updates title, legend, and the description for screen readers. */
  #describe(): void {
    const { spec, series, full, filled } = this.#model
    this.#title.textContent = spec.title ?? ''
    this.#title.hidden = !spec.title
    this.#title.style.fontSize = `${this.#titlePixels}px`
    fillLegend(this.#legend, this.#model, (change, one) => this.#changeVisibility(change, one))
    const range = filled
      ? `from ${this.#formatter.x(full.from)} to ${this.#formatter.x(full.to)}`
      : 'without data'
    const name = this.#options.label ?? spec.title ?? 'Chart'
    this.#host.setAttribute(
      'aria-label',
      `${name}: ${series.length} series, ${range}. Arrow keys read the values, plus and minus zoom, Escape shows all.`,
    )
  }

  /**
   * Shows the button that expands the legend if the legend does not fit. The legend is clipped instead of scrolled, so that
   * the wheel scrolls the page.
   */
  #updateLegendButton(): void {
    const { scrollHeight, clientHeight, hidden, children } = this.#legend
    const isOpen = this.#legend.classList.contains('hw-chart-open')
    this.#more.hidden = hidden || (!isOpen && scrollHeight <= clientHeight + 1)
    this.#more.textContent = isOpen ? 'Show fewer' : `Show all ${children.length}`
    this.#more.setAttribute('aria-expanded', String(isOpen))
  }

  #show(window: ChartWindow | undefined): void {
    this.#zoomed = window
    this.#draw()
    this.#options.onZoom?.(window)
  }

  #fit(): void {
    this.#updateLegendButton()
    const { clientWidth, clientHeight } = this.#host
    const same = clientWidth === this.#width && clientHeight === this.#height
    if (!this.#ended && !(same && this.#layout.plot.ratio === devicePixelRatio)) this.#draw()
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.#host
    this.#width = width
    this.#height = height
    const { pen } = this.#frame
    this.#layout = layOutChart(pen, {
      model: this.#model,
      formatter: this.#formatter,
      family: this.#theme.family,
      width,
      height,
      ratio: devicePixelRatio,
      view: this.window,
    })
    this.#frame.clear(Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio))
    this.#frame.follow(this.#layout.plot)
    paintAxes(pen, this.#layout, this.#theme)
    const drawnPoints = paintSeries(pen, this.#layout.plot, this.#model, this.#theme, stampDots)
    this.stats = { rawPoints: pointsInView(this.#model, this.window), drawnPoints }
    this.setCursor(this.#cursor)
    this.#options.onDraw?.(this.stats)
  }

  #changeVisibility(change: Parameters<LegendChange>[0], one: Parameters<LegendChange>[1]): void {
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

  #listen(): void {
    const { signal } = this.#stopped
    const resize = new ResizeObserver(() => this.#fit())
    resize.observe(this.#host)
    signal.addEventListener('abort', () => resize.disconnect())
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.restyle(), { signal })
    // Zooming the page changes the device pixels, but not always the size.
    window.addEventListener('resize', () => this.#fit(), { signal })
    this.#more.addEventListener(
      'click',
      () => {
        this.#legend.classList.toggle('hw-chart-open')
        this.#legend.scrollTop = 0
        this.#updateLegendButton()
      },
      { signal },
    )
    this.#host.addEventListener('keydown', (event) => this.#key(event), { signal })
    this.#host.addEventListener('blur', () => this.#moveCursor(null), { signal })
    // Labels are measured again once the font has loaded.
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(() => this.restyle())
    const stop = listenToGestures({
      surface: this.#host,
      plot: () => this.#frame.over.getBoundingClientRect(),
      vertical: () => this.#vertical,
      view: () => this.window,
      point: (event) => this.#point(event),
      mark: (stretch) => this.#frame.showMark(stretch),
      zoom: ({ from, to }) => this.zoom(from, to),
      reset: () => this.resetZoom(),
      panning: (on) => this.#root.classList.toggle('hw-panning', on),
    })
    signal.addEventListener('abort', stop)
  }

  #point(event: PointerEvent | null): void {
    if (!event) return this.#moveCursor(null)
    const rect = this.#frame.over.getBoundingClientRect()
    const [x, y] = [event.clientX - rect.left, event.clientY - rect.top]
    const part = this.#vertical ? y / rect.height : x / rect.width
    const { from, to } = this.window
    const near = nearestX(this.#model, from + (to - from) * part, this.window)
    if (near === undefined) return this.#moveCursor(null)
    this.#cursor = near
    this.#cursorView.show(near, this.#model, this.#layout.plot, this.#formatter, this.#vertical ? x : y)
    this.#options.onCursor?.(near)
  }

  #moveCursor(x: number | null): void {
    this.setCursor(x)
    this.#options.onCursor?.(x)
  }

  #key(event: KeyboardEvent): void {
    const result = moveByKey(event, this.#model, this.window, this.#cursor)
    if (!result) return
    event.preventDefault()
    if (result.window === 'all') this.resetZoom()
    else if (result.window) this.zoom(result.window.from, result.window.to)
    if (result.cursor === undefined) return
    this.#moveCursor(result.cursor)
    this.#live.textContent =
      result.cursor === null ? '' : spokenValues(this.#model, result.cursor, this.#formatter)
  }

  /** Collects the input of a picture. */
  #picture({ title = '', width }: PictureOptions = {}): Picture {
    if (width !== undefined && !this.#ended) return this.#pictureOf(width, title)
    return {
      model: this.#model,
      theme: this.#theme,
      layout: this.#layout,
      width: this.#width,
      height: this.#height,
      title: this.#model.spec.title || title,
      titlePixels: this.#titlePixels,
    }
  }

  /** Draws the same chart in another width, in a temporary second chart outside the page. */
  #pictureOf(width: number, title: string): Picture {
    const container = element('div')
    const { style } = container
    style.position = 'fixed'
    style.right = '100vw'
    style.width = `${width - 2 * PICTURE_PAD}px`
    style.height = `${this.#root.clientHeight}px`
    document.body.append(container)
    const twin = new LiveChart(container, this.#model.spec, { locale: this.#locale })
    for (const [at, one] of twin.#model.series.entries()) one.hidden = this.#model.series[at]!.hidden
    twin.#zoomed = this.#zoomed
    twin.#draw()
    const picture = twin.#picture({ title })
    twin.destroy()
    container.remove()
    return picture
  }
}
