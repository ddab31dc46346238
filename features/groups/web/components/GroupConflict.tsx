import { ConflictDialog } from '@headwater/web-kit'
import type { Group } from '../../contract/index.ts'
import { draftOf } from '../group-draft.ts'
import type { GroupDraft } from '../groups-client.ts'
import styles from './GroupConflict.module.css'

/** Compares the edits of a group with the newer version that another user saved. */
export function GroupConflict({
  newer,
  draft,
  ...actions
}: {
  newer: Group
  draft: GroupDraft
  onOverwrite: () => void
  onDiscard: () => void
  onClose: () => void
}) {
  const stored = textsOf(draftOf(newer))
  const edited = textsOf(draft)
  const names = (Object.keys(stored) as (keyof typeof stored)[]).filter(
    (name) => stored[name] !== edited[name],
  )
  return (
    <ConflictDialog {...actions} author={newer.changedBy} version={newer.version} isSame={names.length === 0}>
      {names.map((name) => (
        <li key={name} className={styles.difference}>
          <span>{name}</span>
          <span className={styles.label}>{`Version ${newer.version}`}</span>
          <span>{stored[name] || 'Empty'}</span>
          <span className={styles.label}>Yours</span>
          <span>{edited[name] || 'Empty'}</span>
        </li>
      ))}
    </ConflictDialog>
  )
}

function textsOf({ description, groupTags, fields }: GroupDraft) {
  const fieldTexts = fields.map(({ name, type, defaultValue = '' }) =>
    [name, type, ...(defaultValue === '' ? [] : [`default ${defaultValue}`])].join(', '),
  )
  return {
    Description: description,
    Tags: groupTags.toSorted().join(', '),
    'File metadata': fieldTexts.join('; '),
  }
}
