import type { AccessMode } from '@headwater/contract'

/** The caller of a request: the signed-in user, for any kind of credentials. */
export interface Principal {
  /** Id of the user. */
  userId: number
  /** The e-mail address, in lower case. */
  userName: string
  /** Id of the company of the user. */
  companyId: number
  /** Authentication scheme of the request. */
  scheme: 'Bearer' | 'ApiKey' | 'Basic'
  /** Whether the user is an administrator, who sees every object. */
  isAdministrator: boolean
  /** The run whose code sends the request; its access ends with the run. Absent for all other callers. */
  runId?: string
  /** Whether the roles of the user hold an entitlement, for example `can('Lake/Groups', 'RW')`. */
  can(resource: string, mode: AccessMode): boolean
}
