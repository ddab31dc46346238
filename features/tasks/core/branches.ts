import type { Branch } from '../contract/index.ts'

/** Names of the branches on screens. */
export const branchLabels: Readonly<Record<Branch, string>> = { then: 'Then', else: 'Else' }
