import type { ColumnType, Generated } from 'kysely'
import type { AccessMode } from '@headwater/contract'

/** Sign-in methods of a user. */
export type AuthType = 'ALL' | 'BASIC' | 'SSO'

/** PENDING until the first password is set; INACTIVE users cannot sign in. */
export type UserStatus = 'PENDING' | 'ACTIVE' | 'INACTIVE'

/** Purpose of a link sent by e-mail. */
export type LinkPurpose = 'reset' | 'activation'

/** The tables of this feature, as SQL names them. */
export interface AccountTables {
  /** Companies. Every user belongs to one. */
  companies: {
    id: Generated<number>
    name: string
    auth_type: Generated<AuthType>
    tags: Generated<string[]>
  }
  /** Named sets of entitlements. */
  roles: {
    id: Generated<number>
    name: string
    description: Generated<string>
    holds_everything: Generated<boolean>
  }
  /** Entitlements of roles; `parent` is empty for an area. */
  role_entitlements: { role_id: number; parent: Generated<string>; resource: string; mode: AccessMode }
  /** Users. `user_name` is unique and in lower case. */
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
  /** Roles of users. */
  user_roles: { user_id: number; role_id: number }
  /** Settings that users changed, one JSON object per user. */
  user_settings: { user_id: number; settings: ColumnType<Record<string, unknown>, string, string> }
  /** Sessions of users; `ended_at` is null while a session is active. A deactivation of the user sets `is_deactivated`. */
  sessions: {
    id: Generated<string>
    user_id: number
    created_at: Date
    expires_at: Date
    ended_at: Date | null
    is_deactivated: Generated<boolean>
  }
  /** Hashes of the refresh tokens of sessions. */
  refresh_tokens: {
    hash: Buffer
    session_id: string
    expires_at: Date
    used_at: Date | null
    used_by: Buffer | null
  }
  /** Hashes of the tokens in reset and activation links. */
  one_time_tokens: { hash: Buffer; user_id: number; purpose: LinkPurpose; expires_at: Date }
  /** Hashes of API keys. */
  api_keys: {
    id: Generated<number>
    user_id: number
    label: string
    hash: Buffer
    created_at: Date
    last_used_at: Date | null
    expires_at: Date | null
  }
  /** The limits of stored files, in bytes; one row. */
  storage_limits: {
    only_row: boolean
    bytes_per_user: number
    bytes_per_company: number
    bytes_in_all: number
    reserved_disk_bytes: number
  }
  /** Counters of attempts to sign in or to reset a password. */
  throttles: { key: string; attempts: number; blocked_until: Date | null; last_attempt_at: Date }
  /** Networks from which users signed in. */
  known_addresses: { user_id: number; address: string; last_seen_at: Date }
}
