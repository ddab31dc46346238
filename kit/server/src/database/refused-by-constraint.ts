/**
 * Runs a statement and returns a code if a database constraint rejects it. Only the database can decide reliably,
 * because two users can choose the same name at the same time and a referenced row can be deleted concurrently.
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
