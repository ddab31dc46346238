import type { ColumnSpec, PointBatch, SeriesQuery, StageMode } from '../src/series-engine.ts'

export type PlainValue = number | string | null

interface PlainPoint {
  sid: number
  ts: number
  ver: number
  values: Map<number, PlainValue>
}

/** What the engine must answer, written as plainly and slowly as possible: lists and loops over all points of one dataset. */
export class PlainDataset {
  #points: PlainPoint[] = []
  #columns = new Set<number>()

  /** Returns the number of rows that became visible. */
  upload(
    version: number,
    mode: StageMode,
    columns: readonly ColumnSpec[],
    batches: readonly PointBatch[],
  ): number {
    for (const { id } of columns) this.#columns.add(id)
    const fresh = new Map<string, PlainPoint>()
    for (const batch of batches) {
      batch.sids.forEach((sid, row) => {
        const values = new Map(columns.map(({ id }, index) => [id, plainValue(batch.values[index]![row]!)]))
        fresh.set(`${sid} ${batch.timestamps[row]}`, {
          sid,
          ts: batch.timestamps[row]!,
          ver: version,
          values,
        })
      })
    }
    const added: PlainPoint[] = []
    for (const point of fresh.values()) {
      const stored = this.#latest(point.sid, point.ts)
      const get = (values: Map<number, PlainValue> | undefined, id: number) => values?.get(id) ?? null
      if (mode === 'partial') {
        if (columns.every(({ id }) => get(point.values, id) === null)) continue
        for (const id of this.#columns) point.values.set(id, get(point.values, id) ?? get(stored?.values, id))
      }
      const isSame = [...this.#columns].every((id) => get(point.values, id) === get(stored?.values, id))
      if (mode === 'changes' && isSame) continue
      added.push(point)
    }
    this.#points.push(...added)
    return added.length
  }

  remove(version: number): void {
    this.#points = this.#points.filter((point) => point.ver !== version)
  }

  listVersions() {
    const counts = new Map<number, number>()
    for (const { ver } of this.#points) counts.set(ver, (counts.get(ver) ?? 0) + 1)
    return [...counts].sort(([a], [b]) => a - b).map(([version, rows]) => ({ version, rows }))
  }

  statistics() {
    const all = [...this.#columns]
    const facts = new Map<
      number,
      { sid: number; firstTimestamp: number; lastTimestamp: number; count: number }
    >()
    for (const { sid, ts } of this.rows({}, [...new Set(this.#points.map((point) => point.sid))], all)) {
      const fact = facts.get(sid) ?? { sid, firstTimestamp: ts, lastTimestamp: ts, count: 0 }
      fact.firstTimestamp = Math.min(fact.firstTimestamp, ts)
      fact.lastTimestamp = Math.max(fact.lastTimestamp, ts)
      fact.count++
      facts.set(sid, fact)
    }
    return [...facts.values()].sort((a, b) => a.sid - b.sid)
  }

  /** Rows of a selection in the order of the answer; the zone must be UTC. */
  rows(query: Partial<SeriesQuery>, sids: readonly number[], columns: readonly number[]): PlainPoint[] {
    const { corrections = 'false', delta = false, asOf = Number.POSITIVE_INFINITY, order = 'asc' } = query
    const range = query.range ?? { kind: 'ALL' }
    const hasValue = (point: PlainPoint) => columns.some((id) => (point.values.get(id) ?? null) !== null)
    const selected = this.#points.filter((point) => sids.includes(point.sid))

    let from = Number.NEGATIVE_INFINITY
    let to = Number.POSITIVE_INFINITY
    if (range.kind === 'BETWEEN') {
      from = range.from ?? from
      to = range.to ?? to
    } else if (range.kind !== 'ALL' && range.unit !== 'VALUES') {
      const seen = this.rows({ corrections, asOf: query.asOf }, sids, columns)
      if (range.anchor === undefined && seen.length === 0) return []
      const anchor = range.anchor ?? Math.max(...seen.map((point) => point.ts))
      if (range.kind === 'LAST') {
        to = anchor
        from = shift(anchor, -range.amount, range.unit) + 1
      } else {
        from = anchor + 1
        to = shift(anchor, range.amount, range.unit)
      }
    } else if (range.kind !== 'ALL' && range.anchor !== undefined) {
      if (range.kind === 'LAST') to = range.anchor
      else from = range.anchor + 1
    }
    const isByVersion =
      delta && (range.kind === 'BETWEEN' || (range.kind !== 'ALL' && range.unit !== 'VALUES'))
    const inTime = selected.filter((point) => isByVersion || (point.ts >= from && point.ts <= to))
    const known = inTime.filter((point) => point.ver <= Math.min(asOf, isByVersion ? to * 1000 + 999 : asOf))
    const versionsOf = (point: PlainPoint) =>
      known.filter((other) => other.sid === point.sid && other.ts === point.ts)
    let rows = known.filter((point) => !isByVersion || point.ver >= from * 1000)
    if (corrections === 'false')
      rows = rows.filter((point) => versionsOf(point).every((other) => other.ver <= point.ver))
    if (corrections === 'only') rows = rows.filter((point) => versionsOf(point).length > 1)
    rows = rows.filter(hasValue)
    if (range.kind !== 'ALL' && range.kind !== 'BETWEEN' && range.unit === 'VALUES') {
      rows = rows.filter((point) => {
        const times = [...new Set(rows.filter((other) => other.sid === point.sid).map((other) => other.ts))]
        times.sort((a, b) => (range.kind === 'LAST' ? b - a : a - b))
        return times.indexOf(point.ts) < range.amount
      })
    }
    const direction = order === 'desc' ? -1 : 1
    return rows.sort((a, b) =>
      query.sortBy === 'time'
        ? (a.ts - b.ts) * direction || a.sid - b.sid || a.ver - b.ver
        : a.sid - b.sid || (a.ts - b.ts) * direction || a.ver - b.ver,
    )
  }

  #latest(sid: number, ts: number): PlainPoint | undefined {
    return this.#points
      .filter((point) => point.sid === sid && point.ts === ts)
      .sort((a, b) => b.ver - a.ver)[0]
  }
}

function plainValue(value: PlainValue): PlainValue {
  return value === '' || Number.isNaN(value) ? null : value
}

function shift(ms: number, amount: number, unit: string): number {
  const date = new Date(ms)
  if (unit === 'MINUTES') return ms + amount * 60_000
  if (unit === 'HOURS') return ms + amount * 3_600_000
  if (unit === 'DAYS') return ms + amount * 86_400_000
  if (unit === 'WEEKS') return ms + amount * 7 * 86_400_000
  const months = unit === 'MONTHS' ? amount : amount * 12
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}
