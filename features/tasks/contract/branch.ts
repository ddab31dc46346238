/** Name of the task that continues with one of two branches. */
export const branchTaskName = 'branch'
/** Branches of that task: `then` if the condition is met, `else` if it is not. */
export const branches = ['then', 'else'] as const
/** A branch of a run. */
export type Branch = (typeof branches)[number]
