import { useState } from 'react'
import { ToolHeader, type ToolProps } from '@headwater/web-kit'
import { useCanWriteSecrets } from '../secrets-client.ts'
import styles from './GroupSecretsTool.module.css'
import { NewSecretButton } from './NewSecretButton.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { SecretsTable } from './SecretsTable.tsx'

/** Tool with the secrets of a group. Its tasks and pipelines use them. */
export default function GroupSecretsTool({ id: groupName, editable = false }: ToolProps) {
  const canWrite = useCanWriteSecrets() && editable
  const [isCreating, setCreating] = useState(false)
  const create = canWrite ? <NewSecretButton onClick={() => setCreating(true)} /> : null
  return (
    <div className={styles.body}>
      <ToolHeader note="Tasks and pipelines of the group use them" actions={create} />
      <SecretsTable groupName={groupName} canWrite={canWrite} create={create} />
      <SecretDialog open={isCreating} groupName={groupName} onClose={() => setCreating(false)} />
    </div>
  )
}
