import type { Branch } from '../contract/index.ts'

/** Returns the display name of a branch. */
export function branchLabel(branch: Branch): string {
  return branch === 'then' ? 'Then' : 'Else'
}
