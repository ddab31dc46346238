import { StatusBadge } from '@headwater/web-kit'
import type { User } from '../../contract/index.ts'

const badges = {
  PENDING: { status: 'pending', text: 'Not activated' },
  ACTIVE: { status: 'completed', text: 'Active' },
  INACTIVE: { status: 'unexecuted', text: 'Inactive' },
} as const

/** The status of a user as a badge. */
export function UserStatus({ user }: { user: User }) {
  return <StatusBadge {...badges[user.status]} />
}
