import { useState } from 'react'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import { useSession } from '@headwater/accounts/web'
import { Button, Checkbox, DateField, IconButton, Select } from '@headwater/web-kit'
import { dataRangeText, includesAccess, type GroupAccessMode, type GroupUser } from '../../contract/index.ts'
import { accessChoices, accessNames, emptyText, type ShareDraft } from './share-draft.ts'
import styles from './GroupShareTool.module.css'

/** The owner of a group, its shares to select, edit and remove, and the users with access from insights. */
export function ShareList({
  users,
  ownAccess,
  drafts,
  saved,
  onChange,
}: {
  users: readonly GroupUser[]
  ownAccess: GroupAccessMode
  drafts: readonly ShareDraft[]
  saved: readonly ShareDraft[]
  onChange: (drafts: readonly ShareDraft[]) => void
}) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const owner = users[0]!
  const ofInsights = users.filter(({ source }) => source === 'insight')
  const savedAccess = new Map(saved.map(({ email, access }) => [email, access]))
  const { userName } = useSession()
  const canRemove = ({ email }: ShareDraft) => includesAccess(ownAccess, savedAccess.get(email) ?? 'R')
  // Users cannot change their own share, but they can give it up.
  const canEdit = (draft: ShareDraft) => draft.email !== userName && canRemove(draft)
  const chosen = drafts.filter(({ email }) => selected.has(email))
  // A share with a range remains a viewer.
  const choices = accessChoices(ownAccess).filter((access) => access === 'R' || !chosen.some(isLimited))
  const update = (emails: ReadonlySet<string>, part: Partial<ShareDraft>) =>
    onChange(drafts.map((draft) => (emails.has(draft.email) ? { ...draft, ...part } : draft)))
  function remove(emails: ReadonlySet<string>) {
    onChange(drafts.filter(({ email }) => !emails.has(email)))
    setSelected(new Set([...selected].filter((email) => !emails.has(email))))
  }
  function select(email: string, isSelected: boolean) {
    const next = new Set(selected)
    if (isSelected) next.add(email)
    else next.delete(email)
    setSelected(next)
  }
  return (
    <>
      {chosen.length === 0 ? null : (
        <div className={styles.selection} role="group" aria-label="Selected users">
          <span>{chosen.length} selected</span>
          {choices.map((access) => (
            <Button key={access} size="small" onClick={() => update(selected, { access })}>
              Make {accessNames[access].toLowerCase()}
            </Button>
          ))}
          <Button size="small" onClick={() => remove(selected)}>
            Remove
          </Button>
        </div>
      )}
      <ul className={styles.users} aria-label="Users">
        <li>
          <span className={styles.email}>{owner.email}</span>
          <span className={styles.quiet}>Owner</span>
        </li>
        {drafts.map((draft) => (
          <li key={draft.email}>
            <Checkbox
              label={`Select ${draft.email}`}
              hideLabel
              checked={selected.has(draft.email)}
              disabled={!canEdit(draft)}
              onChange={(isSelected) => select(draft.email, isSelected)}
            />
            <span className={styles.email}>
              {draft.email}
              {isLimited(draft) ? (
                <span className={styles.range}>Only data {dataRangeText(draft)}</span>
              ) : null}
            </span>
            <Select
              label={`Access of ${draft.email}`}
              hideLabel
              value={draft.access}
              disabled={!canEdit(draft)}
              options={(isLimited(draft)
                ? [draft.access]
                : accessChoices(ownAccess, savedAccess.get(draft.email))
              ).map((access) => ({
                value: access,
                label: accessNames[access],
              }))}
              onChange={(access) =>
                update(new Set([draft.email]), { access: (access ?? draft.access) as GroupAccessMode })
              }
            />
            <DateField
              label={`Expiry of ${draft.email}`}
              hideLabel
              placeholder="Never expires"
              value={draft.expiresOn}
              disabled={!canEdit(draft)}
              onChange={(expiresOn) => update(new Set([draft.email]), { expiresOn })}
            />
            <IconButton
              label={`Remove ${draft.email}`}
              disabled={!canRemove(draft)}
              icon={<IconUserMinus size={16} stroke={1.6} aria-hidden="true" />}
              onClick={() => remove(new Set([draft.email]))}
            />
          </li>
        ))}
        {ofInsights.map(({ email, sourceId, access }) => (
          <li key={`${sourceId}/${email}`}>
            <span className={styles.email}>{email}</span>
            <span className={styles.quiet}>{accessNames[access]}, through a shared insight</span>
          </li>
        ))}
      </ul>
      {drafts.length > 0 ? null : <p className={styles.quiet}>{emptyText(saved)}</p>}
    </>
  )
}

function isLimited({ dataStart, dataEnd }: ShareDraft): boolean {
  return dataStart !== null || dataEnd !== null
}
