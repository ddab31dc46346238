import { createChart } from '@headwater/charts'
import { HEIGHT, WIDTH } from './engine.ts'
import type { Engine } from './engine.ts'
import { offer } from './measuring-page.ts'

const engine: Engine = {
  make(container, series) {
    container.style.width = `${WIDTH}px`
    container.style.height = `${HEIGHT}px`
    const chart = createChart(container, {
      legend: { show: true },
      series: series.map(({ name, kind, right, x, y }) => ({
        label: name,
        kind,
        axis: right ? 'right' : 'left',
        x,
        y,
      })),
    })
    return { pan: (from, to) => chart.zoom(from, to), destroy: () => chart.destroy() }
  },
}

offer(engine)
