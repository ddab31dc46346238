import { useState } from 'react'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import {
  Button,
  EmptyState,
  ErrorNote,
  message,
  Skeleton,
  ToolHeader,
  type ToolProps,
  useUnsavedTool,
} from '@headwater/web-kit'
import type { GroupUser } from '../../contract/index.ts'
import { useGroup } from '../groups-client.ts'
import { AddUsers } from './AddUsers.tsx'
import { addDrafts, changesOf, draftsOf, type ShareDraft, stepText } from './share-draft.ts'
import { ShareList } from './ShareList.tsx'
import { useGroupUsers, useSaveShares, useShareable } from './shares-client.ts'
import styles from './GroupShareTool.module.css'

/** Tool that shares a group: the list of its shares, and a second step that adds users. */
export default function GroupShareTool({ id: groupName, onClose }: ToolProps) {
  const check = useShareable(groupName)
  if (check.error !== null) return <ErrorNote error={check.error} />
  if (check.data === undefined) return <Skeleton lines={4} />
  if (!check.data.shareable)
    return (
      <EmptyState icon={<IconLock size={20} stroke={1.6} />} title="You can't share this group">
        {check.data.reason}
      </EmptyState>
    )
  return <SharesOfGroup groupName={groupName} onClose={onClose} />
}

function SharesOfGroup({ groupName, onClose }: { groupName: string; onClose: () => void }) {
  const users = useGroupUsers(groupName)
  const group = useGroup(groupName)
  if (users.error !== null) return <ErrorNote error={users.error} />
  if (users.data === undefined || group.data === undefined) return <Skeleton lines={4} />
  return (
    <ShareSteps
      groupName={groupName}
      ownAccess={group.data.access}
      users={users.data.items}
      onClose={onClose}
    />
  )
}

function ShareSteps({
  groupName,
  ownAccess,
  users,
  onClose,
}: {
  groupName: string
  ownAccess: GroupUser['access']
  users: readonly GroupUser[]
  onClose: () => void
}) {
  const [saved] = useState(() => draftsOf(users))
  const [drafts, setDrafts] = useState<readonly ShareDraft[]>(saved)
  const [isAdding, setAdding] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>()
  const save = useSaveShares(groupName)
  const changes = changesOf(saved, drafts)
  const hasChanges = changes.shared.length + changes.removed.length > 0
  useUnsavedTool(hasChanges)
  async function onSave() {
    setSaving(true)
    setError(undefined)
    try {
      await save(changes)
      message(changes.shared.length > 0 ? 'Group has been shared.' : 'Access has been revoked.')
      onClose()
    } catch (problem) {
      setError(problem)
      setSaving(false)
    }
  }
  return (
    <div className={styles.body}>
      <ToolHeader
        note={stepText({ isAdding, hasChanges })}
        actions={
          isAdding ? null : (
            <>
              <Button icon={<IconPlus size={16} stroke={1.6} />} onClick={() => setAdding(true)}>
                Add users
              </Button>
              <Button variant="primary" busy={isSaving} disabled={!hasChanges} onClick={() => void onSave()}>
                Save
              </Button>
            </>
          )
        }
      />
      {isAdding ? (
        <AddUsers
          groupName={groupName}
          ownAccess={ownAccess}
          owner={users[0]!.email}
          listed={drafts}
          onBack={() => setAdding(false)}
          onAdd={(added) => {
            setDrafts(addDrafts(drafts, added))
            setAdding(false)
          }}
        />
      ) : (
        <>
          {error === undefined ? null : <ErrorNote error={error} />}
          <ShareList users={users} ownAccess={ownAccess} drafts={drafts} saved={saved} onChange={setDrafts} />
        </>
      )}
    </div>
  )
}
