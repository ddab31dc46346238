import { createTheme, dateTime, FieldType, getDisplayProcessor } from '@grafana/data'
import type { DataFrame, TimeRange } from '@grafana/data'
import { AxisPlacement, GraphDrawStyle, LegendDisplayMode, VisibilityMode } from '@grafana/schema'
import { TimeSeries } from '@grafana/ui'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { HEIGHT, WIDTH } from './engine.ts'
import type { BenchSeries, Engine } from './engine.ts'
import { offer } from './measuring-page.ts'

const theme = createTheme()

function toFrame({ name, kind, right, x, y }: BenchSeries): DataFrame {
  const drawStyle = {
    area: GraphDrawStyle.Line,
    line: GraphDrawStyle.Line,
    bars: GraphDrawStyle.Bars,
    scatter: GraphDrawStyle.Points,
  }[kind]
  const values = {
    name,
    type: FieldType.number,
    values: y as unknown as number[],
    config: {
      custom: {
        drawStyle,
        lineWidth: 1.4,
        pointSize: 5,
        fillOpacity: kind === 'area' ? 13 : kind === 'bars' ? 90 : 0,
        showPoints: kind === 'scatter' ? VisibilityMode.Always : VisibilityMode.Never,
        axisPlacement: right ? AxisPlacement.Right : AxisPlacement.Left,
      },
      unit: right ? 'right' : 'left',
    },
  }
  return {
    length: x.length,
    fields: [
      { name: 'time', type: FieldType.time, config: {}, values: x as unknown as number[] },
      { ...values, display: getDisplayProcessor({ field: values, theme }) },
    ],
  }
}

function toRange(from: number, to: number): TimeRange {
  const range = { from: dateTime(from), to: dateTime(to) }
  return { ...range, raw: range }
}

const engine: Engine = {
  make(container, series) {
    const frames = series.map(toFrame)
    const root = createRoot(container)
    const draw = (from: number, to: number) =>
      root.render(
        createElement(TimeSeries, {
          frames,
          structureRev: 1,
          width: WIDTH,
          height: HEIGHT,
          timeZone: 'utc',
          timeRange: toRange(from, to),
          legend: { showLegend: true, displayMode: LegendDisplayMode.List, placement: 'bottom', calcs: [] },
        }),
      )
    const { x } = series[0]!
    draw(x[0]!, x.at(-1)!)
    return { pan: draw, destroy: () => root.unmount() }
  },
}

offer(engine)
