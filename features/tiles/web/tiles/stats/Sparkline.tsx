import type { StatPoint } from '@headwater/tile-data/core'
import styles from './StatFigure.module.css'

const width = 200
const height = 40
/** Maximum number of buckets. Each draws its minimum and maximum. */
const buckets = 100

/** A sparkline. It is decorative, because the text beside it has the values. */
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

/** Returns the SVG path of a sparkline. Of many points, it keeps the minimum and maximum of each bucket, so no peak is lost. */
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
