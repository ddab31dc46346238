import { useState } from 'react'
import { PageHeader } from '@headwater/web-kit'
import { useCanWriteSecrets } from '../secrets-client.ts'
import { NewSecretButton } from './NewSecretButton.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { SecretsTable } from './SecretsTable.tsx'

/** Own secrets of the user, which only tasks that the user runs can use. */
export default function SecretsTab() {
  const canWrite = useCanWriteSecrets()
  const [isCreating, setCreating] = useState(false)
  const create = canWrite ? <NewSecretButton onClick={() => setCreating(true)} /> : null
  return (
    <>
      <PageHeader actions={create} />
      <SecretsTable groupName={undefined} canWrite={canWrite} create={create} />
      <SecretDialog open={isCreating} groupName={undefined} onClose={() => setCreating(false)} />
    </>
  )
}
