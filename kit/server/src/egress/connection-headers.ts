const connectionHeaders =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|content-length|upgrade|expect|proxy-.*)$/i

/**
 * Returns whether a header applies to a single connection (hop-by-hop). The client sets such a header itself, and a
 * proxy does not forward it.
 */
export function isConnectionHeader(name: string): boolean {
  return connectionHeaders.test(name)
}
