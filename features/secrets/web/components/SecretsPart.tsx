import { useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Button, PageHeader, ToolHeader, type ToolProps } from '@headwater/web-kit'
import { useCanWriteSecrets } from '../secrets-client.ts'
import { SecretDialog } from './SecretDialog.tsx'
import styles from './SecretsPart.module.css'
import { SecretsTable } from './SecretsTable.tsx'

/**
 * Secrets: as a tool those of a group, which its tasks and pipelines use; as a tab of My account those of the user. One file for
 * both, because each later file adds its name to the first one.
 */
export default function SecretsPart({ id: groupName, editable = true }: Partial<ToolProps>) {
  const canWrite = useCanWriteSecrets() && editable
  const [isCreating, setCreating] = useState(false)
  const create = canWrite ? (
    <Button variant="primary" icon={<IconPlus size={16} stroke={1.6} />} onClick={() => setCreating(true)}>
      New secret
    </Button>
  ) : null
  const list = <SecretsTable groupName={groupName} canWrite={canWrite} create={create} />
  return (
    <>
      {groupName === undefined ? (
        <>
          <PageHeader actions={create} />
          {list}
        </>
      ) : (
        <div className={styles.body}>
          <ToolHeader note="Tasks and pipelines of the group use them" actions={create} />
          {list}
        </div>
      )}
      <SecretDialog open={isCreating} groupName={groupName} onClose={() => setCreating(false)} />
    </>
  )
}
