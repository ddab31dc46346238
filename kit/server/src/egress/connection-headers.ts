const connectionHeaders =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|content-length|upgrade|expect|proxy-.*)$/i

/** Returns whether a header belongs to a single connection: the client sets it itself, and a proxy does not forward it. */
export function isConnectionHeader(name: string): boolean {
  return connectionHeaders.test(name)
}
