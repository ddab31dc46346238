/** A task of the measured pipeline. */
export interface GraphTask {
  id: string
  label: string
  position: { x: number; y: number }
  /** Ids of the tasks before it. */
  after: string[]
  /** Id of the task that provides its input; undefined for none. */
  from: string | undefined
}

const columns = 25

/**
 * Returns tasks in columns: each takes a value of its neighbour on the left, and every second task also waits for the
 * task above that neighbour.
 */
export function graphTasks(count: number): GraphTask[] {
  const rows = Math.ceil(count / columns)
  return Array.from({ length: count }, (_, at) => {
    const [column, row] = [Math.floor(at / rows), at % rows]
    const isLast = column === 0
    const above = row > 0 && at % 2 === 0
    return {
      id: `t${at}`,
      label: `Task ${at}`,
      position: { x: column * 320, y: row * 192 },
      from: isLast ? undefined : `t${at - rows}`,
      after: isLast || !above ? [] : [`t${at - rows - 1}`],
    }
  })
}

/** Names of the inputs of a task; links end at the first one. */
export const inputNames = ['In', 'Day', 'Whom', 'Group name'] as const
