import { type ReactNode, useState } from 'react'
import { call, ConfirmDialog, countOf, message } from '@headwater/web-kit'
import {
  type ApiKey,
  deleteUserApiKey,
  deleteUserApiKeys,
  endUserSessions,
  updateUser,
} from '../../contract/index.ts'

/** An action of an administrator on a user. */
export type UserAction =
  | { kind: 'deactivate' }
  | { kind: 'reactivate' }
  | { kind: 'endSessions' }
  | { kind: 'revokeAllKeys' }
  | { kind: 'revokeKey'; key: ApiKey }

interface Confirmation {
  title: string
  confirmLabel: string
  danger: boolean
  text: ReactNode
  /** Runs the action and returns the message of its success. */
  run: () => Promise<string>
}

/** Confirms an action on a user and explains its effect. */
export function UserActionDialog({
  email,
  action,
  onClose,
  onDone,
}: {
  email: string
  action: UserAction | undefined
  onClose: () => void
  onDone: () => Promise<void>
}) {
  // The dialog keeps its text while it closes.
  const [last, setLast] = useState(action)
  if (action !== undefined && action !== last) setLast(action)
  if (last === undefined) return null
  const { title, confirmLabel, danger, text, run } = confirmationFor(last, email)
  return (
    <ConfirmDialog
      open={action !== undefined}
      onClose={onClose}
      title={title}
      confirmLabel={confirmLabel}
      danger={danger}
      onConfirm={async () => {
        message(await run())
        await onDone()
      }}
    >
      {text}
    </ConfirmDialog>
  )
}

function confirmationFor(action: UserAction, userName: string): Confirmation {
  const params = { userName }
  switch (action.kind) {
    case 'deactivate':
      return {
        title: 'Deactivate user',
        confirmLabel: 'Deactivate',
        danger: true,
        text: `${userName} can no longer log in, all sessions end, and API keys stop working at once. Files, insights and shares stay. You can reactivate the user later.`,
        run: async () => {
          await call(updateUser, { params, body: { active: false } })
          return `${userName} has been deactivated.`
        },
      }
    case 'reactivate':
      return {
        title: 'Reactivate user',
        confirmLabel: 'Reactivate',
        danger: false,
        text: `${userName} can log in again, and the API keys below work again. To keep programs out, revoke the keys first.`,
        run: async () => {
          await call(updateUser, { params, body: { active: true } })
          return `${userName} has been reactivated.`
        },
      }
    case 'endSessions':
      return {
        title: 'End all sessions',
        confirmLabel: 'End all sessions',
        danger: true,
        text: `${userName} is logged out in every browser and has to log in again. API keys keep working.`,
        run: async () => {
          const { ended } = await call(endUserSessions, { params })
          return `${countOf(ended, 'session')} ended.`
        },
      }
    case 'revokeAllKeys':
      return {
        title: 'Revoke all API keys',
        confirmLabel: 'Revoke all keys',
        danger: true,
        text: `Programs that use an API key of ${userName} stop working at once. Keys cannot be restored.`,
        run: async () => {
          const { deleted } = await call(deleteUserApiKeys, { params })
          return `${countOf(deleted, 'API key')} revoked.`
        },
      }
    case 'revokeKey':
      return {
        title: 'Revoke API key',
        confirmLabel: 'Revoke key',
        danger: true,
        text: `Programs that use “${action.key.label}” stop working at once. The key cannot be restored.`,
        run: async () => {
          await call(deleteUserApiKey, { params: { ...params, id: action.key.id } })
          return 'The API key has been revoked.'
        },
      }
  }
}
