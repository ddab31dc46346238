import { useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  Button,
  call,
  ConfirmDialog,
  countOf,
  message,
  PageHeader,
  ToolHeader,
  type ToolProps,
} from '@headwater/web-kit'
import { rotateSecretKey } from '../../contract/index.ts'
import { useCanWriteSecrets } from '../secrets-client.ts'
import { SecretDialog } from './SecretDialog.tsx'
import styles from './SecretsPart.module.css'
import { SecretsTable } from './SecretsTable.tsx'

/**
 * The tool with the secrets of a group, and the tab of My account with the user's personal secrets. They share one file because
 * every lazily loaded file adds its name to the entry bundle.
 */
export default function SecretsPart({ id: groupName, editable = true }: Partial<ToolProps>) {
  const canWrite = useCanWriteSecrets() && editable
  const can = useCan()
  const [isCreating, setCreating] = useState(false)
  const [isRotating, setRotating] = useState(false)
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
          <PageHeader
            actions={
              <>
                {can('Administrator') ? (
                  <Button icon={<IconRotate size={16} stroke={1.6} />} onClick={() => setRotating(true)}>
                    Rotate key
                  </Button>
                ) : null}
                {create}
              </>
            }
          />
          <RotateDialog open={isRotating} onClose={() => setRotating(false)} />
          {list}
        </>
      ) : (
        <div className={styles.body}>
          <ToolHeader note="Used by tasks and pipelines of the group" actions={create} />
          {list}
        </div>
      )}
      <SecretDialog open={isCreating} groupName={groupName} onClose={() => setCreating(false)} />
    </>
  )
}

/** Dialog that confirms adding an encryption key, for administrators. */
function RotateDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Rotate key"
      confirmLabel="Rotate key"
      onConfirm={async () => {
        const { count } = await call(rotateSecretKey, {})
        message(`${countOf(count, 'secret')} ${count === 1 ? 'has' : 'have'} been encrypted with a new key.`)
      }}
    >
      Adds an encryption key to this installation and re-encrypts the secrets of all users and groups with it.
      Their values do not change. If you use workers, copy secrets.json from this server to them afterwards.
    </ConfirmDialog>
  )
}
