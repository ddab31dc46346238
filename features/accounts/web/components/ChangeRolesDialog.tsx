import { useState } from 'react'
import {
  Button,
  call,
  fieldErrors,
  Form,
  FormActions,
  InputDialog,
  message,
  SubmitButton,
} from '@headwater/web-kit'
import { type User, updateUser } from '../../contract/index.ts'
import { RolesField } from './RolesField.tsx'

/** Dialog that changes the roles of a user. */
export function ChangeRolesDialog({
  user,
  onClose,
  onDone,
}: {
  user: Pick<User, 'userName' | 'roleIds'>
  onClose: () => void
  onDone: () => Promise<void>
}) {
  const [roleIds, setRoleIds] = useState<number[]>(user.roleIds)
  const [error, setError] = useState<string>()
  const isChanged = roleIds.length !== user.roleIds.length || roleIds.some((id) => !user.roleIds.includes(id))
  async function save() {
    await call(updateUser, { params: { userName: user.userName }, body: { roleIds } })
    message(`The roles of ${user.userName} have been changed.`)
    await onDone()
    onClose()
  }
  return (
    <InputDialog open onClose={onClose} title="Change roles" unsaved={isChanged}>
      <Form
        label="Change roles"
        onSubmit={save}
        onError={(failure) => setError(fieldErrors(failure).roleIds)}
      >
        <p>
          The roles of {user.userName} determine which areas the user can see and change. They take effect at
          once.
        </p>
        <RolesField value={roleIds} onChange={setRoleIds} error={error} />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton disabled={!isChanged || roleIds.length === 0}>Save</SubmitButton>
        </FormActions>
      </Form>
    </InputDialog>
  )
}
