import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import { Badge, EmptyState, Panel } from '@headwater/web-kit'
import { type InsightContent } from '@headwater/tile-data/contract'
import {
  diffContents,
  isSame,
  maxFieldChanges,
  type FieldChange,
  type Insight,
} from '../../contract/index.ts'
import { dataChanges, type DataChanges, isDataField, symbolChanges, type TileSide } from './data-changes.ts'
import { pathLabel, valueText } from './part-label.ts'
import styles from './Versions.module.css'

/** Maximum number of visible characters of a value. */
const maxValueCharacters = 2000

/** Differences between two versions: tile by tile, field by field, the old value beside the new one. */
export function ContentDiffView({ before, after }: { before: Insight; after: Insight }) {
  const [old, now] = [apart(before.content), apart(after.content)]
  const diff = diffContents(old.content, now.content)
  const basket = symbolChanges(old.basket, now.basket)
  const unused = symbolChanges(old.unused, now.unused)
  const rest = [...infoChanges(before, after), ...diff.rest]
  const sideOf = (id: string, { content }: Insight): TileSide | undefined => {
    const tile = content.tiles.find((each) => each.id === id)
    return tile && { tile, content }
  }
  if (isSame(diff) && rest.length === 0 && isNothing(basket) && isNothing(unused))
    return (
      <EmptyState title="Nothing changed">
        Version {after.version} is identical to version {before.version}.
      </EmptyState>
    )
  return (
    <div className={styles.diff}>
      {diff.reordered ? (
        <p className={styles.order}>
          <IconArrowsSort size={16} stroke={1.6} aria-hidden="true" /> The tiles are in a different order.
        </p>
      ) : null}
      {diff.tiles.map(({ id, title, type, change, fields }) => {
        const data = dataChanges(sideOf(id, before), sideOf(id, after))
        const others = isNothing(data) ? fields : fields.filter((field) => !isDataField(field))
        return (
          <Panel
            key={`${id} ${change}`}
            className={styles.tile}
            title={title || 'Untitled'}
            note={<Badge kind={change === 'removed' ? 'warn' : 'accent'}>{changeNames[change]}</Badge>}
            actions={<span className={styles.kind}>{type}</span>}
          >
            <Data label={title} data={data} />
            {others.length === 0 ? null : <Fields label={title} fields={others} />}
          </Panel>
        )
      })}
      {isNothing(basket) ? null : (
        <Panel title="The basket" className={styles.tile}>
          <Data label="the basket" data={basket} />
        </Panel>
      )}
      {isNothing(unused) ? null : (
        <Panel title="Unused data" className={styles.tile}>
          <Data label="unused symbols" data={unused} />
        </Panel>
      )}
      {rest.length === 0 ? null : (
        <Panel title="Insight settings" className={styles.tile}>
          <Fields label="Insight settings" fields={rest} />
        </Panel>
      )}
    </div>
  )
}

const changeNames = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const

/** Changes of a tile as text; changes without a text are listed as stored, collapsed. */
function Data({ label, data: { changes, rest } }: { label: string; data: DataChanges }) {
  return (
    <>
      {changes.length === 0 ? null : (
        <ul className={styles.data} aria-label={`Data of ${label}`}>
          {changes.slice(0, maxFieldChanges).map(({ kind, text }, index) => (
            <li key={`${index} ${text}`}>
              <span className={styles.kind}>{changeNames[kind]}</span>
              <span>{text}</span>
            </li>
          ))}
          {changes.length > maxFieldChanges ? (
            <li className={styles.kind}>The first {maxFieldChanges} differences are listed.</li>
          ) : null}
        </ul>
      )}
      {rest.length === 0 ? null : (
        <details className={styles.stored}>
          <summary>Stored definition (JSON)</summary>
          {rest.map(({ path, before, after }) => (
            <div key={path} className={styles.storedPair}>
              <p>{path}</p>
              <span className={styles.kind}>Before</span>
              <span className={styles.kind}>After</span>
              <Json label={`${path}, before`} value={before} />
              <Json label={`${path}, after`} value={after} />
            </div>
          ))}
        </details>
      )}
    </>
  )
}

function Json({ label, value }: { label: string; value: unknown }) {
  const text = value === undefined ? 'not set' : JSON.stringify(value, null, 2)
  return (
    <pre tabIndex={0} role="group" aria-label={label}>
      {shortened(text)}
    </pre>
  )
}

function isNothing({ changes, rest }: DataChanges): boolean {
  return changes.length === 0 && rest.length === 0
}

/** Separates the series that belong to no tile from the rest of a definition. */
function apart(content: InsightContent): { content: InsightContent; basket: unknown; unused: unknown[] } {
  const ids = new Set(content.tiles.map(({ id }) => id))
  const preps = Object.entries(content.datapreps ?? {})
  const { basket } = content
  const hasItems = typeof basket === 'object' && basket !== null && 'items' in basket
  return {
    content: {
      ...content,
      datapreps: Object.fromEntries(preps.filter(([id]) => ids.has(id))),
      basket: hasItems ? { ...basket, items: undefined } : basket,
    },
    basket: hasItems ? basket.items : undefined,
    unused: preps.flatMap(([id, prep]) => (ids.has(id) ? [] : symbolsOf(prep))),
  }
}

function symbolsOf(prep: unknown): unknown[] {
  const { symbols } = (prep ?? {}) as { symbols?: unknown }
  return Array.isArray(symbols) ? symbols : []
}

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
        <p className={styles.kind}>The first {maxFieldChanges} differences are listed.</p>
      ) : null}
    </div>
  )
}

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span className={styles.none}>not set</span>
  if (value === '') return <span className={styles.none}>empty</span>
  const text = valueText(value)
  return <span>{shortened(text)}</span>
}

function shortened(text: string): string {
  return text.length > maxValueCharacters ? `${text.slice(0, maxValueCharacters)}…` : text
}

function infoChanges(before: Insight, after: Insight): FieldChange[] {
  const compared = [
    { path: 'description', before: before.description, after: after.description },
    { path: 'tags', before: before.tags.join(', '), after: after.tags.join(', ') },
  ]
  return compared.filter((change) => change.before !== change.after)
}
