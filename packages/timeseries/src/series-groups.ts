import type { AnswerColumn } from './answer-format.ts'
import type { SeriesLabel } from './series-engine.ts'
import { openSeriesScope, type SeriesScope } from './series-scope.ts'
import type { SqlConnection } from './sql-connection.ts'

/** The series that have the same symbols. */
export interface SeriesGroup {
  /** What the response shows of them; the `sid` is the number of the group. */
  label: SeriesLabel
  /** Columns that are asked of any of them. */
  asked: readonly AnswerColumn[]
}

/** Gathers series by their symbols, as the series come by. */
export class SeriesGroups {
  readonly #groups = new Map<string, { label: SeriesLabel; asked: Set<readonly AnswerColumn[]> }>()

  /**
   * @param asked columns that are asked of the series; of the series of one selection the same list
   * @returns the number of its group, from 0 in the order of their first series
   */
  add({ symbols }: SeriesLabel, asked: readonly AnswerColumn[]): number {
    const key = JSON.stringify(symbols)
    const group = this.#groups.get(key) ?? {
      label: { sid: this.#groups.size, symbols },
      asked: new Set<readonly AnswerColumn[]>(),
    }
    this.#groups.set(key, group)
    group.asked.add(asked)
    return group.label.sid
  }

  /** The groups in the order of their numbers. */
  all(): SeriesGroup[] {
    return [...this.#groups.values()].map(({ label, asked }) => ({ label, asked: [...asked].flat() }))
  }

  /**
   * The groups as SQL.
   * @param labelsOf texts that go with a group
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
