declare module '*?url' {
  /** URL of the file in the built application. */
  const address: string
  export default address
}

interface ImportMeta {
  /** Returns the URLs of the files that match a pattern, by path; replaced by the build. */
  glob<T>(pattern: string, options: { query?: string; import?: string; eager: true }): Record<string, T>
}
