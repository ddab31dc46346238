/**
 * Returns a code when a constraint of the database refuses a statement. Two users can take a name at the same time, and a referenced
 * row can be deleted concurrently, so only the database decides.
 */
export async function refusedByConstraint<Outcome, Unique extends string, Missing extends string>(
  work: Promise<Outcome>,
  outcomes: {
    /** Returned when a unique constraint is violated. */
    unique: Unique
    /** Returned when a referenced row does not exist. */
    missing: Missing
  },
): Promise<Outcome | Unique | Missing> {
  try {
    return await work
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '23505') return outcomes.unique
    if (code === '23503') return outcomes.missing
    throw error
  }
}
