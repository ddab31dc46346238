import { commonErrors, type Route } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'

/** Throws unless a user has the permission that a route requires. Used for reads that bypass the route. */
export function requirePermission(principal: Principal, { permission }: Route): void {
  if (typeof permission === 'string' || principal.can(permission.resource, permission.mode)) return
  throw commonErrors.forbidden(permission)
}
