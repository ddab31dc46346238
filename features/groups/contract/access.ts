import { z } from 'zod'

/** Combinations of read, write and share access to a group. */
export const groupAccesses = ['R', 'RW', 'RS', 'RWS'] as const

/** Access to a group: R read, W write, S share. */
export const groupAccess = z.enum(groupAccesses)
/** Access to a group, as a type. */
export type GroupAccessMode = z.infer<typeof groupAccess>

/** Returns whether an access includes another one. */
export function includesAccess(access: GroupAccessMode, mode: GroupAccessMode): boolean {
  return mode.split('').every((letter) => access.includes(letter))
}

/** Returns whether a user with this access can change the group and its contents. */
export function canWrite(access: GroupAccessMode): boolean {
  return includesAccess(access, 'RW')
}

/** Returns whether a user with this access can share the group. */
export function canShare(access: GroupAccessMode): boolean {
  return includesAccess(access, 'RS')
}

/** Returns the union of two accesses. */
export function joinAccess(one: GroupAccessMode, other: GroupAccessMode): GroupAccessMode {
  return accessWhere((letter) => one.includes(letter) || other.includes(letter))
}

/** Returns the intersection of two accesses. */
export function commonAccess(one: GroupAccessMode, other: GroupAccessMode): GroupAccessMode {
  return accessWhere((letter) => one.includes(letter) && other.includes(letter))
}

function accessWhere(isHeld: (letter: string) => boolean): GroupAccessMode {
  return ['R', 'W', 'S'].filter(isHeld).join('') as GroupAccessMode
}
