import { useQuery } from '@tanstack/react-query'
import { FileDifference } from '@headwater/editors/web'
import { Dialog, EmptyState, ErrorState, Select, Skeleton } from '@headwater/web-kit'
import type { Task } from '../../contract/index.ts'
import { type SettingChange, taskDifference } from '../../core/index.ts'
import { taskQuery } from '../tasks-client.ts'
import styles from './CompareVersionsDialog.module.css'

const widthPx = 960

/** The numbers of two versions of a task. */
export interface ComparedVersions {
  /** The earlier version. */
  before: number
  /** The later version. */
  after: number
}

/** Difference between two versions of a task: settings and parameters as a table, scripts by line. */
export function CompareVersionsDialog({
  taskId,
  versions,
  compared,
  onChange,
  onClose,
}: {
  taskId: string
  /** Numbers of all versions, newest first. */
  versions: readonly number[]
  compared: ComparedVersions
  onChange: (compared: ComparedVersions) => void
  onClose: () => void
}) {
  const before = useQuery(taskQuery(taskId, String(compared.before)))
  const after = useQuery(taskQuery(taskId, String(compared.after)))
  const options = versions.map((version) => ({ value: String(version), label: `v${version}` }))
  const error = before.error ?? after.error
  return (
    <Dialog open title="Compare versions" width={widthPx} onClose={onClose}>
      <div className={styles.body}>
        <div className={styles.choice}>
          <Select
            label="From"
            value={String(compared.before)}
            options={options}
            onChange={(version) => onChange({ ...compared, before: Number(version) })}
          />
          <Select
            label="To"
            value={String(compared.after)}
            options={options}
            onChange={(version) => onChange({ ...compared, after: Number(version) })}
          />
        </div>
        {error !== null ? (
          <ErrorState
            error={error}
            onRetry={() => {
              void before.refetch()
              void after.refetch()
            }}
          />
        ) : before.data === undefined || after.data === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <Difference before={before.data} after={after.data} />
        )}
      </div>
    </Dialog>
  )
}

function Difference({ before, after }: { before: Task; after: Task }) {
  const { settings, scripts } = taskDifference(before, after)
  if (settings.length + scripts.length === 0)
    return <EmptyState title="No changes">Both versions have the same content.</EmptyState>
  return (
    <>
      {settings.length === 0 ? null : <Settings settings={settings} />}
      {scripts.map((script) => (
        <FileDifference key={script.name} fileName={`${script.name}.py`} {...script} />
      ))}
    </>
  )
}

function Settings({ settings }: { settings: readonly SettingChange[] }) {
  return (
    <table className={styles.settings} aria-label="Changed settings">
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {settings.map(({ label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{before || '—'}</td>
            <td>{after || '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
