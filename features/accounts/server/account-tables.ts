import type { ColumnType, Generated } from 'kysely'
import type { AccessMode } from '@headwater/contract'

/** How a user may sign in. */
export type AuthType = 'ALL' | 'BASIC' | 'SSO'

/** PENDING until the first password is set; INACTIVE users cannot sign in. */
export type UserStatus = 'PENDING' | 'ACTIVE' | 'INACTIVE'

/** What a link sent by e-mail is good for. */
export type LinkPurpose = 'reset' | 'activation'

/** The tables of this feature, as SQL names them. */
export interface AccountTables {
  companies: {
    id: Generated<number>
    name: string
    auth_type: Generated<AuthType>
    tags: Generated<string[]>
  }
  roles: {
    id: Generated<number>
    name: string
    description: Generated<string>
    holds_everything: Generated<boolean>
  }
  role_entitlements: { role_id: number; parent: Generated<string>; resource: string; mode: AccessMode }
  users: {
    id: Generated<number>
    sub: Generated<string>
    user_name: string
    company_id: number
    status: Generated<UserStatus>
    auth_type: Generated<AuthType>
    password_hash: string | null
    template_name: string | null
    last_logged_at: Date | null
    created_at: ColumnType<Date, Date, never>
  }
  user_roles: { user_id: number; role_id: number }
  user_settings: { user_id: number; settings: ColumnType<Record<string, unknown>, string, string> }
  sessions: {
    id: Generated<string>
    user_id: number
    created_at: Date
    expires_at: Date
    ended_at: Date | null
  }
  refresh_tokens: {
    hash: Buffer
    session_id: string
    expires_at: Date
    used_at: Date | null
    used_by: Buffer | null
  }
  one_time_tokens: { hash: Buffer; user_id: number; purpose: LinkPurpose; expires_at: Date }
  api_keys: {
    id: Generated<number>
    user_id: number
    label: string
    hash: Buffer
    created_at: Date
    last_used_at: Date | null
    expires_at: Date | null
  }
  storage_limits: {
    only_row: boolean
    bytes_per_user: number
    bytes_per_company: number
    bytes_in_all: number
    reserved_disk_bytes: number
  }
  throttles: { key: string; attempts: number; blocked_until: Date | null; last_attempt_at: Date }
  known_addresses: { user_id: number; address: string; last_seen_at: Date }
}
