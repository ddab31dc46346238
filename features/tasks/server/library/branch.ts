import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { branchTaskName, type Branch } from '../../contract/index.ts'
import type { TaskKind } from '../task-kinds.ts'
import { failed, input, libraryKind, output } from './kind-parts.ts'

/** Creates the kind of task that continues with one of two branches. The steps of the other branch are skipped. */
export function createBranch(): TaskKind {
  return {
    ...libraryKind,
    definitionId: branchTaskName,
    definitionName: branchTaskName,
    readableName: 'Branch',
    category: 'Control',
    description:
      'Continues with the tasks after “Then” if a condition is met, otherwise with those after “Else”. The tasks of the other branch are skipped.',
    params: [
      {
        ...input(
          'condition',
          'BOOLEAN',
          'An expression that results in true or false, such as weekday(run.date) = 1.',
        ),
        mode: 'expression',
      },
      output('Result', 'TEXT', 'The branch: then or else.'),
    ],
    repeatable: true,
    isShort: () => true,
    run: async ({ inputs }: StepWork): Promise<StepOutcome> => {
      const isMet = conditionOf(inputs['condition'] ?? '')
      if (isMet === undefined)
        return failed(
          `The condition has the result “${(inputs['condition'] ?? '').slice(0, 100)}”. It must be true or false.`,
        )
      const branch: Branch = isMet ? 'then' : 'else'
      return {
        status: 'INFO',
        message: isMet ? 'The condition is met.' : 'The condition is not met.',
        outputs: { Result: branch },
        branch,
      }
    },
  }
}

/**
 * Returns whether a condition with this result is met. An empty result means that it is not met; undefined means that the
 * result is not a boolean.
 */
function conditionOf(result: string): boolean | undefined {
  const text = result.trim().toLowerCase()
  if (text === 'true') return true
  return text === 'false' || text === '' ? false : undefined
}
