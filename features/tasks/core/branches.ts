import type { Branch } from '../contract/index.ts'

/** Returns the name of a branch on screens. */
export function branchLabel(branch: Branch): string {
  return branch === 'then' ? 'Then' : 'Else'
}
