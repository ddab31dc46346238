import { NewerVersion } from '@headwater/accounts/web'
import { ConflictDialog } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import type { PipelineDifference, TaskChange } from '../../core/index.ts'
import styles from './PipelineConflictDialog.module.css'

const labels: Readonly<Record<TaskChange['kind'], string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
}

/**
 * Dialog about a newer version of a pipeline. Lists how the edits differ from it; the user can save the edits over it or
 * discard them.
 */
export function PipelineConflictDialog({
  newest,
  edited,
  difference,
  onOverwrite,
  onOpenNewest,
  onClose,
}: {
  /** The newer version. */
  newest: Pick<Pipeline, 'version' | 'lastChangeBy' | 'modifyDate'>
  /** The version that the edits are based on. */
  edited: { version: number; latest?: boolean } | undefined
  /** Difference from the newer version to the edits of the user. */
  difference: PipelineDifference
  onOverwrite: () => void
  onOpenNewest: () => void
  onClose: () => void
}) {
  const { fields, tasks } = difference
  return (
    <ConflictDialog
      text={
        <NewerVersion
          newer={{ version: newest.version, author: newest.lastChangeBy, savedAt: newest.modifyDate }}
          edited={edited}
        />
      }
      differences={[
        ...fields.map((field) => <li key={`field ${field}`}>{`Pipeline: ${field}`}</li>),
        ...tasks.map(({ id, name, kind, fields: changed }) => (
          <li key={id} data-kind={kind}>
            <span className={styles.kind}>{labels[kind]}</span> {name}
            {changed.length === 0 ? null : <span className={styles.fields}>{changed.join(', ')}</span>}
          </li>
        )),
      ]}
      onOverwrite={onOverwrite}
      onDiscard={onOpenNewest}
      onClose={onClose}
    />
  )
}
