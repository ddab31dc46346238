import { useState } from 'react'
import { sharingErrors } from '@headwater/accounts/contract'
import { utcDate } from '@headwater/contract'
import { Button, Checkbox, DateField, Form, MultiSelect, Select, TextField } from '@headwater/web-kit'
import { maxSuggestedEmails, ownerMessage, type GroupAccessMode } from '../../contract/index.ts'
import { accessChoices, accessNames, rangeOfDays, shareText, type ShareDraft } from './share-draft.ts'
import { addressRule, isAddress } from './address-rule.ts'
import { findInactiveEmails, useEmails } from './shares-client.ts'
import styles from './GroupShareTool.module.css'

const formId = 'add-users'

/** Form that adds users with their access, and an optional e-mail. */
export function AddUsers({
  groupName,
  ownAccess,
  owner,
  listed,
  onAdd,
  onBack,
}: {
  groupName: string
  ownAccess: GroupAccessMode
  owner: string
  /** The list of shares. */
  listed: readonly ShareDraft[]
  onAdd: (added: ShareDraft[]) => void
  onBack: () => void
}) {
  const choices = accessChoices(ownAccess)
  const [emails, setEmails] = useState<string[]>([])
  const [text, setText] = useState('')
  const [access, setAccess] = useState<GroupAccessMode>(choices.at(-1)!)
  const [expiresOn, setExpiresOn] = useState('')
  const [today] = useState(() => utcDate(Date.now()))
  const [dataFrom, setDataFrom] = useState('')
  const [dataTo, setDataTo] = useState('')
  const isLimited = dataFrom !== '' || dataTo !== ''
  const [sendMessage, setSendMessage] = useState(false)
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string>()
  const suggested = useEmails(groupName, text)
  const addresses = [...new Set(emails.map((email) => email.trim().toLowerCase()))]
  const replaced = listed.filter(({ email }) => addresses.includes(email))
  const hasEnded = expiresOn !== '' && expiresOn < today
  const isReversed = dataFrom !== '' && dataTo !== '' && dataFrom > dataTo
  const share = {
    access: isLimited ? ('R' as const) : access,
    expiresOn,
    savedEnd: null,
    ...rangeOfDays(dataFrom, dataTo),
  }
  async function submit() {
    const wrong = addresses.find((email) => !isAddress(email))
    if (addresses.length === 0) return setError('Enter at least one e-mail address.')
    if (wrong !== undefined) return setError(`“${wrong}” is not an e-mail address.`)
    if (addresses.includes(owner)) return setError(ownerMessage(owner, groupName))
    if (isReversed || hasEnded) return
    const inactive = await findInactiveEmails(groupName, addresses)
    if (inactive.length > 0)
      return setError(
        sharingErrors.usersNotFound({
          emails: inactive.join(', '),
          hint: 'An invited user must first choose a password.',
        }).message,
      )
    onAdd(addresses.map((email) => ({ email, ...share, sendMessage, message: message.trim() })))
  }
  return (
    <Form id={formId} label="Add users" onSubmit={submit}>
      <MultiSelect
        label="E-mail addresses"
        allowFree
        autoFocus
        enterRule={addressRule}
        required
        placeholder="Type part of an address"
        value={emails}
        options={(suggested.data?.emails ?? []).map((email) => ({ value: email, label: email }))}
        onSearch={setText}
        hint={
          (suggested.data?.emails.length ?? 0) < maxSuggestedEmails
            ? undefined
            : `The list contains the first ${maxSuggestedEmails} matching addresses. Type more of the address.`
        }
        error={error}
        onChange={(next) => {
          setEmails(next)
          setError(undefined)
        }}
      />
      {replaced.length === 0 ? null : (
        <ul className={styles.replaced} role="status" aria-label="Replaced shares">
          {replaced.map((current) => (
            <li key={current.email}>
              Replaces the current share of {current.email}: {shareText(current)} → {shareText(share)}.
            </li>
          ))}
        </ul>
      )}
      <Select
        label="Access"
        value={isLimited ? 'R' : access}
        options={(isLimited ? (['R'] as const) : choices).map((choice) => ({
          value: choice,
          label: accessNames[choice],
        }))}
        hint={
          isLimited
            ? 'A share with a data range is always read-only.'
            : access === 'R'
              ? 'Viewers can read everything in the group.'
              : 'Editors can read and change everything in the group, and share it with others.'
        }
        onChange={(next) => setAccess((next ?? access) as GroupAccessMode)}
      />
      <fieldset className={styles.dates}>
        <legend>Data range</legend>
        <DateField label="Data from" placeholder="No start" value={dataFrom} onChange={setDataFrom} />
        <DateField
          label="Data to"
          placeholder="No end"
          value={dataTo}
          error={isReversed ? 'The range ends before it starts. Choose a later end.' : undefined}
          onChange={setDataTo}
        />
        <p className={styles.quiet}>
          Optional. Whole days in UTC. Users can read only the points in this range, and the symbols that have
          points in it. They can open a file only if its period, set at the upload, lies within this range.
          Metadata of the symbols, such as units, is not limited.
        </p>
      </fieldset>
      <DateField
        label="Expires on"
        placeholder="Never expires"
        value={expiresOn}
        hint="The share ends at the end of this day in UTC."
        error={hasEnded ? 'This date is in the past. Choose a later date, or none.' : undefined}
        onChange={setExpiresOn}
      />
      <Checkbox label="Send an e-mail" checked={sendMessage} onChange={setSendMessage} />
      {sendMessage ? (
        <TextField
          label="Message"
          hint="Optional. The e-mail also contains a link to this page."
          rows={3}
          maxLength={4000}
          value={message}
          onChange={setMessage}
        />
      ) : null}
      <div className={styles.buttons}>
        <Button onClick={onBack}>Back</Button>
        <Button variant="primary" type="submit" form={formId}>
          Add
        </Button>
      </div>
    </Form>
  )
}
