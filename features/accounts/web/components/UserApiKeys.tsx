import { useMemo } from 'react'
import { Button, DataTable, EmptyState } from '@headwater/web-kit'
import type { ApiKey } from '../../contract/index.ts'
import { apiKeyColumns } from './api-key-columns.tsx'
import type { UserAction } from './UserActionDialog.tsx'
import styles from './UserAccess.module.css'

/** The API keys of a user; `onAct` is absent if the caller cannot delete them. */
export function UserApiKeys({
  keys,
  onAct,
}: {
  keys: readonly ApiKey[] | undefined
  onAct: ((action: UserAction) => void) | undefined
}) {
  const columns = useMemo(
    () =>
      apiKeyColumns(
        onAct && {
          label: (key) => `Revoke the key ${key.label}`,
          onClick: (key) => onAct({ kind: 'revokeKey', key }),
        },
      ),
    [onAct],
  )
  const hasSeveral = keys !== undefined && keys.length > 1
  return (
    <section aria-label="API keys">
      <div className={styles.head}>
        <h2 className={styles.title}>API keys</h2>
        {onAct !== undefined && hasSeveral ? (
          <Button onClick={() => onAct({ kind: 'revokeAllKeys' })}>Revoke all keys</Button>
        ) : null}
      </div>
      <div className={styles.table}>
        <DataTable
          label="API keys"
          columns={columns}
          rows={keys}
          rowKey={(key) => String(key.id)}
          empty={<EmptyState title="No API keys">This user has no API keys.</EmptyState>}
        />
      </div>
    </section>
  )
}
