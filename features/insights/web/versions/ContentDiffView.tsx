import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import { Badge, EmptyState, Panel } from '@headwater/web-kit'
import {
  diffContents,
  isSame,
  maxFieldChanges,
  type FieldChange,
  type Insight,
} from '../../contract/index.ts'
import { pathLabel, valueText } from './part-label.ts'
import styles from './Versions.module.css'

/** The most characters of a value that are shown. */
const maxValueCharacters = 2000

/** What differs between two versions: tile by tile, field by field, the old value beside the new one. */
export function ContentDiffView({ before, after }: { before: Insight; after: Insight }) {
  const diff = diffContents(before.content, after.content)
  const info = infoChanges(before, after)
  const rest = [...info, ...diff.rest]
  if (isSame(diff) && info.length === 0)
    return (
      <EmptyState title="Nothing changed">This version was saved as version {before.version} was.</EmptyState>
    )
  return (
    <div className={styles.diff}>
      {diff.reordered ? (
        <p className={styles.order}>
          <IconArrowsSort size={16} stroke={1.6} aria-hidden="true" /> The tiles stand in another order.
        </p>
      ) : null}
      {diff.tiles.map(({ id, title, type, change, fields }) => (
        <Panel
          key={`${id} ${change}`}
          className={styles.tile}
          title={title || 'Untitled'}
          note={<Badge kind={change === 'removed' ? 'warn' : 'accent'}>{words[change]}</Badge>}
          actions={<span className={styles.kind}>{type}</span>}
        >
          {fields.length === 0 ? null : <Fields label={title} fields={fields} />}
        </Panel>
      ))}
      {rest.length === 0 ? null : (
        <Panel title="The insight itself" className={styles.tile}>
          <Fields label="The insight itself" fields={rest} />
        </Panel>
      )}
    </div>
  )
}

const words = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const

function Fields({ label, fields }: { label: string; fields: readonly FieldChange[] }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={`Changes of ${label}`}>
      <table className={styles.fields}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row" title={path}>
                {pathLabel(path)}
              </th>
              <td>
                <Value value={before} />
              </td>
              <td>
                <Value value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {fields.length >= maxFieldChanges ? (
        <p className={styles.kind}>The first {maxFieldChanges} differences are shown.</p>
      ) : null}
    </div>
  )
}

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span className={styles.none}>not set</span>
  if (value === '') return <span className={styles.none}>empty</span>
  const text = valueText(value)
  return <span>{text.length > maxValueCharacters ? `${text.slice(0, maxValueCharacters)}…` : text}</span>
}

function infoChanges(before: Insight, after: Insight): FieldChange[] {
  const compared = [
    { path: 'description', before: before.description, after: after.description },
    { path: 'tags', before: before.tags.join(', '), after: after.tags.join(', ') },
  ]
  return compared.filter((change) => change.before !== change.after)
}
