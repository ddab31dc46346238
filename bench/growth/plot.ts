/** A small plot: a cost for each size, both on logarithmic axes. */
export interface PlotLine {
  title: string
  /** Unit of `y`. */
  unit: string
  points: readonly { x: number; y: number }[]
}

const plotWidth = 300
const plotHeight = 150
const margin = { left: 52, right: 16, top: 44, bottom: 30 }
const inRow = 3

/** Draws small plots in rows of three, as an SVG for both colour schemes. */
export function plotOf(lines: readonly PlotLine[]): string {
  const cellWidth = margin.left + plotWidth + margin.right
  const cellHeight = margin.top + plotHeight + margin.bottom
  const cells = lines.map((line, at) => {
    const move = `translate(${(at % inRow) * cellWidth + margin.left} ${Math.floor(at / inRow) * cellHeight + margin.top})`
    return `<g transform="${move}">${cellOf(line)}</g>`
  })
  const width = cellWidth * Math.min(inRow, lines.length)
  const height = cellHeight * Math.ceil(lines.length / inRow)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Cost of a stored point as the store grows">
<style>
  svg { color: #18212a; font: 11px system-ui, sans-serif; background: #ffffff }
  .muted { color: #55616d }
  .grid { stroke: #e2e6ea }
  .line { stroke: #0b6e99; fill: none; stroke-width: 2 }
  .dot { fill: #0b6e99 }
  text { fill: currentColor }
  @media (prefers-color-scheme: dark) {
    svg { color: #e4e9ee; background: #151b20 }
    .muted { color: #a3afba }
    .grid { stroke: #262f37 }
    .line { stroke: #4fb3dd }
    .dot { fill: #4fb3dd }
  }
</style>
${cells.join('\n')}
</svg>
`
}

function cellOf({ title, unit, points }: PlotLine): string {
  const x = scaleOf(
    points.map((point) => point.x),
    plotWidth,
  )
  const y = scaleOf(
    points.map((point) => point.y),
    plotHeight,
  )
  const up = (value: number) => plotHeight - y.position(value)
  const grid = y.powers.map(
    (power) =>
      `<line class="grid" x2="${plotWidth}" y1="${up(power)}" y2="${up(power)}"/><text class="muted" x="-8" y="${up(power) + 4}" text-anchor="end">${short(power)}</text>`,
  )
  const ticks = x.powers.map(
    (power) =>
      `<text class="muted" x="${x.position(power)}" y="${plotHeight + 18}" text-anchor="middle">${short(power)}</text>`,
  )
  const positions = points.map((point) => [x.position(point.x).toFixed(1), up(point.y).toFixed(1)] as const)
  const dots = points.map(
    (point, at) =>
      `<circle class="dot" cx="${positions[at]![0]}" cy="${positions[at]![1]}" r="3"/><text x="${positions[at]![0]}" y="${Number(positions[at]![1]) - 8}" text-anchor="middle">${short(point.y)}</text>`,
  )
  return `<text y="-26" font-weight="600">${title}</text><text class="muted" y="-11">${unit}</text>
${grid.join('')}${ticks.join('')}
<polyline class="line" points="${positions.map((position) => position.join(',')).join(' ')}"/>${dots.join('')}`
}

/** Returns a logarithmic axis from the power of ten below the smallest value to the one above the largest. */
function scaleOf(values: readonly number[], length: number) {
  const logs = values.map((value) => Math.log10(value))
  const least = Math.floor(Math.min(...logs))
  const most = Math.max(least + 1, Math.ceil(Math.max(...logs)))
  return {
    position: (value: number) => ((Math.log10(value) - least) / (most - least)) * length,
    powers: Array.from({ length: most - least + 1 }, (_, at) => 10 ** (least + at)),
  }
}

/** Formats 1200 as 1.2k and 3000000 as 3M; small numbers have two significant digits. */
function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(2))}M`
  if (value >= 1e3) return `${Number((value / 1e3).toPrecision(2))}k`
  return String(Number(value.toPrecision(2)))
}
