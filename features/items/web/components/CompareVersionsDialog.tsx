import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Dialog, EmptyState, Select } from '@headwater/web-kit'
import styles from './CompareVersionsDialog.module.css'

const widthPx = 960

/** The numbers of two versions of an item. */
export interface ComparedVersions {
  /** The earlier version. */
  before: number
  /** The later version. */
  after: number
}

/** Dialog with the difference between two versions of an item, which the user selects. */
export function CompareVersionsDialog({
  newest,
  compared,
  onChange,
  onClose,
  children,
}: {
  /** Number of the newest version. */
  newest: number
  compared: ComparedVersions
  onChange: (compared: ComparedVersions) => void
  onClose: () => void
  /** The difference between the compared versions. */
  children: ReactNode
}) {
  const options = Array.from({ length: newest }, (_, at) => newest - at).map((version) => ({
    value: String(version),
    label: `v${version}`,
  }))
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
        {children}
      </div>
    </Dialog>
  )
}

/** Settings that differ between two versions, as a table. Nothing without settings. */
export function ChangedSettings({
  settings,
}: {
  settings: readonly { label: string; before: string | undefined; after: string | undefined }[]
}) {
  if (settings.length === 0) return null
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
        {settings.map(({ label, before, after }, index) => (
          <tr key={`${index} ${label}`}>
            <th scope="row">{label}</th>
            <td>{before || '—'}</td>
            <td>{after || '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The note in place of a difference between versions with the same content. */
export function SameVersions() {
  return <EmptyState title="No changes">Both versions have the same content.</EmptyState>
}

/** The compared versions, stored in the URL as `compare=1-3`. */
export function useComparedVersions() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const [, before, after] = /^(\d{1,9})-(\d{1,9})$/.exec(search.get('compare') ?? '') ?? []
  const set = (compared: ComparedVersions | undefined): void => {
    const next = compared === undefined ? '' : `?compare=${compared.before}-${compared.after}`
    void navigate({ search: next }, { replace: true })
  }
  return [
    before === undefined || after === undefined
      ? undefined
      : { before: Number(before), after: Number(after) },
    set,
  ] as const
}
