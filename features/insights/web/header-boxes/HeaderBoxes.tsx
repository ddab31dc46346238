import { useMemo } from 'react'
import { Skeleton } from '@headwater/web-kit'
import type { DataPrepSymbols } from '@headwater/tile-data/contract'
import { usePatterns } from '@headwater/tile-data/web'
import {
  useSelectedInView,
  useReportRefresh,
  PatternBadge,
  useSeriesTile,
  useTileExport,
  StatFigure,
} from '@headwater/tiles/web'
import { useAppliedParams } from '../params/use-applied-params.ts'
import { valueText, statValues, statsTile, type HeaderBox, tileOfBox } from '@headwater/tile-data/core'
import styles from './HeaderBoxes.module.css'

/** A statistic box contains its own series, so it gets no symbols. */
const noSymbols: readonly DataPrepSymbols[] = []

/** The boxes above the tiles of an insight. In the builder a box is selected by a click. */
export default function HeaderBoxes({
  boxes,
  editing,
  selectedId,
  onSelect,
}: {
  boxes: readonly HeaderBox[]
  editing: boolean
  selectedId: string | undefined
  onSelect: (id: string) => void
}) {
  return (
    <ul
      ref={useSelectedInView(editing ? selectedId : undefined)}
      className={styles.boxes}
      aria-label="Summary"
      data-background
    >
      {boxes.map((box) => (
        <li
          key={box.id}
          className={styles.box}
          data-selected={(editing && box.id === selectedId) || undefined}
        >
          {editing ? (
            <button
              type="button"
              className={styles.select}
              aria-label={`Edit ${box.title === '' ? 'box' : box.title}`}
              aria-pressed={box.id === selectedId}
              onClick={() => onSelect(box.id)}
            />
          ) : null}
          <h2 className={styles.title} title={box.title}>
            {box.title}
          </h2>
          {box.content === 'STATISTIC' ? <Statistic box={box} /> : <Text box={box} />}
        </li>
      ))}
    </ul>
  )
}

function Text({ box }: { box: HeaderBox }) {
  const { fill } = useAppliedParams()
  const text = fill(box.text)
  useTileExport(box.id, { state: 'ready', figure: () => text })
  return text.trim() === '' ? (
    <p className={styles.quiet}>No text yet</p>
  ) : (
    <p className={styles.text}>{text}</p>
  )
}

/** The value of a series, or the reason why the series has no value. */
function Statistic({ box }: { box: HeaderBox }) {
  const tile = useMemo(() => tileOfBox(box), [box])
  const definition = useMemo(() => statsTile.parse(tile), [tile])
  const { series, range } = useSeriesTile(tile, noSymbols)
  const { results, error, forbiddenGroups, refreshedAt } = series
  const { patterns, problems } = usePatterns(definition.conditionalFormatting)
  const [value] = useMemo(
    () => (results ? statValues(definition, results, range, patterns) : []),
    [results, definition, range, patterns],
  )
  useReportRefresh(box.id, refreshedAt, value?.newest)
  useTileExport(box.id, {
    state: 'ready',
    figure: () => (value?.value === undefined ? '' : valueText(value.value, value.unit, value.decimals)),
  })
  if (definition.series.length === 0)
    return <p className={styles.quiet}>No series yet. Edit this box to choose one.</p>
  if (error) return <p className={styles.problem}>{error.message}</p>
  if (results === undefined) return <Skeleton width={90} height={20} />
  if (value === undefined || value.points.length === 0)
    return (
      <p className={styles.quiet}>
        {forbiddenGroups.length > 0
          ? `You cannot read ${forbiddenGroups.join(', ')}`
          : 'No values in this range'}
      </p>
    )
  return (
    <>
      <StatFigure value={value} definition={definition} refreshedAt={refreshedAt} />
      <PatternBadge problems={problems} />
    </>
  )
}
