declare module '*?url' {
  /** The address of the file in the built application. */
  const address: string
  export default address
}

interface ImportMeta {
  /** What the build puts in the place of the call: the files that a pattern names, by their paths. */
  glob<T>(pattern: string, options: { query?: string; import?: string; eager: true }): Record<string, T>
}
