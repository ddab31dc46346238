/** A series with the values that can distinguish it from others with the same label. */
export interface LabelledSeries {
  /** Label of the series alone. */
  label: string
  /** Its symbols: values by key. */
  symbolList: readonly Readonly<Record<string, string>>[]
  /** Its value column. */
  column: string
  /** Its group. */
  groupName: string
  /** Period of its moving average; undefined if it has none. */
  movingAverage?: number | undefined
  /** Its y axis; undefined if there is only one. */
  axis?: 'left' | 'right' | 'automatic' | undefined
}

/**
 * Returns labels that distinguish the series. Equal labels get the first of these values that differs: a symbol key,
 * the column, the group, the moving average or the axis. If one value is not enough, they get all of them. If the
 * series are equal, they get a number.
 */
export function distinctLabels(series: readonly LabelledSeries[]): string[] {
  const byLabel = new Map<string, number[]>()
  for (const [index, { label }] of series.entries())
    byLabel.set(label, [...(byLabel.get(label) ?? []), index])
  const labels = series.map(({ label }) => label)
  for (const indexes of byLabel.values()) {
    if (indexes.length < 2) continue
    const names = labelsOfEqual(indexes.map((index) => series[index]!))
    for (const [at, index] of indexes.entries()) labels[index] = names[at]!
  }
  return numbered(labels)
}

function labelsOfEqual(series: readonly LabelledSeries[]): string[] {
  const keys = new Set(
    series.flatMap(({ symbolList }) => symbolList.flatMap((symbols) => Object.keys(symbols))),
  )
  const details = [
    ...[...keys].map((key) =>
      series.map(({ symbolList }) => joined(symbolList.map((symbols) => symbols[key]))),
    ),
    series.map(({ column }) => column),
    series.map(({ groupName }) => groupName),
    series.map(({ movingAverage }) => (movingAverage === undefined ? '' : `average of ${movingAverage}`)),
    series.map(({ axis }) => (axis === 'right' ? 'right axis' : '')),
  ]
  const differing = details.filter((texts) => new Set(texts).size > 1)
  const single = differing.find((texts) => new Set(texts).size === series.length)
  const used = single === undefined ? differing : [single]
  return series.map(({ label }, at) =>
    [label, ...used.map((texts) => texts[at]!)].filter((text) => text !== '').join(' · '),
  )
}

function joined(values: readonly (string | undefined)[]): string {
  return [...new Set(values.filter((value) => value !== undefined && value !== ''))].join(' + ')
}

/** Appends a number to each label that is already used. */
function numbered(labels: readonly string[]): string[] {
  const taken = new Set<string>()
  return labels.map((label) => {
    let free = label
    for (let number = 2; taken.has(free); number++) free = `${label} (${number})`
    taken.add(free)
    return free
  })
}
