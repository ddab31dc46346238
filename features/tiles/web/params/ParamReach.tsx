import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { Tile } from '../../contract/index.ts'
import { reachText, type TileReach } from '../../core/insight/param-reach.ts'
import { fieldsOf, type ParamSet } from '../../core/params/param-set.ts'
import { rangeField } from '../../core/params/param-values.ts'
import styles from './ParamReach.module.css'
import { useReach } from './use-reach.ts'

/** Says which tiles follow a set or one of its fields, and why others cannot. */
export function ParamReach({
  set,
  tiles,
  only,
  withProblems,
}: {
  set: ParamSet
  /** The tiles that are meant. */
  tiles: readonly Tile[]
  /** Name of the one field that is meant, or `rangeField`; default all of them. */
  only?: string | undefined
  /** Whether the tiles that cannot follow are named, which only authors can change. */
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

/** What a tile that is bound to a set follows of it, and what it does not. */
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
