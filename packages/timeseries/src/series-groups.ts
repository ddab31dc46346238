import type { ResultColumn } from './result-format.ts'
import type { SeriesLabel } from './query-result.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import type { SqlConnection } from './sql-connection.ts'

/** The series that have the same symbols. */
export interface SeriesGroup {
  /** Their label in the result; the `sid` is the number of the group. */
  label: SeriesLabel
  /** Columns that at least one selection requests of them. */
  requested: readonly ResultColumn[]
}

/** Groups series by their symbols. */
export class SeriesGroups {
  readonly #groups = new Map<string, { label: SeriesLabel; requested: Set<readonly ResultColumn[]> }>()

  /**
   * Adds a series.
   * @param requested columns requested of the series; the same list for all series of a selection
   * @returns the number of its group, from 0 in the order of their first series
   */
  add({ symbols }: SeriesLabel, requested: readonly ResultColumn[]): number {
    const key = JSON.stringify(symbols)
    const group = this.#groups.get(key) ?? {
      label: { sid: this.#groups.size, symbols },
      requested: new Set<readonly ResultColumn[]>(),
    }
    this.#groups.set(key, group)
    group.requested.add(requested)
    return group.label.sid
  }

  /** Returns the groups in the order of their numbers. */
  all(): SeriesGroup[] {
    return [...this.#groups.values()].map(({ label, requested }) => ({
      label,
      requested: [...requested].flat(),
    }))
  }

  /**
   * Returns the groups as SQL.
   * @param labelsOf returns the labels of a group
   */
  open(
    connection: SqlConnection,
    labelsOf: (group: SeriesGroup, index: number) => string[],
  ): Promise<SeriesScope> {
    const groups = this.all()
    return openSeriesScope(connection, 'group', {
      sids: groups.map(({ label }) => label.sid),
      labels: groups.map((group, index) => [...labelsOf(group, index), String(index)]),
    })
  }
}
