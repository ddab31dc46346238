/**
 * Answers with a word where a constraint of the database refuses what is written: two people may take a name at once, and what is
 * referred to may go in the same moment, so only the database decides.
 */
export async function refusedByConstraint<Outcome, Unique extends string, Missing extends string>(
  work: Promise<Outcome>,
  words: {
    /** For a value that may stand only once. */
    unique: Unique
    /** For a row that is referred to and is not there. */
    missing: Missing
  },
): Promise<Outcome | Unique | Missing> {
  try {
    return await work
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '23505') return words.unique
    if (code === '23503') return words.missing
    throw error
  }
}
