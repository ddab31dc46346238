declare module '*?url' {
  /** The address of the file in the built application. */
  const address: string
  export default address
}
