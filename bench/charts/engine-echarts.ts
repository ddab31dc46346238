import { BarChart, LineChart, ScatterChart } from 'echarts/charts'
import { DataZoomComponent, GridComponent, LegendComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { HEIGHT, WIDTH } from './engine.ts'
import type { Engine } from './engine.ts'
import { offer } from './measuring-page.ts'

register([
  LineChart,
  BarChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  DataZoomComponent,
  CanvasRenderer,
])

/** Settings that its handbook recommends for many points: sampling lttb, large mode, no symbols, no animation, typed arrays. */
const engine: Engine = {
  make(container, series) {
    const chart = init(container, undefined, { width: WIDTH, height: HEIGHT })
    chart.setOption({
      animation: false,
      legend: { bottom: 0 },
      grid: { left: 50, right: 50, top: 10, bottom: 60 },
      xAxis: { type: 'time' },
      yAxis: series.some(({ right }) => right) ? [{ type: 'value' }, { type: 'value' }] : [{ type: 'value' }],
      dataZoom: [{ type: 'inside', xAxisIndex: 0, filterMode: 'filter' }],
      series: series.map(({ name, kind, right, x, y }) => {
        const data = new Float64Array(x.length * 2)
        for (let i = 0; i < x.length; i++) {
          data[2 * i] = x[i]!
          data[2 * i + 1] = y[i]!
        }
        const common = { name, data, dimensions: ['x', 'y'], yAxisIndex: right ? 1 : 0 }
        if (kind === 'bars') return { ...common, type: 'bar', large: true }
        if (kind === 'scatter') return { ...common, type: 'scatter', large: true, symbolSize: 5 }
        const areaStyle = kind === 'area' ? { opacity: 0.13 } : undefined
        return {
          ...common,
          type: 'line',
          sampling: 'lttb',
          showSymbol: false,
          lineStyle: { width: 1.4 },
          areaStyle,
        }
      }),
    })
    return {
      pan: (from, to) => chart.dispatchAction({ type: 'dataZoom', startValue: from, endValue: to }),
      destroy: () => chart.dispose(),
    }
  },
}

offer(engine)
