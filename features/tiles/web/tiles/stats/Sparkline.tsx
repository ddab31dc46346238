import type { StatPoint } from '../../../core/tiles/stats/stat-values.ts'
import styles from './StatFigure.module.css'

const width = 200
const height = 40
/** How many upright strokes the line is drawn with at most; each shows the least and the most of its part. */
const buckets = 100

/** The course of a series as a small line; what it shows stands beside it in words. */
export function Sparkline({ points }: { points: readonly StatPoint[] }) {
  if (points.length < 2) return null
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={sparklinePath(points)} />
    </svg>
  )
}

/** The line as an SVG path; of many points the least and the most of each part are kept, so no peak is lost. */
export function sparklinePath(points: readonly StatPoint[]): string {
  const thinnedPoints = thinned(points)
  const first = points[0]!.time
  const span = points.at(-1)!.time - first || 1
  const values = thinnedPoints.map(({ value }) => value)
  const low = Math.min(...values)
  const reach = Math.max(...values) - low || 1
  return thinnedPoints
    .map(({ time, value }, index) => {
      const x = ((time - first) / span) * width
      const y = height - ((value - low) / reach) * height
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

function thinned(points: readonly StatPoint[]): readonly StatPoint[] {
  if (points.length <= 2 * buckets) return points
  const size = points.length / buckets
  const thinnedPoints: StatPoint[] = []
  for (let bucket = 0; bucket < buckets; bucket++) {
    const part = points.slice(Math.floor(bucket * size), Math.floor((bucket + 1) * size))
    const least = part.reduce((a, b) => (b.value < a.value ? b : a))
    const most = part.reduce((a, b) => (b.value > a.value ? b : a))
    thinnedPoints.push(...(least.time <= most.time ? [least, most] : [most, least]))
  }
  return thinnedPoints
}
