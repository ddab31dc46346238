/** Python packages of a step. */
export interface StepPackages {
  /** Packages that the task declares. An empty version means the newest. */
  requirements: readonly { name: string; version: string }[]
  /** Versions that runs use, with the SHA-256 of their wheels. */
  locked: readonly { name: string; version: string; sha256: string }[]
}
