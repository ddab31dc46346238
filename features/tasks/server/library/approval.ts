import type { TaskKind } from '../task-kinds.ts'
import { input, libraryKind } from './kind-parts.ts'

/** Creates the kind of task at which a run waits until a user approves or declines it. */
export function createApproval(): TaskKind {
  return {
    ...libraryKind,
    definitionId: 'approval',
    definitionName: 'approval',
    readableName: 'Approval',
    category: 'Control',
    description: 'The run pauses here until a user approves or declines it.',
    params: [
      input('Pause', 'BOOLEAN', 'Whether runs pause here.', { defaultValue: 'true' }),
      input('Reason', 'LONG_TEXT', 'What to check before the approval.', { optional: true }),
    ],
    repeatable: true,
    run: async () => ({ status: 'INFO', message: 'Approved.' }),
  }
}
