import { useState } from 'react'
import { useCan, useSession } from '@headwater/accounts/web'
import { addressRule, useCanShareGroup, useEmails, useGroupAccess } from '@headwater/groups/web'
import {
  Button,
  Combobox,
  ConfirmDialog,
  countOf,
  ErrorState,
  fieldErrors,
  Form,
  formatFileSize,
  InputDialog,
  message,
} from '@headwater/web-kit'
import type { File } from '../../contract/index.ts'
import { useOwnedVersions, useTransferFiles } from '../files-client.ts'
import styles from './TransferDialog.module.css'

const formId = 'transfer-file'

/** Returns whether the user can transfer the ownership of a file: only its owner can. */
export function useCanTransfer(): (file: File) => boolean {
  const { userName } = useSession()
  const can = useCan()
  return (file) => file.owner === userName && can('Files', 'RW', 'Lake')
}

/** Dialog that transfers the ownership of the versions of a file that belong to the user. */
export function TransferDialog({ file, onClose }: { file: File | undefined; onClose: () => void }) {
  return file === undefined ? null : <OpenTransferDialog key={file.fid} file={file} onClose={onClose} />
}

function OpenTransferDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const { fileName, groupName } = file
  const { userName } = useSession()
  const versions = useOwnedVersions(file.fid, userName)
  const owned = versions.data
  const transfer = useTransferFiles()
  const [email, setEmail] = useState('')
  const [recipient, setRecipient] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const [fieldError, setFieldError] = useState<string>()
  const emails = useSuggestedOwners(groupName, email).filter((each) => each !== userName)

  function confirm() {
    const target = email.trim().toLowerCase()
    const error =
      target === ''
        ? 'Enter the e-mail address of the new owner.'
        : target === userName
          ? 'You already own this file. Enter another address.'
          : undefined
    setFieldError(error)
    if (error === undefined) setRecipient(target)
  }

  async function send(): Promise<void> {
    setProblem(undefined)
    try {
      await transfer.mutateAsync({
        fileIds: owned?.map(({ fid }) => fid) ?? [],
        currentOwnerUser: userName,
        targetOwnerUser: recipient ?? '',
        transferAll: false,
      })
    } catch (error) {
      setProblem(error)
      setFieldError(fieldErrors(error)['targetOwnerUser'])
      return
    }
    message(`${recipient} owns ${fileName} now.`)
    onClose()
  }

  return (
    <>
      <InputDialog
        open
        onClose={onClose}
        unsaved={false}
        title="Transfer ownership"
        width={480}
        actions={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              type="submit"
              form={formId}
              busy={versions.isFetching && owned === undefined}
              disabled={owned === undefined}
            >
              Continue
            </Button>
          </>
        }
      >
        <p>
          {fileName} in {groupName} belongs to you. Choose its new owner.
        </p>
        {versions.error === null || owned !== undefined ? null : (
          <ErrorState
            title="The versions of the file could not be loaded"
            error={versions.error}
            onRetry={() => void versions.refetch()}
          />
        )}
        <Form
          id={formId}
          label="Transfer ownership"
          onSubmit={confirm}
          {...(problem === undefined || fieldError !== undefined ? {} : { error: problem })}
        >
          <Combobox
            label="New owner"
            allowFree
            autoFocus
            enterRule={addressRule}
            required
            placeholder="E-mail address"
            value={email}
            // The list would cover the error.
            options={fieldError === undefined ? emails.map((each) => ({ value: each, label: each })) : []}
            error={fieldError ?? null}
            onChange={(text) => {
              setEmail(text ?? '')
              setFieldError(undefined)
              setProblem(undefined)
            }}
          />
        </Form>
      </InputDialog>
      <ConfirmDialog
        open={recipient !== undefined}
        title={`Transfer to ${recipient}?`}
        confirmLabel="Transfer"
        danger
        width={480}
        onClose={() => setRecipient(undefined)}
        onConfirm={send}
      >
        <Consequences fileName={fileName} versions={owned ?? []} groupName={groupName} />
      </ConfirmDialog>
    </>
  )
}

/** Describes the consequences of a transfer. */
function Consequences({
  fileName,
  versions,
  groupName,
}: {
  fileName: string
  versions: readonly File[]
  groupName: string
}) {
  const bytes = versions.reduce((sum, { size }) => sum + size, 0)
  return (
    <ul className={styles.consequences}>
      <li>
        The new owner gets{' '}
        {versions.length === 1 ? 'the version' : `all ${countOf(versions.length, 'version')}`} of {fileName}{' '}
        that you own.
      </li>
      <li>
        {formatFileSize(bytes)} count towards the storage limit of the new owner, no longer towards yours.
      </li>
      <li>Only the new owner can transfer the file again. You cannot undo this action.</li>
      <li>
        Access does not change. You keep your access to the group {groupName}; the new owner must be able to
        read it already.
      </li>
    </ul>
  )
}

/** Returns e-mail addresses that contain a text. Only users who can share the group get suggestions. */
function useSuggestedOwners(groupName: string, text: string): string[] {
  const access = useGroupAccess([groupName]).get(groupName)
  const canShareGroup = useCanShareGroup()
  const isAllowed = access !== undefined && canShareGroup(access)
  return useEmails(groupName, isAllowed ? text : '').data?.emails ?? []
}
