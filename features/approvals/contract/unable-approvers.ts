/** Returns the hint that a run waits for approvers who cannot decide, and who can. */
export function waitsForUnableText(unable: readonly string[]): string {
  return `${unableText(unable)} Administrators can decide instead.`
}

/** Returns a sentence with the approvers who cannot decide and with what they need. */
export function unableText(unable: readonly string[]): string {
  return `These approvers cannot decide: ${unable.join(', ')}. Approvers need an active account with a role that builds pipelines, such as Analyst or Pipeline builder.`
}
