import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { Tile } from '@headwater/tile-data/contract'
import { reachText, type TileReach, fieldsOf, type ParamSet, rangeField } from '@headwater/tile-data/core'
import styles from './ParamReach.module.css'
import { useReach } from './use-reach.ts'

/** Describes which tiles follow a set or one of its fields, and why others do not. */
export function ParamReach({
  set,
  tiles,
  only,
  withProblems,
}: {
  set: ParamSet
  /** The tiles to describe. */
  tiles: readonly Tile[]
  /** Name of one field, or `rangeField`; default all fields. */
  only?: string | undefined
  /** Whether tiles that do not follow are listed, for authors. */
  withProblems: boolean
}) {
  const { summary, problems } = reachText(useReach(set, tiles), only)
  return (
    <div className={styles.reach}>
      <p>{summary}</p>
      {withProblems ? problems.map(({ id, text }) => <ReachProblem key={id} text={text} />) : null}
    </div>
  )
}

/** Lists which fields of a set a tile follows and which it does not. */
export function FollowedFields({ set, tile }: { set: ParamSet; tile: Tile }) {
  const reached = useReach(set, [tile])
  const { problems } = reachText(reached)
  const labels = followedLabels(set, reached)
  return labels.length === 0 && problems.length === 0 ? null : (
    <div className={styles.reach} role="status">
      {labels.length === 0 ? null : <p>Parameters that change this tile: {labels.join(', ')}.</p>}
      {problems.map(({ id, text }) => (
        <ReachProblem key={id} text={text} />
      ))}
    </div>
  )
}

function followedLabels(set: ParamSet, reached: readonly TileReach[]): string[] {
  const names = reached.flatMap(({ followed }) => followed)
  const labels = fieldsOf(set).flatMap(({ name, label }) => (names.includes(name) ? [label] : []))
  return names.includes(rangeField) ? [...labels, 'range'] : labels
}

function ReachProblem({ text }: { text: string }) {
  return (
    <p className={styles.problem}>
      <IconAlertTriangle size={14} stroke={1.6} aria-hidden="true" />
      <span>{text}</span>
    </p>
  )
}
