import { useState } from 'react'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import {
  fieldErrors,
  Form,
  IconButton,
  message,
  MultiSelect,
  Skeleton,
  SubmitButton,
  toast,
  toastError,
} from '@headwater/web-kit'
import { useSession } from '@headwater/accounts/web'
import { useGroupUsers } from '@headwater/groups/web'
import type { Insight } from '@headwater/insights/contract'
import type { InsightShare, RoleAssignment } from '../../contract/index.ts'
import { visibleGroups } from '@headwater/insights/core'
import { groupReadersText } from './group-readers.ts'
import { useShares, useSharingCalls } from './sharing-client.ts'
import styles from './ShareDialog.module.css'

/** List of the users with whom an insight is shared, and a form to share it. */
export function PeopleTab({ insight }: { insight: Insight }) {
  const shares = useShares(insight)
  const users = useGroupUsers(insight.groupName)
  const { userName } = useSession()
  const calls = useSharingCalls(insight)
  const [emails, setEmails] = useState<string[]>([])
  const [error, setError] = useState<string>()
  const groups = [...new Set([insight.groupName, ...visibleGroups(insight.content)])]
  const listed = shares.data?.items.map(({ email }) => email) ?? []
  const groupReaders = groupReadersText(insight.groupName, users.data?.items ?? [], [userName, ...listed])

  async function onShare() {
    const outcome = await calls.share(emails)
    showOutcome(outcome)
    setEmails([])
  }
  async function onUnshare({ email }: InsightShare) {
    try {
      await calls.unshare(email)
      message(`${insight.insightName} is no longer shared with ${email}.`)
    } catch (problem) {
      toastError(problem)
    }
  }
  return (
    <>
      <Form
        label="Share with people"
        onSubmit={onShare}
        onError={(problem) => {
          const byField = problem === undefined ? {} : fieldErrors(problem)
          setError(Object.values(byField)[0])
        }}
      >
        <div className={styles.row}>
          <MultiSelect
            label="E-mail addresses"
            allowFree
            placeholder="Press Enter after each address"
            value={emails}
            options={[]}
            error={error}
            onChange={(next) => {
              setEmails(next)
              setError(undefined)
            }}
          />
          <SubmitButton disabled={emails.length === 0}>Share</SubmitButton>
        </div>
      </Form>
      <p className={styles.note}>
        People you invite can view this insight and everything else in{' '}
        {groups.length === 1 ? 'the group' : 'the groups'} {groups.join(', ')}.
      </p>
      {shares.data === undefined || users.isPending ? (
        <Skeleton lines={3} />
      ) : shares.data.items.length === 0 ? (
        groupReaders === undefined ? (
          <p className={styles.note}>Not shared with anyone yet.</p>
        ) : null
      ) : (
        <ul className={styles.people} aria-label="Shared with">
          {shares.data.items.map((person) => (
            <li key={person.email}>
              <span className={styles.person}>{person.email}</span>
              <span className={styles.role} title={rolesOf(person)}>
                Can read
              </span>
              <IconButton
                label={`Revoke access of ${person.email}`}
                icon={<IconUserMinus size={16} stroke={1.6} aria-hidden="true" />}
                onClick={() => void onUnshare(person)}
              />
            </li>
          ))}
        </ul>
      )}
      {shares.data === undefined || groupReaders === undefined ? null : (
        <p className={styles.note}>{groupReaders}</p>
      )}
    </>
  )
}

function rolesOf({ groups, sharedBy }: InsightShare): string {
  const list = groups.map(({ groupName, access }) => `${groupName} (${access})`).join(', ')
  return list === '' ? `Shared by ${sharedBy}` : `Access to ${list}. Shared by ${sharedBy}`
}

function showOutcome({ groupsNotShared }: RoleAssignment): void {
  message('Insight has been shared.')
  if (groupsNotShared.length === 0) return
  toast({
    kind: 'info',
    title: 'Some data was not shared',
    text: `You do not have permission to share ${groupsNotShared.join(', ')}. Tiles with this data stay empty until the owners share it.`,
  })
}
