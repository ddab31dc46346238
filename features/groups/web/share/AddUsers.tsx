import { useState } from 'react'
import { Button, Checkbox, DateField, Form, MultiSelect, Select, TextField } from '@headwater/web-kit'
import { ownerMessage, type GroupAccessMode } from '../../contract/index.ts'
import { accessChoices, accessNames, type ShareDraft } from './share-draft.ts'
import { useEmails } from './shares-client.ts'
import styles from './GroupShareTool.module.css'

const formId = 'add-users'

/** Form that adds users with their access, and an optional e-mail. */
export function AddUsers({
  groupName,
  ownAccess,
  owner,
  onAdd,
  onBack,
}: {
  groupName: string
  ownAccess: GroupAccessMode
  owner: string
  onAdd: (added: ShareDraft[]) => void
  onBack: () => void
}) {
  const choices = accessChoices(ownAccess)
  const [emails, setEmails] = useState<string[]>([])
  const [text, setText] = useState('')
  const [access, setAccess] = useState<GroupAccessMode>(choices.at(-1)!)
  const [expiresOn, setExpiresOn] = useState('')
  const [sendMessage, setSendMessage] = useState(false)
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string>()
  const suggested = useEmails(groupName, text)
  function submit() {
    const addresses = [...new Set(emails.map((email) => email.trim().toLowerCase()))]
    const wrong = addresses.find((email) => !/^[^\s@]+@[^\s@]+$/.test(email))
    if (addresses.length === 0) return setError('Enter at least one e-mail address.')
    if (wrong !== undefined) return setError(`“${wrong}” is not an e-mail address.`)
    if (addresses.includes(owner)) return setError(ownerMessage(owner, groupName))
    const added = {
      access,
      expiresOn,
      savedEnd: null,
      dataStart: null,
      dataEnd: null,
      sendMessage,
      message: message.trim(),
    }
    onAdd(addresses.map((email) => ({ email, ...added })))
  }
  return (
    <Form id={formId} label="Add users" onSubmit={submit}>
      <MultiSelect
        label="E-mail addresses"
        allowFree
        required
        placeholder="Type a part of an address"
        value={emails}
        options={(suggested.data?.emails ?? []).map((email) => ({ value: email, label: email }))}
        onSearch={setText}
        error={error}
        onChange={(next) => {
          setEmails(next)
          setError(undefined)
        }}
      />
      <Select
        label="Access"
        value={access}
        options={choices.map((choice) => ({ value: choice, label: accessNames[choice] }))}
        hint={
          access === 'R'
            ? 'Viewers can read everything in the group.'
            : 'Editors can read and change everything in the group, and share it with others.'
        }
        onChange={(next) => setAccess((next ?? access) as GroupAccessMode)}
      />
      <DateField
        label="Expires on"
        placeholder="Never expires"
        value={expiresOn}
        hint="The share ends at the end of this day in UTC."
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
