import { StatusBadge } from '@headwater/web-kit'
import type { User } from '../../contract/index.ts'

const words = {
  PENDING: { status: 'pending', text: 'Not activated' },
  ACTIVE: { status: 'completed', text: 'Active' },
  INACTIVE: { status: 'unexecuted', text: 'Inactive' },
} as const

/** The status of a user, drawn like every status. */
export function UserStatus({ user }: { user: User }) {
  return <StatusBadge {...words[user.status]} />
}
