import type { AccessMode } from '@headwater/contract'

/** Who makes a call: the signed-in user, whatever way the credentials came. */
export interface Principal {
  userId: number
  /** The e-mail address, in lower case. */
  userName: string
  companyId: number
  /** How the caller proved who they are. */
  scheme: 'Bearer' | 'ApiKey' | 'Basic'
  /** Whether the user may administer the installation; sees every object. */
  isAdministrator: boolean
  /** The run whose code makes the call: what it is permitted ends with it. Absent for everybody else. */
  runId?: string
  /** Whether the roles of the user hold an entitlement, for example `can('Lake/Groups', 'RW')`. */
  can(resource: string, mode: AccessMode): boolean
}
