import { Button, Dialog, FormActions } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import type { PipelineDifference, TaskChange } from '../../core/index.ts'
import styles from './ConflictDialog.module.css'

const labels: Readonly<Record<TaskChange['kind'], string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
}

/** Dialog about a newer version of a pipeline: lists the difference of the edits, which the user can save over it or discard. */
export function ConflictDialog({
  newest,
  difference,
  onOverwrite,
  onOpenNewest,
  onClose,
}: {
  /** The newer version. */
  newest: Pick<Pipeline, 'version' | 'lastChangeBy'>
  /** Difference from the newer version to the edits of the user. */
  difference: PipelineDifference
  onOverwrite: () => void
  onOpenNewest: () => void
  onClose: () => void
}) {
  const { fields, tasks } = difference
  return (
    <Dialog open onClose={onClose} title="A newer version exists" width={520}>
      <p>
        {`${newest.lastChangeBy ?? 'Another user'} saved version ${newest.version} while you edited. Saving over it makes these changes to that version:`}
      </p>
      {fields.length + tasks.length === 0 ? (
        <p className={styles.same}>None: both versions have the same content.</p>
      ) : (
        <ul className={styles.list} aria-label="Differences" tabIndex={0}>
          {fields.map((field) => (
            <li key={field}>{`Pipeline: ${field}`}</li>
          ))}
          {tasks.map(({ id, name, kind, fields: changed }) => (
            <li key={id} data-kind={kind}>
              <span className={styles.kind}>{labels[kind]}</span> {name}
              {changed.length === 0 ? null : <span className={styles.fields}>{changed.join(', ')}</span>}
            </li>
          ))}
        </ul>
      )}
      <FormActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button onClick={onOpenNewest}>Discard my changes</Button>
        <Button variant="primary" onClick={onOverwrite}>
          Save over it
        </Button>
      </FormActions>
    </Dialog>
  )
}
