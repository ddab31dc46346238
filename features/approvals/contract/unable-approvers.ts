/** Returns a message that names the approvers who cannot decide and says who can decide instead. */
export function waitsForUnableText(unable: readonly string[]): string {
  return `${unableText(unable)} Administrators can decide instead.`
}

/** Returns a message that names the approvers who cannot decide and what they need. */
export function unableText(unable: readonly string[]): string {
  return `These approvers cannot decide: ${unable.join(', ')}. Approvers need an active account with a role that builds pipelines, such as Analyst or Pipeline builder.`
}
